/** How a model is asked: what its profile, the configuration and an agent say of that. */
import type { Backend } from '../backends/backend.ts'
import { type Profile, type Profiles, profileOf } from '../config/profiles.ts'
import type { Path } from '../config/settings.ts'
import type { Agent } from '../session/agent.ts'
import type { Connection } from '../session/connection.ts'
import type { SessionOptions } from '../session/session.ts'

export interface Profiled {
  /** Settings of models, and which settings of the configuration come before them. Default: those built in. */
  profiles?: { own: Profiles; explicit: ReadonlySet<Path> } | undefined
}

/** What holds for a model, except where the configuration was set. */
export const profiled =
  ({ profiles }: Profiled) =>
  (model: string): Profile => {
    const { profile } = profileOf(model, profiles?.own)
    const kept = Object.entries(profile).filter(([key]) => {
      const setting = SETTINGS[key as keyof Profile]
      return setting === undefined || profiles?.explicit.has(setting) !== true
    })
    return Object.fromEntries(kept)
  }

const SETTINGS: Partial<Record<keyof Profile, Path>> = {
  context: 'context.max_tokens',
  compaction_threshold: 'context.compaction_threshold',
  tool_calling: 'ollama.tool_calling',
  think: 'ollama.think',
}

/** With what an agent says of how the model is asked. */
export const asAgent = (connection: Connection, { options, think }: Agent): Connection => ({
  ...connection,
  async connect(other) {
    const { setup, notices } = await connection.connect(other)
    const own = {
      ...(options && { options: { ...setup.options, ...options } }),
      ...(think !== undefined && { think }),
    }
    return { setup: { ...setup, ...own }, notices }
  },
})

export const stateOf = ({ state }: Backend, model: () => string | undefined): SessionOptions['state'] =>
  state &&
  (async () => {
    const name = model()
    return name === undefined ? undefined : state(name)
  })
