/** The real server of a bench, and a session of gopi's on it. */
import { type House, type HouseOptions, openHouse } from '../house.ts'
import { rawClient } from '../raw-client.ts'
import { metricsOf, readsOf, type Testimony, type Witness } from './witness.ts'

export interface RealServer {
  /** The server itself, and the witness before it, which is what clients are given. */
  upstream: string
  witness: Witness
  model: string
}

/** Tokens: small, so that a context is soon full. */
export const context = 8_192

export const openReal = ({ witness, model }: RealServer, options: HouseOptions = {}): Promise<House> =>
  openHouse(witness.host, { model, ...options, context: { max_tokens: context, ...options.context } })

/** What a conversation has left with the server is gone when it resolves. */
export async function evict({ upstream, model }: RealServer): Promise<void> {
  const client = rawClient(upstream, { model, context })
  await client.ask([{ role: 'user', content: 'hello' }]).finally(() => client.close())
}

export interface Read {
  /** Tokens, and the server's own milliseconds of them. */
  tokens: number
  ms: number
}

/** What was read for requests, those that came before them being `before`. */
export async function readFor(
  { upstream }: RealServer,
  asked: readonly Testimony[],
  before: readonly Testimony[] = [],
): Promise<Read> {
  const reads = (await readsOf(upstream, [...before, ...asked])).slice(before.length)
  return {
    tokens: reads.reduce((sum, read) => sum + read, 0),
    ms: asked.reduce((sum, one) => sum + metricsOf(one).reading, 0),
  }
}

export const shown = ({ tokens, ms }: Read): string => `${tokens} tokens, ${Math.round(ms)} ms`
