/** What a person feels of the screen: the first frame, what a streamed reply costs, how soon a key is seen. */
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
// @ts-expect-error: a script without types
import { bundle } from '../test/support/bundle.mjs'
import { environment, gopi, median, ms, pairs, quantile, type Row, ratioRow, root } from './measure.ts'
import type { StreamFigures, StreamOptions } from './screen/stream.ts'
import { openScreen, type Screen } from './screen/terminal.ts'
import { serve } from './served.ts'

const timesEach = 15
/** Lines of history. */
const histories = [1_000, 10_000, 100_000]
/** Of the empty prompt: the last that a whole first frame has. */
const prompt = /Say what you want/

export async function screenRows(): Promise<Row[]> {
  const directory = realpathSync(mkdtempSync(path.join(tmpdir(), 'gopi-bench-')))
  const server = await serve({ script: 'answer', decode: 200 })
  const settings = { HOME: directory, GOPI_HOME: path.join(directory, 'home'), OLLAMA_HOST: server.host }
  const env = environment({ ...settings, GOPI_MODEL: 'bench', TERM: 'xterm-256color', LANG: 'en_US.UTF-8' })
  const place = { cwd: directory, env }
  try {
    return [...(await startRows(place)), ...(await answerRows(place)), ...(await streamRows(place))]
  } finally {
    server.close()
    rmSync(directory, { recursive: true, force: true })
  }
}

interface Place {
  cwd: string
  env: NodeJS.ProcessEnv
}

async function startRows(place: Place): Promise<Row[]> {
  // Leaves the compiled code behind, as every start but a person's first one finds it.
  const first = openScreen({ args: [gopi], ...place })
  await first.shows(prompt)
  await sleep(2_500)
  first.kill()
  const bare = async () => {
    const from = performance.now()
    await openScreen({ args: ['-e', '0'], ...place }).ended
    return performance.now() - from
  }
  const until = (what: RegExp) => async () => {
    const from = performance.now()
    const screen = openScreen({ args: [gopi], ...place })
    const at = await screen.shows(what)
    screen.kill()
    await screen.ended
    return at - from
  }
  const paint = await pairs(timesEach, until(/./), bare)
  const whole = await pairs(timesEach, until(prompt), bare)
  return [
    {
      figure: 'gopi: spawn → first paint',
      against: 'node -e 0 on the same kind of terminal, to its end',
      measured: ms(paint.a),
      floor: ms(paint.b),
      ratio: paint.ratio,
      reach: '≤ + 5 ms',
      reached: paint.a <= paint.b + 5,
    },
    ratioRow(
      'gopi: spawn → first whole frame',
      'node -e 0 on the same kind of terminal, to its end',
      whole,
      1.5,
    ),
  ]
}

/** The built program and one answer of 2,000 characters; then what it does when nothing happens. */
async function answerRows(place: Place): Promise<Row[]> {
  const screen = openScreen({ args: [gopi], ...place })
  try {
    await screen.shows(/bench native/)
    await sleep(1_000)
    const before = screen.bytes
    const done = screen.shows(/tok(en)?s?\/s/)
    screen.write('x\r')
    await done
    await sleep(300)
    const bytes = screen.bytes - before
    // What is looked up after a run is over by then, and what was learned is written.
    await sleep(13_000)
    const from = wakeUps(screen.pid)
    await sleep(5_000)
    const woken = wakeUps(screen.pid) - from
    return [
      {
        figure: 'bytes to the terminal for an answer of 2,000 characters, 200 tokens/s, from Enter on',
        against: 'the characters',
        measured: `${bytes} bytes`,
        floor: '2000 bytes',
        ratio: bytes / 2_000,
        reach: '≤ 4000 bytes',
        reached: bytes <= 4_000,
      },
      {
        figure: 'idle: times that the main thread woke up in 5 s',
        against: '–',
        measured: String(woken),
        floor: '–',
        reach: '0',
        reached: woken === 0,
      },
    ]
  } finally {
    screen.kill()
  }
}

/** How often the main thread of a process has waited for something. Linux only; elsewhere NaN. */
function wakeUps(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(status)?.[1])
  } catch {
    return Number.NaN
  }
}

async function streamRows(place: Place): Promise<Row[]> {
  const found: { history: number; figures: StreamFigures; echo: number[]; paste: number[] }[] = []
  // As it is delivered, bundled: the loader of the sources has a thread of its own, and what that does would be counted.
  const { directory, files } = await bundle(root, ['bench/screen/stream.ts'])
  const program: string = files[0]
  for (const history of histories) found.push({ history, ...(await stream({ history, program }, place)) })
  const { figures: beside } = await stream({ history: histories[0] ?? 0, program, hasSide: true }, place)
  rmSync(directory, { recursive: true, force: true })
  const cpu = found.map(({ figures }) => figures.cpuPerDelta)
  const flat = (cpu.at(-1) ?? Number.NaN) / (cpu[0] ?? Number.NaN)
  const rows = found.map(
    ({ history, figures: { cpuPerDelta } }): Row => ({
      figure: `processor time of a delta, 200 a second, after ${history} lines`,
      against: history === histories[0] ? '–' : `after ${histories[0]} lines`,
      measured: ms(cpuPerDelta),
      floor: history === histories[0] ? '–' : ms(cpu[0] ?? Number.NaN),
      ...(history !== histories[0] && { ratio: cpuPerDelta / (cpu[0] ?? Number.NaN) }),
      reach: '≤ 0.4 ms, ≤ 1.3×',
      reached: cpuPerDelta <= 0.4 && (history !== histories.at(-1) || flat <= 1.3),
    }),
  )
  const most = found.at(-1)
  if (!most) return rows
  const { figures, echo, paste } = most
  const row = (figure: string, value: string, reach: string, reached: boolean): Row => ({
    ...{ figure, against: '–', measured: value, floor: '–', reach, reached },
  })
  const bare = await bareEchoes(place)
  const megabytes = figures.historyBytes / 1e6
  return [
    ...rows,
    row(
      'bytes of a 5-character delta',
      `${figures.bytesPerDelta.toFixed(1)} bytes`,
      '≤ 40',
      figures.bytesPerDelta <= 40,
    ),
    row(
      'bytes of a 5-character delta, with a column at the side',
      `${beside.bytesPerDelta.toFixed(1)} bytes`,
      '≤ 40',
      beside.bytesPerDelta <= 40,
    ),
    row(
      'processor time of a delta, with a column at the side',
      ms(beside.cpuPerDelta),
      '≤ 0.4 ms',
      beside.cpuPerDelta <= 0.4,
    ),
    {
      ...row(
        'key → echo under that load, 100,000 lines, median',
        ms(median(echo)),
        '≤ 1 ms',
        median(echo) <= 1,
      ),
      against: 'a bare node that writes what it reads',
      floor: ms(median(bare)),
    },
    row(
      'key → echo under that load, 100,000 lines, p99',
      ms(quantile(echo, 0.99)),
      '≤ 8 ms',
      quantile(echo, 0.99) <= 8,
    ),
    row(
      'first token → write at the terminal, median',
      ms(median(figures.firstToken)),
      '≤ 2 ms',
      median(figures.firstToken) <= 2,
    ),
    // What comes within 50 ms of the end of a paste belongs to it: a text that holds the mark of its end types nothing.
    row('paste of 10,000 characters → shown, median', ms(median(paste)), '≤ 50 + 15 ms', median(paste) <= 65),
    row(
      '100,000 lines of history: resident memory',
      `${megabytes.toFixed(1)} MB`,
      '≤ + 35 MB',
      megabytes <= 35,
    ),
  ]
}

/** `hasSide`: on a terminal that is wide enough for a column at the side. */
async function stream(
  { history, program, hasSide = false }: { history: number; program: string; hasSide?: boolean },
  { cwd: directory, env }: Place,
) {
  const report = path.join(directory, `stream-${history}-${hasSide}.json`)
  const options: StreamOptions = { history, hasSide, rate: 200, deltas: 2_000, report }
  const args = ['--expose-gc', program, JSON.stringify(options)]
  const screen = openScreen({ args, cwd: root, env, ...(hasSide && { columns: 160 }) })
  try {
    await screen.shows(prompt)
    // History, Markdown, the first tokens and the idle second are over by then.
    await sleep(6_500)
    const echo = await echoes(screen)
    const paste = await pastes(screen)
    const figures = await readWhenThere(report)
    return { figures, echo, paste }
  } finally {
    screen.kill()
  }
}

/** Letters that stand nowhere else on the screen, each once. */
async function echoes(screen: Screen): Promise<number[]> {
  const times: number[] = []
  for (let n = 0; n < 100; n++) {
    const letter = String.fromCodePoint(0x0410 + (n % 32))
    const seen = screen.shows(new RegExp(letter))
    const from = performance.now()
    screen.write(letter)
    times.push((await seen) - from)
    await sleep(23)
  }
  return times
}

/** What the terminal, this process and Node take by themselves. */
async function bareEchoes(place: Place): Promise<number[]> {
  const program = `
    process.stdin.setRawMode(true)
    process.stdout.write('ready')
    process.stdin.on('data', piece => process.stdout.write(piece))`
  const screen = openScreen({ args: ['-e', program], ...place })
  try {
    await screen.shows(/ready/)
    return await echoes(screen)
  } finally {
    screen.kill()
  }
}

async function pastes(screen: Screen): Promise<number[]> {
  const times: number[] = []
  for (let n = 0; n < 10; n++) {
    const seen = screen.shows(/pasted/)
    const from = performance.now()
    screen.write(`\x1b[200~${'pasted text in '.repeat(667)}\x1b[201~`)
    times.push((await seen) - from)
    screen.write('\x15')
    await sleep(100)
  }
  return times
}

async function readWhenThere(file: string): Promise<StreamFigures> {
  for (;;) {
    try {
      return JSON.parse(readFileSync(file, 'utf8')) as StreamFigures
    } catch {
      await sleep(100)
    }
  }
}
