/** What the person waits for: from Enter to the first token, at a server that reads as slowly as a laptop does. */

import { setTimeout as sleep } from 'node:timers/promises'
import { openHouse } from './house.ts'
import { clock, type Row } from './measure.ts'
import { rawClient } from './raw-client.ts'
import { type Served, serve } from './served.ts'

/** Tokens a second, and milliseconds. */
const pace = { script: 'words', prefill: 300, load: 500, count: 'cl100k' } as const
/** Milliseconds between opening and Enter. */
const pause = 5_000
/** Tokens of the first request, as measured: system text, tools and the words. */
const peers = { pi: 1_123, codex: 7_815 }

const words =
  'The tests of the parser fail since yesterday. Please find out which change did it, explain it to me in a few ' +
  'sentences, and then mend the parser without touching the tests. Run them again at the end.'

export async function firstTokenRows(): Promise<Row[]> {
  const servers = [await serve(pace), await serve(pace), await serve(pace)] as const
  // They wait and do not work: side by side they do not disturb each other.
  const [ours, pi, codex] = await Promise.all([
    ofGopi(servers[0]),
    ofSize(servers[1], peers.pi),
    ofSize(servers[2], peers.codex),
  ]).finally(() => {
    for (const server of servers) server.close()
  })
  const seconds = (value: number) => `${(value / 1000).toFixed(2)} s`
  return [
    {
      figure: `Enter → first token, ${words.split(' ').length} words, ${pause / 1000} s after opening, ${pace.prefill} tokens/s`,
      against: `requests of pi's size (${pi.prompt} tokens) · of codex's (${codex.prompt}), model loaded`,
      measured: seconds(ours),
      floor: `${seconds(pi.wait)} · ${seconds(codex.wait)}`,
      ratio: ours / pi.wait,
      reach: '< 1 s',
      reached: ours < 1_000,
    },
  ]
}

/** Milliseconds until the session shows the first text. */
async function ofGopi(server: Served): Promise<number> {
  const { session, close } = await openHouse(server.host, { prewarm: 'open' })
  try {
    await session.open()
    await sleep(pause)
    const shown = new Promise<number>(resolve =>
      session.subscribe(({ type }) => type === 'message_delta' && resolve(clock())),
    )
    const entered = clock()
    await session.prompt(words)
    return (await shown) - entered
  } finally {
    await close()
  }
}

/** Milliseconds until the first byte of an answer to a prompt of so many tokens, none of it read before. */
async function ofSize(server: Served, tokens: number): Promise<{ prompt: number; wait: number }> {
  const client = rawClient(server.host)
  const ask = (content: string) => client.ask([{ role: 'user', content }])
  await ask('a')
  const template = (await server.chat(0)).prompt - 1
  const { sentAt, firstAt } = await ask(' word'.repeat(tokens - template))
  client.close()
  return { prompt: (await server.chat(1)).prompt, wait: firstAt - sentAt }
}
