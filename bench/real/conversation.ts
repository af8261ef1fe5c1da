/** What a real server reads in the course of a conversation: turns with tools, a steer, a compaction. */
import type { Session } from '../../src/library.ts'
import type { Row } from '../measure.ts'
import { rawClient } from '../raw-client.ts'
import { evict, openReal, type Read, type RealServer, readFor, shown } from './server.ts'
import type { Testimony } from './witness.ts'

const turns = 20

/** The scripted model calls bash for these words, and answers when it has the result. */
const question = (turn: number) => `call: question ${turn}, which is ${turn * 7919}`

export async function besideClock(server: RealServer): Promise<Row[]> {
  const { witness } = server
  await talking(server, async session => {
    for (let turn = 1; turn <= turns; turn++) await session.prompt(question(turn))
  })
  const ours = [...witness.asked]
  const asked = ours.filter(({ body }) => body.options?.num_predict !== 1)
  const read = await readFor(server, ours)
  const theirs = await withClock(server, asked)
  return [
    row({
      figure: `read over ${turns} turns with ${asked.length - turns} calls, prewarm included`,
      against: 'the same conversation by a client with a clock in its system prompt',
      read,
      other: theirs,
      bound: 0.2,
    }),
  ]
}

/** A session that the server knows nothing of, opened and read ahead. */
async function talking(server: RealServer, talk: (session: Session) => Promise<void>): Promise<void> {
  const { witness } = server
  await evict(server)
  witness.forget()
  const { session, close } = await openReal(server, { prewarm: 'open' })
  try {
    await session.open()
    await witness.over(1)
    await talk(session)
  } finally {
    await close()
  }
}

/** The requests of a conversation as one who tells the model the time, anew with each prompt, would send them. */
async function withClock(server: RealServer, asked: readonly Testimony[]): Promise<Read> {
  const { witness } = server
  const client = rawClient(witness.host)
  witness.forget()
  try {
    for (const { body } of asked) {
      const prompts = (body.messages ?? []).filter(({ role }) => role === 'user').length
      const messages = (body.messages ?? []).map(message =>
        message.role === 'system'
          ? { ...message, content: `${message.content}\n\nIt is 10:${10 + prompts}.` }
          : message,
      )
      await client.send({ ...body, messages })
    }
  } finally {
    client.close()
  }
  return readFor(server, witness.asked)
}

export async function afterSteer(server: RealServer): Promise<Row[]> {
  await talking(server, async session => {
    let pieces = 0
    session.subscribe(({ type }) => {
      if (type === 'message_delta' && ++pieces === 5) void session.steer('hello instead')
    })
    await session.prompt('long: please')
  })
  return ofLast(server, 'read after a steer')
}

export async function afterCompaction(server: RealServer): Promise<Row[]> {
  const { witness } = server
  await evict(server)
  witness.forget()
  const { session, close } = await openReal(server, { prewarm: 'open', context: { keep_recent: 2 } })
  try {
    await session.open()
    for (let turn = 1; turn <= 5; turn++) await session.prompt(question(turn))
    const before = witness.asked.length
    if (!(await session.compact())) throw new Error('there was nothing to summarise')
    // The summary, and the new beginning, which is read while nobody waits.
    await witness.over(before + 2)
    await session.prompt('hello again')
  } finally {
    await close()
  }
  return ofLast(server, 'read after Enter, after a compaction')
}

/** The last request beside its whole prompt, read by a server that has nothing of it. */
async function ofLast(server: RealServer, figure: string): Promise<Row[]> {
  const { witness } = server
  const asked = [...witness.asked]
  const read = await readFor(server, asked.slice(-1), asked.slice(0, -1))
  await evict(server)
  witness.forget()
  const client = rawClient(witness.host)
  await client.send(asked.at(-1)!.body).finally(() => client.close())
  const other = await readFor(server, witness.asked)
  return [row({ figure, against: 'the whole prompt', read, other, bound: 0.1 })]
}

interface Compared {
  figure: string
  against: string
  read: Read
  other: Read
  bound: number
}

function row({ figure, against, read, other, bound }: Compared): Row {
  const ratio = read.tokens / other.tokens
  return {
    figure,
    against,
    measured: shown(read),
    floor: shown(other),
    ratio,
    reach: `≤ ${bound}×`,
    reached: ratio <= bound,
  }
}
