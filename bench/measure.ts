/** Taking figures: always several, in turn with what they are compared to, so that a machine's moods hit both. */
import { type SpawnOptions, spawn } from 'node:child_process'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export interface Row {
  figure: string
  /** What it is held against. */
  against: string
  /** Measured, for people: `31.2 ms`. */
  measured: string
  floor: string
  ratio?: number
  /** What is to be reached: a bound of the ratio, or of the figure itself. */
  reach: string
  reached: boolean
}

export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
export const gopi = path.join(root, 'dist', 'gopi.cjs')

/** The environment of everything that is measured: an extra certificate file costs Node tens of milliseconds. */
export const environment = (extra: Record<string, string> = {}): NodeJS.ProcessEnv => {
  const { NODE_EXTRA_CA_CERTS: _, NODE_OPTIONS: __, ...rest } = process.env
  return { ...rest, ...extra }
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export const median = (values: readonly number[]): number => quantile(values, 0.5)

/** Milliseconds of the machine's steady clock: the same in every process. */
export const clock = (): number => Number(process.hrtime.bigint()) / 1e6

/** Runs both in turn, `times` each after one warm-up. → medians, and the median of the ratios pair by pair. */
export async function pairs(times: number, a: () => Promise<number>, b: () => Promise<number>) {
  await a()
  await b()
  const first: number[] = []
  const second: number[] = []
  for (let n = 0; n < times; n++) {
    first.push(await a())
    second.push(await b())
  }
  const ratio = median(first.map((value, n) => value / (second[n] ?? Number.NaN)))
  return { a: median(first), b: median(second), ratio }
}

/** Milliseconds of a whole process. Rejects when it fails. */
export async function processTime(
  command: string,
  args: readonly string[],
  options: SpawnOptions = {},
): Promise<number> {
  const started = performance.now()
  const child = spawn(command, args, { stdio: 'ignore', env: environment(), ...options })
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('exit', resolve)
    child.on('error', reject)
  })
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}`)
  return performance.now() - started
}

export const ms = (value: number): string => `${value.toFixed(value < 10 ? 2 : 1)} ms`

/** A row whose ratio must stay at or under a bound. */
export function ratioRow(
  figure: string,
  against: string,
  result: { a: number; b: number; ratio: number },
  bound: number,
): Row {
  return {
    figure,
    against,
    measured: ms(result.a),
    floor: ms(result.b),
    ratio: result.ratio,
    reach: `≤ ${bound}×`,
    reached: result.ratio <= bound,
  }
}

export function machine(): string {
  const [cpu] = os.cpus()
  return `${cpu?.model.trim() ?? 'unknown processor'}, ${os.cpus().length} cores, ${os.type()} ${os.release()}, Node ${process.version}`
}

/** The table, as Markdown. */
export function table(rows: readonly Row[]): string {
  const head = ['figure', 'measured', 'against', 'floor', 'ratio', 'reach', '']
  const body = rows.map(row => [
    row.figure,
    row.measured,
    row.against,
    row.floor,
    row.ratio === undefined ? '' : `${row.ratio.toFixed(2)}×`,
    row.reach,
    row.reached ? 'yes' : 'NO',
  ])
  const widths = head.map((title, column) =>
    Math.max(...[head, ...body].map(cells => cells[column]?.length ?? 0), title.length),
  )
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, n) => cell.padEnd(widths[n] ?? 0)).join(' | ')} |`
  return [line(head), `|${widths.map(width => '-'.repeat(width + 2)).join('|')}|`, ...body.map(line)].join(
    '\n',
  )
}
