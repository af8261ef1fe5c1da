/** Asking a `Backend` as the loop does, and what came of it. */
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { Backend, ChatRequest, ModelEvent } from '../../src/backends/backend.ts'
import { createOllama, type OllamaOptions } from '../../src/backends/ollama/ollama.ts'
import { RunError } from '../../src/protocol/errors.ts'
import { type Handler, type RawServer, startRaw } from './raw-server.ts'

export const REQUEST: ChatRequest = {
  model: 'm',
  messages: [{ role: 'user', content: 'hi' }],
  think: false,
  context: 4096,
  keep_alive: '30m',
}

export interface Outcome {
  events: ModelEvent[]
  /** The pieces of text, joined. */
  text: string
  error: unknown
}

/** Runs one request to its end. */
export async function ask(
  model: Backend,
  request = REQUEST,
  signal = new AbortController().signal,
): Promise<Outcome> {
  const events: ModelEvent[] = []
  let error: unknown
  try {
    for await (const event of model.chat(request, { signal })) events.push(event)
  } catch (thrown) {
    error = thrown
  }
  const text = events.map(event => (event.type === 'text' ? event.text : '')).join('')
  return { events, text, error }
}

/** A raw server and a client for it; the server is closed when the test ends. */
export async function pair(
  t: TestContext,
  handler: Handler,
  options: Partial<OllamaOptions> = {},
): Promise<{ server: RawServer; model: Required<Omit<Backend, 'places'>> }> {
  const server = await startRaw(handler)
  t.after(() => server.close())
  const model = createOllama({
    host: server.host,
    timeout: 10_000,
    retry: { refused: [], busy: [] },
    ...options,
  })
  return { server, model }
}

/** A failure as people see it: a `RunError` that is one sentence on one line and ends in a full stop. */
export function assertSentence(error: unknown): asserts error is RunError {
  assert.ok(error instanceof RunError, `expected a RunError, got ${String(error)}`)
  assert.match(error.message, /^[^\n]{20,700}\.$/)
}

/** Calls of console's methods during the test; nothing else may write there. */
export function watchConsole(t: TestContext): unknown[][] {
  const printed: unknown[][] = []
  for (const method of ['log', 'warn', 'error', 'info', 'debug'] as const) {
    t.mock.method(console, method, (...words: unknown[]) => printed.push(words))
  }
  return printed
}
