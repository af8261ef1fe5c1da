/** From Enter to the request at the server, in a session that is open and warm. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Session } from '../src/session/session.ts'
import { openHouse } from './house.ts'
import { clock, median, ms, type Row } from './measure.ts'
import { rawClient } from './raw-client.ts'
import { type Served, serve } from './served.ts'

const prompts = 40
const words = 'What is the next thing to do here?'

export async function enterRows(): Promise<Row[]> {
  const [found, floor] = [await waitsOfGopi(), await waitsOfRawClient()]
  return [
    {
      figure: `Enter → request (the first of the session: ${ms(found[0] ?? Number.NaN)})`,
      against: 'raw node:http post',
      measured: ms(median(found)),
      floor: ms(median(floor)),
      ratio: median(found) / median(floor),
      reach: '≤ 2 ms',
      reached: median(found) <= 2,
    },
  ]
}

async function waitsOfGopi(): Promise<number[]> {
  const server = await serve({ script: 'words' })
  const { session, close } = await openHouse(server.host, { prewarm: 'open' })
  try {
    await session.open()
    await server.chat(0)
    const waits: number[] = []
    for (let n = 1; n <= prompts; n++) waits.push(await enterToRequest(session, server, n))
    return waits
  } finally {
    await close()
    server.close()
  }
}

async function waitsOfRawClient(): Promise<number[]> {
  const server = await serve({ script: 'words' })
  const client = rawClient(server.host)
  try {
    const waits: number[] = []
    for (let n = 0; n < prompts; n++) {
      await aLittle()
      const { sentAt } = await client.ask([{ role: 'user', content: words }])
      waits.push((await server.chat(n)).at - sentAt)
    }
    return waits
  } finally {
    client.close()
    server.close()
  }
}

/** Milliseconds from a prompt, after a little pause, to its request, which must be the server's `index`th. */
export async function enterToRequest(session: Session, server: Served, index: number): Promise<number> {
  await aLittle()
  const entered = clock()
  await session.prompt(words)
  const { at } = await server.chat(index)
  return at - entered
}

/** What follows an answer is over by then. */
const aLittle = () => sleep(30)
