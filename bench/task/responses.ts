/** OpenAI's responses, which the demo server does not speak, asked of it in its own words. */
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { WireMessage } from '../../src/protocol/wire.ts'
import { inChatWords } from '../chat-words.ts'
import { responses } from '../peers/protocols.ts'

export interface Interpreter {
  /** In place of `upstream`'s. */
  host: string
  close(): void
}

export async function openInterpreter(upstream: string): Promise<Interpreter> {
  const server = http.createServer((request, response) => {
    interpret(request, response).catch(error => response.writeHead(500).end(String(error)))
  })

  async function interpret(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!request.url?.endsWith('/responses')) return void response.writeHead(404).end()
    const body = JSON.parse(await text(request)) as { input?: unknown[] }
    const answer = await fetch(`${upstream}/api/chat`, {
      method: 'POST',
      body: JSON.stringify({ ...inChatWords('/v1/responses', body), stream: false, truncate: false }),
    })
    if (!answer.ok) throw new Error(await answer.text())
    const { message } = (await answer.json()) as { message: WireMessage }
    const [call] = message.tool_calls ?? []
    response.setHeader('content-type', responses.type)
    const id = (body.input?.length ?? 0) + 1
    response.end(call ? responses.call(call.function, id) : responses.words(message.content))
  }

  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    host: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
