/** What an agent with a prefix of its own is sent, and by which server it is answered. */
import type { Setup } from '../agent/run.ts'
import type { Backend } from '../backends/backend.ts'
import type { Config } from '../config/config.ts'
import { type Chosen, chosenProvider } from '../config/provider.ts'
import { createGauge } from '../context/gauge.ts'
import type { Remembered } from '../memory/remembered.ts'
import type { Agent } from '../session/agent.ts'
import { type ConnectOptions, connectionTo } from '../session/connect.ts'
import type { TasksOptions } from '../session/tasks.ts'
import { openProvider } from './provider.ts'

export interface OthersOptions {
  config: Pick<Config, 'ollama' | 'providers'>
  /** Of the session. */
  connecting: ConnectOptions
  remembered: Pick<Remembered, 'models' | 'tokens' | 'speeds'>
}

/** The servers whose models agents name. One is opened when the first of them works there. */
export function createOthers({ config, connecting, remembered }: OthersOptions) {
  const own = chosenProvider(config).name
  const open = new Map<string, Promise<Backend>>()

  const providerOf = (model: string): Chosen | undefined => {
    const chosen = chosenProvider({ ...config, ollama: { ...config.ollama, model } })
    return chosen.name === own ? undefined : chosen
  }

  function backendOf(chosen: Chosen): Promise<Backend> {
    const before = open.get(chosen.name)
    if (before) return before
    const opened = openProvider(config, chosen, { memory: remembered.models })
    open.set(chosen.name, opened)
    opened.catch(() => open.delete(chosen.name))
    return opened
  }

  const elsewhere: TasksOptions['elsewhere'] = model => {
    const { name, provider } = providerOf(model) ?? {}
    if (name === undefined) return undefined
    return { name, places: provider?.type === 'pool' ? provider.of.length : 1 }
  }

  const setupAt: TasksOptions['setupFor'] = async (agent, main) => {
    const chosen = agent.model === undefined ? undefined : providerOf(agent.model)
    if (!chosen) return { setup: await setupFor(agent, { ...connecting, main }) }
    const backend = await backendOf(chosen)
    const { model } = chosen
    return {
      setup: await setupFor({ ...agent, model }, { ...connecting, backend, main }),
      elsewhere: {
        backend,
        state: backend.state && (async () => backend.state?.(model)),
        gaugeFor: name => createGauge({ key: `${backend.host} ${name}`, memories: remembered }),
      },
    }
  }

  return {
    elsewhere,
    setupFor: setupAt,
    close() {
      for (const backend of open.values())
        backend.then(
          ({ close }) => close?.(),
          () => {},
        )
    },
  }
}

/** `main`: of the conversation that it works for. Rejects with `RunError`. */
async function setupFor(
  { prompt, tools: allowed, model, options, think }: Agent,
  { main, ...connect }: ConnectOptions & { main: Setup },
): Promise<Setup> {
  const { resumed: _, notices: __, appended: ___, ...rest } = connect
  const tools = connect.tools.filter(
    ({ function: { name } }) => name !== 'task' && (!allowed || allowed.includes(name.toLowerCase())),
  )
  const own = { ...rest, tools, ...(prompt.trim() !== '' && { appended: prompt.trim() }) }
  const { setup } = await connectionTo({ ...own, model: model ?? main.model, modelNamed: true }).connect()
  const isMain = setup.model === main.model
  return {
    ...setup,
    // Another size would have the server load the model anew.
    ...(isMain && { context: main.context, limit: main.limit, think: main.think }),
    ...(think !== undefined && { think }),
    ...(options && { options }),
  }
}
