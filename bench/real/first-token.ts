/** From Enter to the first token on a real server: nothing read ahead, what is read when a session opens, and drafts. */
import { setTimeout as sleep } from 'node:timers/promises'
import { clock, median, ms, type Row } from '../measure.ts'
import { rawClient } from '../raw-client.ts'
import { evict, openReal, type Read, type RealServer, readFor, shown } from './server.ts'
import { metricsOf } from './witness.ts'

const words =
  'Please find out why the tests of the parser fail since yesterday, explain it to me in a few sentences, and then ' +
  'mend the parser without touching the tests.'
/** Milliseconds between two keys, of which some words make a pause, and before Enter. */
const typing = { key: 30, thought: 900, enter: 1_500 }
const samples = 3
/** What is to be reached: of the server's own floor. */
const bound = 1.3

type Way = 'off' | 'open' | 'type'

interface Sample {
  wait: number
  read: Read
  /** Of the same prompt, asked again by a client that does nothing else. */
  floor: number
}

export async function firstTokens(server: RealServer): Promise<Row[]> {
  const found: Record<Way, Sample[]> = { off: [], open: [], type: [] }
  for (let n = 0; n < samples; n++) {
    for (const way of ['off', 'open', 'type'] as const) found[way].push(await sample(server, way))
  }
  const floor = median(Object.values(found).flatMap(all => all.map(one => one.floor)))
  const named = {
    off: 'nothing read ahead',
    open: 'read when the session opened',
    type: 'and drafts while typing',
  }
  return (Object.keys(found) as Way[]).map(way => {
    const wait = median(found[way].map(one => one.wait))
    const reads = found[way].map(({ read }) => read).sort((a, b) => a.ms - b.ms)
    const ratio = wait / floor
    return {
      figure: `Enter → first token, ${words.split(' ').length} words, ${named[way]}: ${shown(reads[samples >> 1]!)}`,
      against: 'the same prompt again by a raw client',
      measured: ms(wait),
      floor: ms(floor),
      ratio,
      reach: way === 'type' ? `≤ ${bound}×` : '–',
      reached: way !== 'type' || ratio <= bound,
    }
  })
}

async function sample(server: RealServer, way: Way): Promise<Sample> {
  const { witness } = server
  await evict(server)
  witness.forget()
  const { session, close } = await openReal(server, { prewarm: way })
  try {
    if (way === 'off') await session.connect()
    else {
      await session.open()
      await witness.over(1)
    }
    await type(text => session.draft(text, { typed: text }))
    const before = [...witness.asked]
    const first = new Promise<number>(resolve =>
      session.subscribe(({ type }) => type === 'message_delta' && resolve(clock())),
    )
    const entered = clock()
    const run = session.prompt(words)
    const wait = (await first) - entered
    await run
    const asked = witness.asked.slice(before.length)
    return {
      wait,
      read: await readFor(server, asked, before),
      floor: await again(server, asked.at(-1)!.body),
    }
  } finally {
    await close()
  }
}

async function type(draft: (text: string) => void): Promise<void> {
  for (let end = 1; end <= words.length; end++) {
    const text = words.slice(0, end)
    draft(text)
    await sleep(/[,.]$/.test(text) ? typing.thought : typing.key)
  }
  await sleep(typing.enter - typing.thought)
}

/** Twice: the first time the server has it for certain. */
async function again({ witness }: RealServer, body: object): Promise<number> {
  const client = rawClient(witness.host)
  try {
    await client.send(body)
    // A server that has just answered is quicker than one that nobody asked for a while.
    await sleep(typing.enter)
    const { sentAt, firstAt } = await client.send(body)
    const last = witness.asked.at(-1)
    if (!last || metricsOf(last).written === 0) throw new Error('the server did not answer a raw client')
    return firstAt - sentAt
  } finally {
    client.close()
  }
}
