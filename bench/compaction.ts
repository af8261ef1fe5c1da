/** How long a compaction keeps the person waiting, when there was a pause long enough for it. */
import { enterToRequest } from './enter.ts'
import { openHouse } from './house.ts'
import { median, ms, type Row } from './measure.ts'
import { serve } from './served.ts'

const sessions = 5
/** Milliseconds within which two medians are the same here. */
const noise = 1

export async function compactionRows(): Promise<Row[]> {
  const usual: number[] = []
  const after: number[] = []
  for (let n = 0; n < sessions; n++) {
    const waits = await oneSession()
    usual.push(...waits.usual)
    after.push(waits.after)
  }
  const [found, floor] = [median(after), median(usual)]
  return [
    {
      figure: 'Enter → request after a pause with a compaction',
      against: 'Enter → request before it, in the same sessions',
      measured: ms(found),
      floor: ms(floor),
      ratio: found / floor,
      reach: `wait 0 (± ${noise} ms)`,
      reached: found <= floor + noise,
    },
  ]
}

/** Fills a context, waits until it has been summarised, and prompts again. */
async function oneSession(): Promise<{ usual: number[]; after: number }> {
  const server = await serve({ script: 'filling' })
  const { session, close } = await openHouse(server.host, {
    prewarm: 'open',
    context: { max_tokens: 12_000, keep_recent: 4 },
  })
  try {
    const compacted = new Promise<void>(resolve =>
      session.subscribe(({ type }) => type === 'compaction' && resolve()),
    )
    await session.open()
    const usual: number[] = []
    // The first one starts bash and compiles; the third one's answer fills the context.
    for (let n = 1; n <= 3; n++) usual.push(await enterToRequest(session, server, n))
    await compacted
    // Beside the three prompts there were the prewarm, the summary and the prewarm of what has become of the history.
    await server.chat(5)
    return { usual: usual.slice(1), after: await enterToRequest(session, server, 6) }
  } finally {
    await close()
    server.close()
  }
}
