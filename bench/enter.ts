/** From Enter to the request at the server, in a session that is open and warm. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Session } from '../src/session/session.ts'
import { openHouse } from './house.ts'
import { clock, median, ms, type Row } from './measure.ts'
import { type Served, serve } from './served.ts'

const prompts = 40

export async function enterRows(): Promise<Row[]> {
  const server = await serve({ script: 'words' })
  const { session, close } = await openHouse(server.host, { prewarm: 'open' })
  try {
    await session.open()
    await server.chat(0)
    const waits: number[] = []
    for (let n = 1; n <= prompts; n++) waits.push(await enterToRequest(session, server, n))
    const found = median(waits)
    return [
      {
        figure: `Enter → request (the first of the session: ${ms(waits[0] ?? Number.NaN)})`,
        against: '–',
        measured: ms(found),
        floor: '–',
        reach: '≤ 2 ms',
        reached: found <= 2,
      },
    ]
  } finally {
    await close()
    server.close()
  }
}

/** Milliseconds from a prompt, after a little pause, to its request, which must be the server's `index`th. */
export async function enterToRequest(session: Session, server: Served, index: number): Promise<number> {
  await sleep(30)
  const entered = clock()
  await session.prompt('What is the next thing to do here?')
  const { at } = await server.chat(index)
  return at - entered
}
