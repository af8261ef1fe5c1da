/**
 * gopi beside other assistants: each runs one prompt without a person, at the same scripted server, in a home of its own.
 * They are installed into a directory that is gone afterwards; what cannot be installed or run is left out, and why.
 */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Tiktoken } from 'js-tiktoken/lite'
import cl100k from 'js-tiktoken/ranks/cl100k_base'
import { median, ms, type Row, ratioRow } from './measure.ts'
import { openedIn, type Play, play } from './peers/play.ts'
import { codex, gopiItself, type Program, pi } from './peers/programs.ts'
import { openStage, type Stage } from './peers/stage.ts'

/** Runs of each: of one that is answered at once, and of one with this many tool calls. */
const starts = 9
const loops = 3
const calls = 12
/** Of the time to its first frame. */
const frameBound = 0.3

export async function peerRows(): Promise<Row[]> {
  const directory = realpathSync(mkdtempSync(path.join(tmpdir(), 'gopi-peers-')))
  const stage = await openStage()
  try {
    const rows: Row[] = []
    for (const peer of [pi, codex]) {
      try {
        rows.push(...(await compare(gopiItself(directory), peer(directory), stage)))
      } catch (error) {
        rows.push(leftOut(peer.name, error))
      }
    }
    return rows
  } finally {
    stage.close()
    rmSync(directory, { recursive: true, force: true })
  }
}

async function compare(ours: Program, theirs: Program, stage: Stage): Promise<Row[]> {
  const run = (program: Program, calls: number) => play(program, stage, calls)
  const first = { ours: await run(ours, 0), theirs: await run(theirs, 0) }
  const waits = { ours: [] as number[], theirs: [] as number[] }
  for (let n = 0; n < starts; n++) {
    waits.ours.push((await run(ours, 0)).toFirstRequest)
    waits.theirs.push((await run(theirs, 0)).toFirstRequest)
  }
  const gaps = { ours: [] as number[], theirs: [] as number[] }
  for (let n = 0; n < loops; n++) {
    gaps.ours.push(...(await run(ours, calls)).gaps)
    gaps.theirs.push(...(await run(theirs, calls)).gaps)
  }
  const start = { figure: 'gopi -p: spawn → first chat request', ...medians(waits) }
  const frames = await firstFrames(ours, theirs, stage)
  return [
    theirs.bound === undefined
      ? sideBySide(start.figure, theirs, start)
      : ratioRow(start.figure, theirs.name, start, theirs.bound),
    promptRow(theirs, first),
    ...(frames ? [ratioRow('gopi: spawn → first whole frame', theirs.name, frames, frameBound)] : []),
    sideBySide('gopi -p: tool-call reply → next request, echo hi', theirs, medians(gaps)),
  ]
}

/** undefined: it has no screen, or nobody knows how to open it. */
async function firstFrames(ours: Program, theirs: Program, stage: Stage) {
  if (!theirs.screen) return undefined
  const frames = { ours: [] as number[], theirs: [] as number[] }
  for (let n = 0; n <= starts; n++) {
    frames.ours.push(await openedIn(ours, stage))
    frames.theirs.push(await openedIn(theirs, stage))
  }
  // The first start of each leaves behind what the next ones find.
  return medians({ ours: frames.ours.slice(1), theirs: frames.theirs.slice(1) })
}

function medians({ ours, theirs }: { ours: number[]; theirs: number[] }) {
  const [a, b] = [median(ours), median(theirs)]
  return { a, b, ratio: a / b }
}

function sideBySide(figure: string, { name }: Program, { a, b, ratio }: ReturnType<typeof medians>): Row {
  return {
    figure,
    against: name,
    measured: ms(a),
    floor: ms(b),
    ratio,
    reach: '< 1×',
    reached: ratio < 1,
  }
}

function promptRow({ name }: Program, first: { ours: Play; theirs: Play }): Row {
  const encoding = new Tiktoken(cl100k)
  const [a, b] = [first.ours, first.theirs].map(({ prompt }) => encoding.encode(prompt, [], []).length)
  const ratio = (a ?? Number.NaN) / (b ?? Number.NaN)
  return {
    figure: 'prompt of the first request, cl100k',
    against: name,
    measured: `${a} tokens`,
    floor: `${b} tokens`,
    ratio,
    reach: '< 1×',
    reached: ratio < 1,
  }
}

export function leftOut(name: string, error: unknown): Row {
  const [why] = (error instanceof Error ? error.message : String(error)).split('\n')
  return {
    figure: `${name} was left out`,
    against: why ?? '',
    measured: '–',
    floor: '–',
    reach: '–',
    reached: true,
  }
}
