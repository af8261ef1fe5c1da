/** A raw server, and a client of chat completions for it. */
import type { TestContext } from 'node:test'
import type { Backend } from '../../../src/backends/backend.ts'
import { createOpenAi, type OpenAiOptions } from '../../../src/backends/openai/openai.ts'
import { type Handler, type RawServer, startRaw } from '../raw-server.ts'

/** The server is closed when the test ends. */
export async function pair(
  t: TestContext,
  handler: Handler,
  options: Partial<OpenAiOptions> = {},
): Promise<{ server: RawServer; model: Backend }> {
  const server = await startRaw(handler)
  t.after(() => server.close())
  const model = createOpenAi({
    name: 'lab',
    base_url: `${server.host}/v1`,
    timeout: 10_000,
    retry: { refused: [], busy: [] },
    ...options,
  })
  return { server, model }
}

export const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\n'

/** An event of the stream. */
export const event = (value: unknown): string =>
  `data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`

export const delta = (fields: object, finish_reason: string | null = null, more: object = {}): string =>
  event({
    id: 'c',
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta: fields, finish_reason }],
    ...more,
  })

export const said = (content: string): string => delta({ content })
export const STOP = delta({}, 'stop')
export const USAGE = event({
  choices: [],
  usage: { prompt_tokens: 7, completion_tokens: 2, total_tokens: 9 },
})
export const LAST = event('[DONE]')
export const DONE = STOP + USAGE + LAST

/** A whole streamed answer, whose connection is closed at its end. */
export const whole = (...events: string[]): string => `${HEAD}Connection: close\r\n\r\n${events.join('')}`
