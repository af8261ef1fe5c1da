/** A chat request and nothing else, a bash and nothing else: what the machine takes with no assistant around them. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { clock } from './measure.ts'

export interface RawMessage {
  role: 'user' | 'assistant' | 'tool'
  content: string
  tool_name?: string
  tool_calls?: object[]
}

export interface RawClient {
  /**
   * → milliseconds of `clock` at which it was sent, and at which the first byte of its answer came, and that answer.
   * Resolves at its end.
   */
  ask(messages: readonly RawMessage[]): Promise<RawAnswer>
  /** The same for a whole body. */
  send(body: object): Promise<RawAnswer>
  close(): void
}

interface RawAnswer {
  sentAt: number
  firstAt: number
  text: string
}

/** Keeps its connection, as gopi does. `model` and its `context` in tokens are those of every request. */
export function rawClient(host: string, { model = 'bench', context = 32_768 } = {}): RawClient {
  const agent = new Agent({ keepAlive: true })
  return {
    ask(messages) {
      return this.send({ model, messages, options: { num_ctx: context } })
    },
    send(question) {
      const body = JSON.stringify(question)
      const sentAt = clock()
      return new Promise((resolve, reject) => {
        const asking = request(`${host}/api/chat`, { method: 'POST', agent }, answer => {
          let firstAt = Number.NaN
          let text = ''
          answer.once('data', () => (firstAt = clock()))
          answer.on('data', piece => (text += piece))
          answer.on('end', () => resolve({ sentAt, firstAt, text }))
        })
        asking.on('error', reject).end(body)
      })
    },
    close: () => agent.destroy(),
  }
}

export interface RawBash {
  /** → what it says first. */
  run(command: string): Promise<string>
  close(): void
}

/** A bash that stays, its output on a pipe. It does not say when a command has ended, or how. */
export function rawBash(): RawBash {
  const child = spawn('bash', ['--noprofile', '--norc'], { stdio: ['pipe', 'pipe', 'ignore'] })
  return {
    async run(command) {
      child.stdin.write(`${command}\n`)
      const [output] = await once(child.stdout, 'data')
      return String(output)
    },
    close: () => void child.kill(),
  }
}
