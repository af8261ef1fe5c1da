/**
 * The screen with a long history and a reply that streams in, on the terminal that it is started on: the app and the
 * talk as they are, under them a session that only speaks. Its figures go into the file that is named; what comes from
 * the keyboard is echoed as always.
 */
import { writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import type { SessionEvent } from '../../src/protocol/events.ts'
import type { Session } from '../../src/session/session.ts'
import { App } from '../../src/tui/app.ts'
import type { Cell } from '../../src/tui/cells/cell.ts'
import { createKeymap } from '../../src/tui/keymap.ts'
import { blocksOf } from '../../src/tui/markdown/blocks.ts'
import type { Side } from '../../src/tui/side/side.ts'
import { Talk } from '../../src/tui/talk.ts'
import { EN } from '../../src/words/en.ts'

export interface StreamOptions {
  /** Lines of conversation above. */
  history: number
  /** Deltas a second, and how many in all. */
  rate: number
  deltas: number
  /** With a column at the side, where the terminal is wide enough. */
  hasSide: boolean
  /** The file for the figures. */
  report: string
}

export interface StreamFigures {
  /** Milliseconds of processor time for a delta, without what the timer takes that sends it. */
  cpuPerDelta: number
  bytesPerDelta: number
  /** Milliseconds from the first token to the write at the terminal, for each of some replies. */
  firstToken: number[]
  /** Bytes that the history added to the resident memory. */
  historyBytes: number
}

// As the screen does when it has come to rest.
setFlagsFromString('--optimize-for-size')
const options = JSON.parse(process.argv[2] ?? '{}') as StreamOptions
const output = process.stdout
let bytes = 0
let wrote: (() => void) | undefined
const write = output.write.bind(output)
output.write = ((text: string, done?: () => void) => {
  bytes += Buffer.byteLength(text)
  wrote?.()
  return write(text, done)
}) as typeof output.write

const app = new App({
  input: process.stdin,
  output,
  env: process.env,
  words: EN,
  keymap: createKeymap().keymap,
  theme: 'dark',
  mouse: false,
  directory: '~/project',
  skeleton: undefined,
  onGone() {},
  resumeCommand: () => undefined,
  alongside: () => [],
})
const session = speaker()
new Talk(app, session as unknown as Session, {
  others() {},
  branch: () => 'main',
  before: async () => undefined,
  modelState: async () => undefined,
  sources: [],
  place: { home: '', cwd: '', trusted: true, instructions: [], config: async () => '' },
})

const SIDE: Side = {
  files: Array.from({ length: 8 }, (_, n) => ({
    ...{ path: `src/rooms/file-${n}.ts`, added: n, removed: 2 * n, diffs: n % 2 === 0 ? ['+1 a'] : [] },
  })),
  todo: ['☑ read it', '◐ change it', '☐ try it'],
  parts: [
    ['system text', 180],
    ['tools', 450],
    ['prompts', 2000],
  ],
  running: [],
  servers: [],
}
const before = memory()
fill(options.history)
const historyBytes = memory() - before
app.useMarkdown()
if (options.hasSide) app.change(state => ({ ...state, wantsSide: true, side: SIDE }))
await sleep(1_000)

const firstToken: number[] = []
for (let n = 0; n < 20; n++) firstToken.push(await firstTokenTime(`r${n}`))

const idle = await processorTime(() => ticks(options.rate, options.rate, () => {}))
const started = bytes
const busy = await processorTime(() =>
  ticks(options.deltas, options.rate, n => session.say('long', piece(n))),
)
const figures: StreamFigures = {
  cpuPerDelta: busy / options.deltas - idle / options.rate,
  bytesPerDelta: (bytes - started) / options.deltas,
  firstToken,
  historyBytes,
}
writeFileSync(options.report, JSON.stringify(figures))

/** A session of which the talk needs little. */
function speaker() {
  let listener: (event: SessionEvent) => void = () => {}
  return {
    mode: 'ask',
    isStreaming: true,
    messages: [],
    subscribe(heard: typeof listener) {
      listener = heard
      return () => {}
    },
    takeUnsent: () => [],
    draft() {},
    tell: (event: SessionEvent) => listener(event),
    say(id: string, text: string) {
      listener({ type: 'message_delta', message_id: id, text })
    },
  }
}

/** Five characters at a time: words, with a paragraph now and then. */
function piece(n: number): string {
  return n % 200 === 199 ? ' end.\n\n' : n % 3 === 0 ? ' word' : 'ing a'
}

function fill(lines: number): void {
  const cells: Cell[] = []
  for (let line = 0; line < lines; line += 10) {
    const text = Array.from(
      { length: 4 },
      (_, n) => `Line ${line + n} of what was said before, with some *words* in it.`,
    )
    cells.push({ type: 'user', text: `Prompt ${line}` })
    for (const { block, joined } of blocksOf(text.join('\n\n'))) cells.push({ type: 'reply', block, joined })
  }
  app.settle(cells)
}

/** Milliseconds until the first token of a reply is written. */
async function firstTokenTime(id: string): Promise<number> {
  await sleep(100)
  const at = performance.now()
  const written = new Promise<number>(resolve => {
    wrote = () => resolve(performance.now() - at)
  })
  session.tell({ type: 'message_start', id, role: 'assistant' })
  session.say(id, 'Hello')
  const time = await written
  wrote = undefined
  session.say(id, ' there.\n\n')
  return time
}

/** Calls `each` so many times at a rate, as evenly as timers can. */
function ticks(count: number, rate: number, each: (n: number) => void): Promise<void> {
  const start = performance.now()
  let sent = 0
  return new Promise(resolve => {
    const timer = setInterval(() => {
      const due = Math.min(count, Math.floor(((performance.now() - start) / 1000) * rate))
      while (sent < due) each(sent++)
      if (sent < count) return
      clearInterval(timer)
      resolve()
    }, 1000 / rate)
  })
}

/** Milliseconds. */
async function processorTime(run: () => Promise<void>): Promise<number> {
  const from = process.cpuUsage()
  await run()
  const { user, system } = process.cpuUsage(from)
  return (user + system) / 1000
}

function memory(): number {
  for (let n = 0; n < 3; n++) globalThis.gc?.()
  return process.memoryUsage.rss()
}
