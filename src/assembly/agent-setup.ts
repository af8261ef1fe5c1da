/** What an agent with a prefix of its own is sent. */
import type { Setup } from '../agent/run.ts'
import type { Agent } from '../session/agent.ts'
import { type ConnectOptions, connectionTo } from '../session/connect.ts'

/** `main`: of the conversation that it works for. Rejects with `RunError`. */
export async function setupFor(
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
