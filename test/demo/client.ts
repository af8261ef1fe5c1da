/** A bare client for the demo's own tests: one chat request, its lines. */

import type { WireMessage, WireTool } from '../../src/protocol/wire.ts'
import type { DemoServer } from '../support/demo/server.ts'

export interface Line {
  message?: {
    content: string
    thinking?: string
    tool_calls?: { id: string; function: { name: string; arguments: Record<string, unknown> } }[]
  }
  done?: boolean
  done_reason?: string
  error?: string
  prompt_eval_count?: number
  eval_count?: number
}

export interface Answer {
  status: number
  lines: Line[]
  text: string
  calls: { name: string; arguments: Record<string, unknown> }[]
}

export interface Fields {
  messages: WireMessage[]
  model?: string
  tools?: WireTool[]
  format?: object
  options?: Record<string, unknown>
  [field: string]: unknown
}

/** Streams a chat and collects it. Rejects when the connection breaks or `signal` fires. */
export async function chat(
  server: DemoServer,
  fields: Fields,
  { signal }: { signal?: AbortSignal } = {},
): Promise<Answer> {
  const response = await fetch(`${server.host}/api/chat`, {
    method: 'POST',
    body: JSON.stringify({ model: 'demo', think: false, truncate: false, ...fields }),
    ...(signal && { signal }),
  })
  const lines = (await response.text())
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line) as Line)
  return {
    status: response.status,
    lines,
    text: lines.map(line => line.message?.content ?? '').join(''),
    calls: lines.flatMap(line => line.message?.tool_calls ?? []).map(call => call.function),
  }
}

export const system = (content: string): WireMessage => ({ role: 'system', content })
export const user = (content: string): WireMessage => ({ role: 'user', content })
export const assistant = (content: string): WireMessage => ({ role: 'assistant', content })
export const called = (name: string, args: Record<string, unknown>): WireMessage => ({
  role: 'assistant',
  content: '',
  tool_calls: [{ function: { name, arguments: args } }],
})
export const result = (name: string, content: string): WireMessage => ({
  role: 'tool',
  tool_name: name,
  content,
})
