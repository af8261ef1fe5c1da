/** Where the task is played: at the demo server, or at a real one, and what it took there. */
import { resolveHost } from '../../src/backends/ollama/host.ts'
import type { WireTool } from '../../src/protocol/wire.ts'
import { removeModel } from '../../test/ollama/scripted-models.ts'
import type { Program } from '../peers/programs.ts'
import { openWitness, readsOf, writtenIn } from '../real/witness.ts'
import { serve } from '../served.ts'
import { makeTaskModel } from './models.ts'
import { openInterpreter } from './responses.ts'

/** Tokens read anew and written, and requests. */
export interface Toll {
  read: number
  written: number
  requests: number
}

export interface Stage {
  host: string
  toll(): Promise<Toll>
  /** What the client offered the model. */
  tools(): Promise<WireTool[]>
  close(): Promise<void> | void
}

/** A laptop: tokens a second. */
const pace = { script: 'task', prefill: 400, decode: 40, count: 'cl100k', contextLength: 65_536 } as const

export async function demoStage({ speaksResponses }: Program): Promise<Stage> {
  const server = await serve(pace)
  const interpreter = speaksResponses ? await openInterpreter(server.host) : undefined
  return {
    host: interpreter?.host ?? server.host,
    async toll() {
      const chats = await server.chats()
      const sum = (key: 'read' | 'generated') => chats.reduce((total, chat) => total + chat[key], 0)
      return { read: sum('read'), written: sum('generated'), requests: chats.length }
    },
    tools: () => server.tools(),
    close() {
      interpreter?.close()
      server.close()
    },
  }
}

/** A model for each program, under the name that all of them ask for. */
export async function realStage(tools: readonly WireTool[], model: string): Promise<Stage> {
  const upstream = resolveHost(process.env.OLLAMA_HOST)
  await makeTaskModel(upstream, model, tools)
  const witness = await openWitness(upstream)
  return {
    host: witness.host,
    async toll() {
      const { asked } = witness
      const reads = await readsOf(upstream, asked)
      return {
        read: reads.reduce((a, b) => a + b, 0),
        written: asked.reduce((sum, one) => sum + writtenIn(one), 0),
        requests: asked.length,
      }
    },
    tools: async () => [...tools],
    async close() {
      witness.close()
      await removeModel(upstream, model)
    },
  }
}
