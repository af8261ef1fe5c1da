/** The installed models with what is known about them, for a list to choose from. */
import type { ChatModel } from '../model/model.ts'
import type { KnownModel } from '../tui/list/items.ts'

/** Rejects with `RunError`. A model about which the server says nothing is listed all the same. */
export async function knownModels(chat: ChatModel): Promise<KnownModel[]> {
  const [installed, loaded] = await Promise.all([chat.installed(), chat.loaded().catch(() => [])])
  return Promise.all(
    installed.map(async ({ name, size, parameter_size: parameters }) => {
      const facts = await chat.facts(name).catch(() => undefined)
      const context = facts?.trained_context
      return {
        ...{ name, size, isLoaded: loaded.some(model => model.name === name) },
        ...(parameters !== undefined && { parameters }),
        ...(context !== undefined && { context }),
        ...(facts && { capabilities: facts.capabilities }),
      }
    }),
  )
}
