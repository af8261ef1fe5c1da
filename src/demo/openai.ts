/** The same server in the words of chat completions, as Ollama's own `/v1` and llama.cpp's server speak them. */
import type { ServerResponse } from 'node:http'
import { messageOf } from '../text/message-of.ts'
import { fieldsOf } from '../text/record.ts'
import { chatWith } from './chat.ts'
import type { DemoRoom, Exchange } from './exchange.ts'
import { goJson } from './go.ts'
import { toMessages } from './openai-messages.ts'
import { type ChatBody, HttpError, parseChat, parseJson } from './request.ts'
import { type AssistantWire, collecting, type ReplyMetrics, type ReplySink, sendJson } from './stream.ts'

export function listModels(room: DemoRoom, { response }: Exchange): void {
  const data = room.models.list().map(({ short, installed }) => ({
    ...{ id: short, object: 'model', created: Math.floor(installed / 1000), owned_by: 'library' },
  }))
  sendJson(response, 200, { object: 'list', data })
}

/** Errors have a form of their own there. */
export async function answerCompletion(room: DemoRoom, exchange: Exchange): Promise<void> {
  const { response, log } = exchange
  try {
    const body = parseJson(log.text)
    const chat = toChat(body)
    const withUsage = !chat.stream || fieldsOf(body.stream_options).include_usage === true
    await chatWith(room, exchange, chat, sinkFor(exchange, chat, withUsage))
  } catch (error) {
    if (response.headersSent || response.destroyed) return void response.destroy()
    const status = error instanceof HttpError ? error.status : 500
    const type = status === 404 ? 'not_found_error' : status < 500 ? 'invalid_request_error' : 'api_error'
    sendJson(response, status, { error: { message: messageOf(error), type, param: null, code: null } })
  }
}

/** The request as the other endpoint has it; an effort that is not named leaves thinking to the model. */
function toChat(body: Record<string, unknown>): ChatBody {
  const { model, messages, stream, tools, reasoning_effort, max_tokens, stop } = body
  const { json_schema, schema } = fieldsOf(body.response_format)
  const format = fieldsOf(json_schema).schema ?? schema
  return parseChat({
    ...{ model, stream: stream === true, tools, format },
    messages: Array.isArray(messages) ? toMessages(messages as unknown[]) : [],
    ...(reasoning_effort !== undefined && { think: reasoning_effort !== 'none' }),
    truncate: false,
    options: {
      ...(max_tokens !== undefined && { num_predict: max_tokens }),
      ...(stop !== undefined && { stop }),
    },
  })
}

function sinkFor({ response, log }: Exchange, { model, stream }: ChatBody, withUsage: boolean): ReplySink {
  const head = (object: string) => ({
    ...{
      id: 'chatcmpl-1',
      object,
      created: Math.floor(Date.now() / 1000),
      model,
      system_fingerprint: 'fp_ollama',
    },
  })
  /** Ollama does not tell what was cached; engines that were made for many do. */
  const usage = ({ prompt_eval_count: prompt_tokens, eval_count: completion_tokens }: ReplyMetrics) => ({
    ...{ prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens },
    prompt_tokens_details: { cached_tokens: log.cached ?? 0 },
  })
  const reasonOf = (reason: string, calls: number) =>
    reason === 'stop' && calls > 0 ? 'tool_calls' : reason === 'length' ? 'length' : 'stop'
  return stream
    ? streaming(response, { head: head('chat.completion.chunk'), reasonOf, usage, withUsage })
    : collecting((all, reason, metrics) => {
        const message = { role: 'assistant', ...deltaOf(all) }
        const choices = [{ index: 0, message, finish_reason: reasonOf(reason, all.tool_calls.length) }]
        const counted = metrics && { usage: usage(metrics) }
        sendJson(response, 200, { ...head('chat.completion'), choices, ...counted })
      })
}

interface Words {
  head: object
  reasonOf(reason: string, calls: number): string
  usage(metrics: ReplyMetrics): object
  withUsage: boolean
}

function streaming(response: ServerResponse, { head, reasonOf, usage, withUsage }: Words): ReplySink {
  let calls = 0
  const write = (value: object | string): boolean => {
    if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' })
    return response.write(`data: ${typeof value === 'string' ? value : goJson(value)}\n\n`)
  }
  const choice = (delta: object, finish_reason: string | null = null) =>
    write({ ...head, choices: [{ index: 0, delta: { role: 'assistant', ...delta }, finish_reason }] })
  return {
    async message(message) {
      const delta = deltaOf(message)
      calls += message.tool_calls?.length ?? 0
      if (!choice(delta))
        await new Promise<void>(resolve => response.once('drain', resolve).once('close', resolve))
    },
    done(reason, end) {
      if (end?.calls.length) choice(deltaOf({ tool_calls: end.calls }))
      choice({ content: '' }, reasonOf(reason, calls + (end?.calls.length ?? 0)))
      if (end && withUsage) write({ ...head, choices: [], usage: usage(end.metrics) })
      write('[DONE]')
      response.end()
    },
  }
}

function deltaOf({ content = '', thinking, tool_calls }: AssistantWire): object {
  return {
    content,
    ...(thinking && { reasoning: thinking }),
    ...(tool_calls?.length && {
      tool_calls: tool_calls.map(({ id, function: { index, name, arguments: given } }) => ({
        ...{ id, index, type: 'function', function: { name, arguments: JSON.stringify(given) } },
      })),
    }),
  }
}
