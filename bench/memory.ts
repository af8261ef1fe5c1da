/**
 * What gopi takes of the memory while a person talks with it: the built program on a terminal of its own, beside a
 * bare node at the same moment.
 */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type IPty, spawn } from '@lydell/node-pty'
import { environment, gopi, processTime, type Row } from './measure.ts'
import { type Memory, treeMemory } from './process-tree.ts'
import { serve } from './served.ts'

/** Milliseconds. */
const afterOpening = 5_000
const afterAnswer = 30_000

export async function memoryRows(): Promise<Row[]> {
  const server = await serve({ script: 'words' })
  const directory = realpathSync(mkdtempSync(path.join(tmpdir(), 'gopi-bench-')))
  const settings = { HOME: directory, GOPI_HOME: path.join(directory, 'home'), OLLAMA_HOST: server.host }
  const env = environment({ ...settings, GOPI_MODEL: 'bench', TERM: 'xterm-256color' })
  const terminals: IPty[] = []
  const open = (args: string[]): IPty => {
    const size = { cols: 100, rows: 30 }
    const pty = spawn(process.execPath, args, { ...size, cwd: directory, env: env as Record<string, string> })
    terminals.push(pty)
    return pty
  }
  try {
    // Leaves the compiled code behind, as every start but a person's first one finds it.
    await processTime(process.execPath, [gopi, '-p', 'x'], { cwd: directory, env })
    const bare = open(['-e', 'setInterval(() => {}, 1e9)'])
    const ours = open([gopi])
    await shows(ours, 'bench native')
    const row = (when: string, bound: number): Row => {
      const [found, floor] = [treeMemory(ours.pid), treeMemory(bare.pid)]
      return {
        figure: `memory ${when}: RSS of the process tree`,
        against: 'node, idle',
        measured: told(found),
        floor: told(floor),
        ratio: found.rss / floor.rss,
        reach: `≤ + ${bound} MB`,
        reached: found.rss - floor.rss <= bound * 1e6,
      }
    }
    await sleep(afterOpening)
    if (!(await server.chat(1)).prewarm) throw new Error('there was no prewarm')
    const opened = row(`${afterOpening / 1000} s after the first frame, prewarm done`, 25)
    ours.write('hello\r')
    await shows(ours, 'asked for.')
    await sleep(afterAnswer)
    return [opened, row(`${afterAnswer / 1000} s after the first answer`, 45)]
  } finally {
    for (const pty of terminals) pty.kill('SIGKILL')
    server.close()
    rmSync(directory, { recursive: true, force: true })
  }
}

function told({ rss, pss }: Memory): string {
  const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`
  return megabytes(rss) + (pss === undefined ? '' : ` (PSS ${megabytes(pss)})`)
}

/** Resolves when the words have come. */
function shows(pty: IPty, words: string): Promise<void> {
  let output = ''
  return new Promise((resolve, reject) => {
    pty.onData(piece => {
      output += piece
      if (output.includes(words)) resolve()
    })
    pty.onExit(({ exitCode }) => reject(new Error(`it ended with ${exitCode}: ${output}`)))
  })
}
