/** From the end of a reply that calls a tool to the next request, `echo hi` in between. */
import { openHouse } from './house.ts'
import { median, ms, quantile, type Row } from './measure.ts'
import { rawClient } from './raw-client.ts'
import { loopTurns } from './scripts.ts'
import { type Served, serve } from './served.ts'

/** Turns in which code is compiled and bash starts. */
const warmUp = 5

export async function toolLoopRows(): Promise<Row[]> {
  const [found, floor] = [await gapsOfGopi(), await gapsOfRawClient()]
  const figures = [
    { name: 'median', of: median, bound: 3 },
    { name: 'p95', of: (gaps: number[]) => quantile(gaps, 0.95), bound: 6 },
  ]
  return figures.map(({ name, of, bound }) => ({
    figure: `end of a tool-call reply → next request, echo hi, ${name}`,
    against: 'raw node:http client that asks again at once',
    measured: ms(of(found)),
    floor: ms(of(floor)),
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

async function gapsOfRawClient(): Promise<number[]> {
  const server = await serve({ script: 'loop' })
  const client = rawClient(server.host)
  try {
    for (let n = 0; n <= loopTurns; n++) await client.ask('go')
    return await gaps(server)
  } finally {
    client.close()
    server.close()
  }
}

async function gaps(server: Served): Promise<number[]> {
  const chats = await server.chats()
  return chats
    .slice(1)
    .map(({ at }, n) => at - (chats[n]?.endAt ?? Number.NaN))
    .slice(warmUp)
}
