/** A chat request and nothing else: what the same machine takes with no assistant around it. */
import { Agent, request } from 'node:http'
import { clock } from './measure.ts'

export interface RawClient {
  /** → milliseconds of `clock` at which it was sent, and at which the first byte of its answer came. Resolves at its end. */
  ask(content: string): Promise<{ sentAt: number; firstAt: number }>
  close(): void
}

/** Keeps its connection, as gopi does. */
export function rawClient(host: string): RawClient {
  const agent = new Agent({ keepAlive: true })
  return {
    ask(content) {
      const options = { num_ctx: 32_768 }
      const body = JSON.stringify({ model: 'bench', messages: [{ role: 'user', content }], options })
      const sentAt = clock()
      return new Promise((resolve, reject) => {
        const asking = request(`${host}/api/chat`, { method: 'POST', agent }, answer => {
          let firstAt = Number.NaN
          answer.once('data', () => (firstAt = clock()))
          answer.on('end', () => resolve({ sentAt, firstAt }))
        })
        asking.on('error', reject).end(body)
      })
    },
    close: () => agent.destroy(),
  }
}
