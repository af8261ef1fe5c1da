/** What the scripted model of a test answers: pieces as a real model writes them, gates, and whatever can go wrong. */
import type { ServerResponse } from 'node:http'
import type { LoggedRequest } from '../../../src/demo/log.ts'
import * as demo from '../../../src/demo/reply.ts'
import { type ChatBody, HttpError } from '../../../src/demo/request.ts'
import { settle } from '../../../src/demo/wait.ts'

/** Holds a reply at a point until a test lets it go on. */
export interface Gate {
  /** Resolves when the server has come to the gate. */
  readonly reached: Promise<void>
  readonly opened: Promise<void>
  reach(): void
  open(): void
}

export function gate(): Gate {
  let reach = () => {}
  let open = () => {}
  const reached = new Promise<void>(resolve => (reach = resolve))
  const opened = new Promise<void>(resolve => (open = resolve))
  return { reached, opened, reach: () => reach(), open: () => open() }
}

/**
 * A step of the demo's, or: `hidden`, a token that the server swallows (a tag, a call to a tool it does not know).
 * `atOnce`: a long text of so many tokens that comes in one piece, where its length is what matters.
 * `gate` waits for the test, `hang` for ever. `line` writes bytes as they are, with no newline added. `error` ends the
 * stream with an error line, `cut` by destroying the socket.
 */
export type Step =
  | demo.Step
  | { text: string }
  | { hidden: string }
  | { atOnce: string; tokens: number }
  | { gate: Gate }
  | { hang: true }
  | { line: string | Uint8Array }
  | { error: string }
  | { cut: true }

export interface ReplyShape extends demo.ReplyShape {
  /** Everything in order, instead of thinking, text and calls. */
  steps?: Step[]
  /** Instead of a reply, before the first chunk: a status and the text of its JSON error. */
  failure?: { status: number; error: string }
  /** `no-done`: the stream ends cleanly without its final record. Default `done`. */
  end?: 'done' | 'no-done'
}

/** A text, steps, or everything. */
export type Reply = string | Step[] | ReplyShape

/** `undefined`: it has nothing more to say, which is a violation. */
export type DemoModel = (
  request: ChatBody,
  index: number,
  log: LoggedRequest,
) => Reply | undefined | Promise<Reply | undefined>

/** A model that answers from a list, one reply (or function of the request) each. */
export function script(
  replies: readonly (Reply | ((request: ChatBody, index: number) => Reply | Promise<Reply>))[],
): DemoModel {
  return (request, index) => {
    const reply = replies[index]
    return typeof reply === 'function' ? reply(request, index) : reply
  }
}

/** The model as the demo server wants it; `violate` hears what is wrong with the script. */
export function playing(
  model: DemoModel,
  violate: (log: LoggedRequest, what: string) => void,
): demo.DemoModel {
  return async (request, index, log) => {
    const reply = await Promise.resolve()
      .then(() => model(request, index, log))
      .then(reply => {
        if (reply !== undefined) return reply
        throw new Error('it has no reply for this request')
      })
      .catch((error: unknown) => {
        const message = `the script of the demo model failed: ${error instanceof Error ? error.message : error}`
        violate(log, message)
        throw new HttpError(500, message)
      })
    return plain(reply, request)
  }
}

function plain(reply: Reply, { stream }: ChatBody): demo.Reply {
  if (typeof reply === 'string') return reply
  if (Array.isArray(reply)) return reply.map(step => stepOf(step, stream))
  const { steps, failure, end, ...shape } = reply
  if (failure) throw new HttpError(failure.status, failure.error, { streamed: stream })
  if (steps) return steps.map(step => stepOf(step, stream))
  if (end !== 'no-done') return shape
  const ending = async ({ response }: demo.Live) => {
    lines(response).end()
    return false
  }
  return [...demo.stepsOf(shape), ending]
}

function stepOf(step: Step, stream: boolean): demo.Step {
  if (typeof step !== 'object' || 'thinking' in step || 'call' in step) return step
  if ('text' in step) return step.text
  if ('hidden' in step) {
    return async ({ pace, progress }) => {
      await pace.tokens(1)
      progress.tokens++
      progress.text += step.hidden
      return true
    }
  }
  if ('atOnce' in step) {
    return async ({ progress, response, log }) => {
      log.firstAt ??= performance.now()
      progress.tokens += step.tokens
      progress.text += step.atOnce
      const message = { role: 'assistant', content: step.atOnce }
      lines(response).write(`${JSON.stringify({ message, done: false })}\n`)
      return true
    }
  }
  if ('line' in step) {
    return async ({ response, log }) => {
      log.firstAt ??= performance.now()
      lines(response).write(step.line)
      return true
    }
  }
  if ('error' in step) {
    return async ({ response }) => {
      if (!stream) throw new HttpError(500, step.error)
      lines(response).end(`${JSON.stringify({ error: step.error })}\n`)
      return false
    }
  }
  if ('cut' in step) {
    return async ({ response, log }) => {
      log.cut = true
      response.socket?.destroySoon()
      return false
    }
  }
  const opened = 'gate' in step ? step.gate.opened : new Promise(() => {})
  return async ({ signal }) => {
    if ('gate' in step) step.gate.reach()
    await settle(opened, signal)
    return true
  }
}

/** Headers go out with the first line. */
function lines(response: ServerResponse): ServerResponse {
  return response.headersSent ? response : response.writeHead(200, { 'content-type': 'application/x-ndjson' })
}
