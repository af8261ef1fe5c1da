/**
 * `-p --input-format stream-json`: another program steers the session by JSON lines on standard input:
 * `{"type":"prompt","text":…}`, `steer`, `follow_up` (with `text`), `abort`. It ends with the input and the last run.
 */
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { UsageError } from '../protocol/errors.ts'
import { neverRun } from '../session/result.ts'
import type { RunResult, Session } from '../session/session.ts'
import { parseRecord } from '../text/record.ts'

const TYPES = ['prompt', 'steer', 'follow_up', 'abort']

interface SteeredOptions {
  input: Readable
  /** A prompt from the command line. */
  first: string
  /** Runs a prompt and prints what comes of it. */
  run(prompt: string, typed: string): Promise<RunResult>
}

/** → the last run's result. Rejects with `UsageError` for a line that is none of these; what runs is aborted first. */
export async function steered(session: Session, { input, first, run }: SteeredOptions): Promise<RunResult> {
  let last: Promise<RunResult> = Promise.resolve({ ...neverRun, reason: 'done' })
  /** Prompts wait for each other. */
  const prompt = (text: string) => {
    last = last.then(() => run(text, ''))
    last.catch(() => {})
  }
  if (first.trim() !== '') prompt(first)
  const said = new Set<Promise<unknown>>()
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() === '') continue
    const { type, text } = parseRecord(line) ?? {}
    if (type === 'abort') session.abort()
    else if (typeof text !== 'string' || !TYPES.includes(String(type))) {
      session.abort()
      throw new UsageError(
        `standard input: expected lines such as {"type":"prompt","text":"…"} (${TYPES.join(', ')}); came ${line.slice(0, 80)}`,
      )
    } else if (type === 'prompt' || !session.isStreaming) prompt(text)
    else said.add(type === 'steer' ? session.steer(text) : session.followUp(text))
  }
  await Promise.all(said)
  return last
}
