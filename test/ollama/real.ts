/** The real house on a real Ollama: gopi's session, with every request to the server written down. */
import type { TestContext } from 'node:test'
import type { Backend, ChatRequest, ModelEvent } from '../../src/backends/backend.ts'
import { resolveHost } from '../../src/backends/ollama/host.ts'
import { createOllama } from '../../src/backends/ollama/ollama.ts'
import type { Metrics } from '../../src/protocol/wire.ts'
import { type House, type HouseOptions, openHouse } from '../support/house.ts'
import { modelNamed } from './scripted-models.ts'

export const host = resolveHost(process.env.OLLAMA_HOST)

/** One request for words and what became of it so far. */
export interface Asked {
  request: ChatRequest
  events: ModelEvent[]
  metrics: Metrics | undefined
  isOver: boolean
}

export interface RealHouse extends House {
  asked: readonly Asked[]
  /** Resolves when it holds of the requests; looked at with every event of theirs. */
  when(holds: (asked: readonly Asked[]) => boolean): Promise<void>
}

export async function openReal(
  t: TestContext,
  kind: Parameters<typeof modelNamed>[0],
  options: HouseOptions = {},
): Promise<RealHouse> {
  const asked: Asked[] = []
  const waiting = new Set<() => void>()
  const happened = () => {
    for (const look of [...waiting]) look()
  }
  const backend = writtenDown(createOllama({ host, timeout: 30_000 }), asked, happened)
  const { config = {} } = options
  const ollama = { keep_alive: '5m', model: modelNamed(kind), ...config.ollama, host }
  const context = { max_tokens: 4096, ...config.context }
  const house = await openHouse(t, { ...options, backend, config: { ...config, ollama, context } })
  return {
    ...house,
    asked,
    when: holds =>
      new Promise(resolve => {
        const look = () => {
          if (!holds(asked)) return
          waiting.delete(look)
          resolve()
        }
        waiting.add(look)
        look()
      }),
  }
}

function writtenDown(backend: Backend, asked: Asked[], happened: () => void): Backend {
  return {
    ...backend,
    async *chat(request, options) {
      const entry: Asked = { request, events: [], metrics: undefined, isOver: false }
      asked.push(entry)
      happened()
      try {
        for await (const event of backend.chat(request, options)) {
          entry.events.push(event)
          if (event.type === 'end') entry.metrics = event.metrics
          happened()
          yield event
        }
      } finally {
        entry.isOver = true
        happened()
      }
    },
  }
}

export interface RunningModel {
  name: string
  context_length: number
  expires_at: string
}

/** The models that the server has loaded. */
export async function running(): Promise<RunningModel[]> {
  const answer = await fetch(`${host}/api/ps`)
  return ((await answer.json()) as { models: RunningModel[] }).models
}

/** Nothing of ours is loaded any more when it resolves. */
export async function unload(): Promise<void> {
  const ours = async () =>
    (await running()).filter(({ name }) => name.startsWith(modelNamed('native').slice(0, 9)))
  for (const { name } of await ours()) {
    await fetch(`${host}/api/chat`, {
      method: 'POST',
      body: JSON.stringify({ model: name, messages: [], keep_alive: 0 }),
    })
  }
  const asked = performance.now()
  while ((await ours()).length > 0) {
    if (performance.now() - asked > 60_000)
      throw new Error('the server keeps a model loaded that it was told to unload')
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}
