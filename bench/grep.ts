/** grep over a tree of 5,000 files, with ripgrep and without. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { builtinTools } from '../src/tools/list.ts'
import type { ToolContext } from '../src/tools/tool.ts'
import { environment, median, ms, pairs, processTime, type Row, ratioRow } from './measure.ts'

const files = 5_000
const args = { pattern: 'needle_\\d+' }

export async function grepRows(): Promise<Row[]> {
  const cwd = makeTree()
  const path_ = process.env.PATH
  try {
    const rows: Row[] = []
    if (hasRipgrep()) {
      const rg = ['--line-number', '--no-heading', args.pattern, '.']
      const result = await pairs(
        15,
        () => grep(cwd),
        () => processTime('rg', rg, { cwd }),
      )
      rows.push(ratioRow(`grep over ${files} files, with rg`, 'rg itself', result, 1.3))
    }
    process.env.PATH = '/nowhere'
    const own = []
    for (let n = 0; n < 5; n++) own.push(await grep(cwd))
    const result = median(own)
    rows.push({
      figure: `grep over ${files} files, without rg`,
      against: '–',
      measured: ms(result),
      floor: '–',
      reach: '< 1 s',
      reached: result < 1_000,
    })
    return rows
  } finally {
    process.env.PATH = path_
    rmSync(cwd, { recursive: true, force: true })
  }
}

async function grep(cwd: string): Promise<number> {
  const tool = builtinTools().find(({ name }) => name === 'grep')
  const context = {
    cwd,
    signal: new AbortController().signal,
    onOutput() {},
    limits: { bash_timeout_ms: 30_000, bash_max_output: 8_192, read_max_lines: 500, grep_max_matches: 50 },
    budget: 100_000,
    isSecret: () => false,
    spillDir: async () => cwd,
  } as unknown as ToolContext
  const started = performance.now()
  const result = await tool?.execute(args, context)
  if (!result?.output.includes('needle_')) throw new Error(`grep found nothing: ${result?.output}`)
  return performance.now() - started
}

function hasRipgrep(): boolean {
  try {
    execFileSync('rg', ['--version'], { env: environment(), stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

function makeTree(): string {
  const root = mkdtempSync(path.join(tmpdir(), 'gopi-bench-'))
  for (let n = 0; n < files; n++) {
    const directory = path.join(root, `d${n % 100}`)
    mkdirSync(directory, { recursive: true })
    const lines = Array.from(
      { length: 60 },
      (_, line) => `const value_${n}_${line} = compute(${line}) // some text`,
    )
    if (n % 250 === 0) lines[30] = `const x = needle_${n}`
    writeFileSync(path.join(directory, `f${n}.ts`), lines.join('\n'))
  }
  return root
}
