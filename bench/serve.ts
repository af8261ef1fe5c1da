/** The program of the server's process (served.ts): starts it, then answers what its parent asks, until that is gone. */

import { loadTokenizer } from '../src/demo/tokens.ts'
import type { WireTool } from '../src/protocol/wire.ts'
import type { LoggedRequest } from '../test/support/demo/server.ts'
import { startServer } from '../test/support/demo/server.ts'
import { clock } from './measure.ts'
import { scripts } from './scripts.ts'
import type { Answers, Asked, ServeOptions, Visit } from './served.ts'

const { script, ...options } = JSON.parse(process.argv[2] ?? '') as ServeOptions
const server = await startServer({ ...options, model: scripts[script] })
const tokenizer = await loadTokenizer(options.count ?? 'chars')

function visit({ at, firstAt, endAt, prompt = 0, read = 0, generated = 0, body }: LoggedRequest): Visit {
  const shift = clock() - performance.now()
  const { num_predict } = (body as { options?: { num_predict?: number } }).options ?? {}
  return {
    at: at + shift,
    firstAt: (firstAt ?? Number.NaN) + shift,
    endAt: (endAt ?? Number.NaN) + shift,
    prompt,
    read,
    generated,
    prewarm: num_predict === 1,
  }
}

const answers: { [Name in keyof Answers]: (value: Answers[Name][0]) => Promise<Answers[Name][1]> } = {
  host: async () => server.host,
  async chat(index) {
    const chat = await server.chat(index)
    await chat.ended
    return visit(chat)
  },
  chats: async () => server.chats.map(visit),
  tokens: async text => tokenizer.encode(text).length,
  tools: async () => (server.chats[0]?.body as { tools?: WireTool[] } | undefined)?.tools ?? [],
}

process.on('message', async ({ id, name, value }: Asked) => {
  const answer = await answers[name](value as never)
  process.send?.({ id, answer })
})
process.on('disconnect', () => process.exit())
