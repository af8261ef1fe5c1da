/**
 * `gopi -p`: one run, then exit. Standard output carries data only (the answer, one JSON object, or one event per line);
 * everything else goes to standard error.
 */
import type { Writable } from 'node:stream'
import type { SessionEvent } from '../protocol/events.ts'
import type { StopReason } from '../protocol/messages.ts'
import { whenDrained } from '../session/drained.ts'
import type { RunResult, Session, TypedOptions } from '../session/session.ts'
import { createSanitizer, escapeJson, sanitize } from '../text/sanitize.ts'
import { toolLine } from '../text/tool-line.ts'
import type { Words } from '../words/words.ts'

export type OutputFormat = 'text' | 'json' | 'stream-json'

export interface Output {
  stdout: Writable & { isTTY?: boolean }
  stderr: Writable & { isTTY?: boolean }
}

export interface PrintOptions extends Output {
  format: OutputFormat
  words: Words
  /** The answer alone goes to standard output: it must have a form. Default false. */
  formed?: boolean
}

export interface RunOptions extends TypedOptions {
  /** What is done in place of a run with the prompt. */
  work?: Promise<RunResult> | undefined
}

/** Prints from now on what happens in the session, in the format. → how to run the prompt. */
export function printer(session: Session, output: PrintOptions) {
  const { format, stdout } = output
  const show = format === 'stream-json' ? jsonLines(stdout) : forPeople(session, output)
  session.subscribe(show, whenDrained(stdout))
  return (prompt: string, options: RunOptions = {}) => runPrompt(session, { prompt, ...options }, output)
}

/** → the run's result; the exit code is the caller's. */
async function runPrompt(
  session: Session,
  { prompt, typed, work }: RunOptions & { prompt: string },
  { format, stdout }: Pick<Output, 'stdout'> & { format: OutputFormat },
): Promise<RunResult> {
  const started = performance.now()
  const result = await (work ?? session.prompt(prompt, { typed }))
  if (format === 'json') {
    const { text, reason, turns, usage, cost, error } = result
    const duration_ms = Math.round(performance.now() - started)
    const object = {
      type: 'result',
      text,
      session_id: session.id,
      model: session.model ?? null,
      turns,
      reason,
      usage,
      ...(cost !== undefined && { cost }),
    }
    stdout.write(`${escapeJson(JSON.stringify({ ...object, duration_ms, ...(error && { error }) }))}\n`)
  } else if (format === 'text' && (work ? result.text !== '' : !stdout.isTTY) && endedByItself(result)) {
    stdout.write(`${result.text.trim()}\n`)
  }
  return result
}

const wholeEnds: ReadonlySet<StopReason> = new Set(['stop', 'length'])

const endedByItself = ({ reason }: RunResult): boolean => reason === 'done' || reason === 'permission'

const jsonLines =
  (stdout: Writable) =>
  (event: SessionEvent): void => {
    stdout.write(`${escapeJson(JSON.stringify(event))}\n`)
  }

/**
 * Text for people. On a terminal every reply streams to stdout. Elsewhere stdout waits for the last reply; those that
 * go on to a call, broke off, or could not be read are told to stderr.
 */
function forPeople(session: Session, { stdout, stderr, format, words, formed = false }: PrintOptions) {
  const streams = format === 'text' && stdout.isTTY === true && !formed
  // For people, wherever it ends up: `2>&1 | tee log` brings it to a terminal too.
  const tell = (text: string) => {
    // What is told while a line is written begins on one of its own, where both stand on one screen.
    stderr.write(`${isOpen && stderr.isTTY ? '\n' : ''}${sanitize(text)}\n`)
    isOpen = false
  }
  let reply = ''
  /** What streams has not come to the end of its line. */
  let isOpen = false
  /** A whole reply without a call: the answer, unless the model is told that it could not be read. */
  let answer = ''
  let cleaner = createSanitizer()
  /** The message of which something has come. */
  let streamed: string | undefined

  return (event: SessionEvent): void => {
    switch (event.type) {
      case 'message_start':
        // What the terminal has cannot be taken back.
        if (streams && event.id === streamed) stdout.write(`${cleaner.finish()}\n${words.plain.wasThought}\n`)
        reply = ''
        cleaner = createSanitizer()
        break
      case 'message_delta':
        reply += event.text
        streamed = event.message_id
        if (streams) stdout.write(cleaner.push(event.text))
        isOpen = streams && !event.text.endsWith('\n')
        break
      case 'message':
        isOpen = false
        if (event.role === 'tool') {
          const call = findCall(session, event.tool_call_id)
          tell(toolLine({ name: event.tool_name, arguments: call, ...event }, words))
        } else if (event.role === 'assistant') {
          if (streams) stdout.write(`${cleaner.finish()}${reply.endsWith('\n') || reply === '' ? '' : '\n'}`)
          else if (!event.tool_calls && wholeEnds.has(event.stop_reason)) answer = reply.trim()
          else if (reply.trim() !== '') tell(reply.trim())
        } else if (event.shown === '') {
          if (answer !== '') tell(answer)
          answer = ''
          tell(words.notices.toTheModel(event.content))
        }
        break
      case 'compaction':
        tell(words.cells.compacted(event.token_before, event.token_after, event.waited_ms ?? 0))
        break
      case 'notice':
      case 'error':
        tell(`gopi: ${words.say(event)}`)
        break
    }
  }
}

function findCall(session: Session, id: string): Record<string, unknown> {
  for (const message of session.messages.toReversed()) {
    const call = message.role === 'assistant' && message.tool_calls?.find(candidate => candidate.id === id)
    if (call) return call.arguments
  }
  return {}
}

/** 130 interrupted · 3 no server or no such model · 1 error · 4 limit · 5 denied because nobody could be asked · 0 done. */
export function exitCode({
  reason,
  error,
  unmended,
}: Pick<RunResult, 'reason' | 'error' | 'unmended'>): number {
  switch (reason) {
    case 'aborted':
      return 130
    case 'error':
      return error?.code === 'no_server' || error?.code === 'no_model' ? 3 : 1
    case 'limit':
      return 4
    case 'permission':
      return 5
    case 'done':
      return unmended === undefined ? 0 : 6
  }
}
