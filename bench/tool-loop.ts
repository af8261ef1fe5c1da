/** From the end of a reply that calls a tool to the next request, `echo hi` in between. */
import { openHouse } from './house.ts'
import { median, ms, quantile, type Row } from './measure.ts'
import { serve } from './served.ts'

/** Turns in which code is compiled and bash starts. */
const warmUp = 5

export async function toolLoopRows(): Promise<Row[]> {
  const server = await serve({ script: 'loop' })
  const { session, close } = await openHouse(server.host)
  try {
    await session.prompt('go')
    const chats = await server.chats()
    const gaps = chats.slice(1).map(({ at }, n) => at - (chats[n]?.endAt ?? Number.NaN))
    const figures = [
      { name: 'median', found: median(gaps.slice(warmUp)), bound: 3 },
      { name: 'p95', found: quantile(gaps.slice(warmUp), 0.95), bound: 6 },
    ]
    return figures.map(({ name, found, bound }) => ({
      figure: `end of a tool-call reply → next request, echo hi, ${name}`,
      against: '–',
      measured: ms(found),
      floor: '–',
      reach: `≤ ${bound} ms`,
      reached: found <= bound,
    }))
  } finally {
    await close()
    server.close()
  }
}
