/**
 * The connection to an editor: the protocol's own package on lines of JSON. It is bundled by itself (src/build.mjs), so that
 * nobody else loads anything of the package.
 */

import type { Readable, Writable } from 'node:stream'
import { type AgentContext, agent, RequestError } from '@agentclientprotocol/sdk'
import { fieldsOf } from '../text/record.ts'
import type { Handlers } from './handlers.ts'
import { linesOf } from './lines.ts'

export interface Served {
  /** Resolves when the editor is gone. */
  closed: Promise<void>
  close(): void
}

/** Answers what the editor asks until it is gone. */
export function serve(
  handlersFor: (editor: AgentContext) => Handlers,
  { input, output }: { input: Readable; output: Writable },
): Served {
  let handlers: Handlers | undefined
  const on =
    <Name extends keyof Handlers>(name: Name) =>
    async (asked: {
      params: Parameters<Handlers[Name]>[0]
      client: AgentContext
      signal: AbortSignal
    }): Promise<Awaited<ReturnType<Handlers[Name]>>> => {
      handlers ??= handlersFor(asked.client)
      const answer = handlers[name] as (
        params: typeof asked.params,
        signal: AbortSignal,
      ) => Promise<Awaited<ReturnType<Handlers[Name]>>>
      try {
        return await answer(asked.params, asked.signal)
      } catch (error) {
        throw asRequestError(error)
      }
    }
  const connection = agent({ name: 'gopi' })
    .onRequest('initialize', on('initialize'))
    .onRequest('authenticate', async () => ({}))
    .onRequest('session/new', on('begin'))
    .onRequest('session/load', on('load'))
    .onRequest('session/resume', on('resume'))
    .onRequest('session/list', on('list'))
    .onRequest('session/close', on('close'))
    .onRequest('session/delete', on('remove'))
    .onRequest('session/set_mode', on('setMode'))
    .onRequest('session/set_config_option', on('setOption'))
    .onRequest('session/prompt', on('prompt'))
    .onNotification('session/cancel', async asked => void (await on('cancel')(asked)))
    .connect(linesOf(input, output))
  return { closed: connection.closed, close: () => connection.close() }
}

/** What a handler refuses bears the protocol's number. */
function asRequestError(error: unknown): unknown {
  const { code, message, data } = fieldsOf(error)
  return typeof code === 'number' ? new RequestError(code, String(message), data) : error
}
