/** The answer to a chat request, streamed line by line or collected into one object. */
import type { ServerResponse } from 'node:http'
import type { SentCall } from './decode.ts'
import { goJson, goTime, now } from './go.ts'

export interface AssistantWire {
  content?: string
  thinking?: string
  tool_calls?: SentCall[]
}

/** Durations in nanoseconds; zeros are left out, as Go's `omitempty` does. */
export interface ReplyMetrics {
  total_duration: number
  load_duration: number
  prompt_eval_count: number
  prompt_eval_duration: number
  eval_count: number
  eval_duration: number
}

export interface ReplySink {
  /** Resolves when the client has room for more. */
  message(message: AssistantWire): void | Promise<void>
  done(reason: string, options?: { metrics: ReplyMetrics; calls: SentCall[] }): void
}

/** Headers go out with the first line: until then load, queue and prefill are silence. */
export function streamingSink(response: ServerResponse, model: string): ReplySink {
  const write = (line: string) => {
    if (!response.headersSent) response.writeHead(200, { 'content-type': 'application/x-ndjson' })
    return response.write(line)
  }
  return {
    async message(message) {
      const room = write(`${goJson(record(model, message))}\n`)
      if (!room) await new Promise<void>(resolve => response.once('drain', resolve).once('close', resolve))
    },
    done(reason, end) {
      write(`${goJson(record(model, { tool_calls: end?.calls ?? [] }, { reason, metrics: end?.metrics }))}\n`)
      response.end()
    },
  }
}

/** `stream: false`, load and unload: one JSON object at the end. */
export function collectingSink(response: ServerResponse, model: string): ReplySink {
  return collecting((all, reason, metrics) =>
    sendJson(response, 200, record(model, all, { reason, metrics })),
  )
}

/** Hands on the whole message at the end. */
export function collecting(
  end: (all: Required<AssistantWire>, reason: string, metrics: ReplyMetrics | undefined) => void,
): ReplySink {
  const all = { content: '', thinking: '', tool_calls: [] as SentCall[] }
  return {
    message(message) {
      all.content += message.content ?? ''
      all.thinking += message.thinking ?? ''
      all.tool_calls.push(...(message.tool_calls ?? []))
    },
    done(reason, last) {
      all.tool_calls.push(...(last?.calls ?? []))
      end(all, reason, last?.metrics)
    },
  }
}

/** One JSON answer as gin sends it. */
export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  { charset = true } = {},
): void {
  const text = goJson(body)
  response.writeHead(status, {
    'content-type': charset ? 'application/json; charset=utf-8' : 'application/json',
    'content-length': Buffer.byteLength(text),
  })
  response.end(text)
}

function record(
  model: string,
  { content = '', thinking, tool_calls }: AssistantWire,
  end?: { reason: string; metrics: ReplyMetrics | undefined },
): object {
  return {
    model,
    created_at: goTime(now()),
    message: {
      role: 'assistant',
      content,
      ...(thinking ? { thinking } : {}),
      ...(tool_calls?.length ? { tool_calls } : {}),
    },
    done: end !== undefined,
    ...(end && { done_reason: end.reason }),
    ...(end?.metrics && Object.fromEntries(Object.entries(end.metrics).filter(([, value]) => value !== 0))),
  }
}
