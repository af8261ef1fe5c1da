/**
 * The demo server in a process of its own, as a real one is: in the measured one it would take turns of the event loop
 * and fill the heap with its token tables. (The tool loop came out the same both ways, within the machine's noise.)
 */
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { WireTool } from '../src/protocol/wire.ts'
import type { ServerOptions } from '../test/support/demo/server.ts'
import { environment } from './measure.ts'
import type { ScriptName } from './scripts.ts'

export interface ServeOptions extends Pick<ServerOptions, 'count' | 'contextLength'> {
  script: ScriptName
  /** Tokens a second. */
  prefill?: number
  decode?: number
  /** Milliseconds. */
  load?: number
}

/** A chat request as the server saw it. Times in milliseconds of `clock`, counts in tokens. */
export interface Visit {
  at: number
  firstAt: number
  endAt: number
  prompt: number
  read: number
  generated: number
  prewarm: boolean
}

/** What the process can be asked: by name, the question and its answer. */
export interface Answers {
  host: [undefined, string]
  chat: [number, Visit]
  chats: [undefined, Visit[]]
  tokens: [string, number]
  tools: [undefined, WireTool[]]
}

export interface Asked {
  id: number
  name: keyof Answers
  value: unknown
}

export interface Served {
  host: string
  /** The chat request with this index, when it has come and is over. */
  chat(index: number): Promise<Visit>
  /** All of them so far; those that are not over have no `endAt`. */
  chats(): Promise<Visit[]>
  /** Tokens of a text, as this server counts. */
  tokens(text: string): Promise<number>
  /** What the first chat offered the model. */
  tools(): Promise<WireTool[]>
  close(): void
}

export async function serve(options: ServeOptions): Promise<Served> {
  const child = fork(fileURLToPath(new URL('serve.ts', import.meta.url)), [JSON.stringify(options)], {
    env: environment(),
    // Its garbage is collected between the benches, and not between two requests.
    execArgv: [...process.execArgv, '--min-semi-space-size=128', '--max-semi-space-size=128'],
    serialization: 'advanced',
  })
  const waiting = new Map<number, { resolve(answer: unknown): void; reject(error: Error): void }>()
  child.on('message', ({ id, answer }: { id: number; answer: unknown }) => waiting.get(id)?.resolve(answer))
  child.on('exit', code => {
    for (const { reject } of waiting.values()) reject(new Error(`the server's process ended with ${code}`))
  })
  let asked = 0
  const ask = <Name extends keyof Answers>(name: Name, value: Answers[Name][0]) =>
    new Promise<Answers[Name][1]>((resolve, reject) => {
      const id = asked++
      waiting.set(id, { resolve: resolve as (answer: unknown) => void, reject })
      child.send({ id, name, value } satisfies Asked)
    })
  return {
    host: await ask('host', undefined),
    chat: index => ask('chat', index),
    chats: () => ask('chats', undefined),
    tokens: text => ask('tokens', text),
    tools: () => ask('tools', undefined),
    close: () => child.disconnect(),
  }
}
