/** From the end of a reply that calls a tool to the next request, `echo hi` in between. */
import { openHouse } from './house.ts'
import { median, ms, quantile, type Row } from './measure.ts'
import { type RawMessage, rawBash, rawClient } from './raw-client.ts'
import { loopTurns } from './scripts.ts'
import { type Served, serve } from './served.ts'

/** Turns in which code is compiled and bash starts. */
const warmUp = 5

export async function toolLoopRows(): Promise<Row[]> {
  const [found, floor] = [await gapsOfGopi(), await gapsOfRawLoop()]
  const figures = [
    { name: 'median', of: median, bound: 3 },
    { name: 'p95', of: (gaps: number[]) => quantile(gaps, 0.95), bound: 6 },
  ]
  return figures.map(({ name, of, bound }) => ({
    figure: `end of a tool-call reply → next request, echo hi, ${name}`,
    against: 'raw node:http client with a raw bash',
    measured: ms(of(found)),
    floor: ms(of(floor)),
    ratio: of(found) / of(floor),
    reach: `≤ ${bound} ms`,
    reached: of(found) <= bound,
  }))
}

async function gapsOfGopi(): Promise<number[]> {
  const server = await serve({ script: 'loop' })
  const { session, close } = await openHouse(server.host)
  try {
    await session.prompt('go', { maxTurns: 2 * loopTurns })
    return await gaps(server)
  } finally {
    await close()
    server.close()
  }
}

/** What cannot be avoided: the whole conversation is sent, and what a bash says to the command. */
async function gapsOfRawLoop(): Promise<number[]> {
  const server = await serve({ script: 'loop' })
  const client = rawClient(server.host)
  const bash = rawBash()
  const messages: RawMessage[] = [{ role: 'user', content: 'go' }]
  try {
    for (;;) {
      const call = callIn((await client.ask(messages)).text)
      if (!call) return await gaps(server)
      const content = await bash.run(call.function.arguments.command)
      messages.push({ role: 'assistant', content: '', tool_calls: [call] })
      messages.push({ role: 'tool', content, tool_name: 'bash' })
    }
  } finally {
    client.close()
    bash.close()
    server.close()
  }
}

interface BashCall {
  function: { arguments: { command: string } }
}

function callIn(answer: string): BashCall | undefined {
  const lines = answer.trim().split('\n')
  return lines.flatMap(line => JSON.parse(line).message.tool_calls ?? [])[0]
}

async function gaps(server: Served): Promise<number[]> {
  const chats = await server.chats()
  return chats
    .slice(1)
    .map(({ at }, n) => at - (chats[n]?.endAt ?? Number.NaN))
    .slice(warmUp)
}
