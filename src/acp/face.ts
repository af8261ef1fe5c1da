/** gopi as an agent in an editor: the sessions of one connection. */
import { realpathSync, statSync } from 'node:fs'
import path from 'node:path'
import type {
  AgentContext,
  ClientCapabilities,
  McpServer,
  NewSessionResponse,
} from '@agentclientprotocol/sdk'
import { messageOf } from '../text/message-of.ts'
import { Conversation } from './conversation.ts'
import { FAILED, type Handlers, NOT_THERE, Refusal, WRONG_PARAMS } from './handlers.ts'
import type { House } from './house.ts'

/** Sessions in one answer to `session/list`. */
const PAGE = 100
/** What gopi speaks. */
const VERSION = 1

export interface Face {
  handlers(editor: AgentContext): Handlers
  /** Nothing is left running. */
  end(): Promise<void>
}

export function createFace(house: House): Face {
  const { own } = house
  const open = new Map<string, Conversation>()
  /** Those that are on their way, too. */
  const all = new Set<Conversation>()
  let client: ClientCapabilities = {}
  let isOver = false

  const known = (id: string): Conversation => {
    const conversation = open.get(id)
    if (!conversation) throw new Refusal(NOT_THERE, own.notOpen(id), { sessionId: id })
    return conversation
  }

  interface Wanted {
    cwd: string
    mcpServers?: readonly McpServer[] | undefined
    sessionId?: string
  }

  /** Opens a session; `replays`: and tells what was said in it. */
  async function begin(
    editor: AgentContext,
    { cwd: base, mcpServers = [], sessionId }: Wanted,
    replays = false,
  ) {
    const cwd = directoryAt(base)
    if (sessionId !== undefined) {
      if (!house.past(cwd).some(({ id }) => id === sessionId))
        throw new Refusal(NOT_THERE, own.noSession(sessionId), { sessionId })
      await end(sessionId)
    }
    const { given, refused } = serversIn(mcpServers)
    const conversation = new Conversation({ editor, client, house, cwd, base: path.normalize(base), given })
    all.add(conversation)
    try {
      await conversation.open(sessionId)
    } catch (error) {
      all.delete(conversation)
      throw error instanceof Refusal ? error : new Refusal(FAILED, messageOf(error))
    }
    if (isOver) await conversation.close()
    open.set(conversation.id, conversation)
    if (replays) await conversation.replay()
    for (const name of refused) conversation.say(own.noSse(name))
    // Behind the answer, which names the session.
    setImmediate(() => conversation.ready())
    const { modes, configOptions, id } = conversation
    return { sessionId: id, modes, configOptions } satisfies NewSessionResponse
  }

  async function end(id: string): Promise<boolean> {
    const conversation = open.get(id)
    open.delete(id)
    if (!conversation) return false
    all.delete(conversation)
    await conversation.close()
    return true
  }

  /** A real path. */
  function directoryAt(given: string): string {
    if (!path.isAbsolute(given)) throw new Refusal(WRONG_PARAMS, own.absolute(given))
    try {
      const real = realpathSync(given)
      if (statSync(real).isDirectory()) return real
    } catch {
      // It is not there.
    }
    throw new Refusal(WRONG_PARAMS, own.noDirectory(given))
  }

  return {
    handlers: editor => ({
      async initialize(asked) {
        client = asked.clientCapabilities ?? {}
        return {
          protocolVersion: VERSION,
          agentInfo: { name: 'gopi', title: 'gopi', version: process.env.GOPI_VERSION ?? '0' },
          agentCapabilities: {
            loadSession: true,
            promptCapabilities: { image: true, embeddedContext: true },
            mcpCapabilities: { http: true },
            sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {} },
          },
          authMethods: [],
        }
      },
      begin: ({ cwd, mcpServers }) => begin(editor, { cwd, mcpServers }),
      async load(asked) {
        const { sessionId: _, ...rest } = await begin(editor, asked, true)
        return rest
      },
      async resume(asked) {
        const { sessionId: _, ...rest } = await begin(editor, asked)
        return rest
      },
      async list({ cwd, cursor }) {
        const from = Number(cursor ?? 0)
        if (!Number.isSafeInteger(from) || from < 0)
          throw new Refusal(WRONG_PARAMS, own.noOption(`cursor ${cursor}`))
        const past = house
          .past(cwd == null ? undefined : directoryAt(cwd))
          .filter(({ title }) => title !== '')
        const sessions = past.slice(from, from + PAGE).map(({ id, title, modified, cwd: where }) => ({
          ...{ sessionId: id, cwd: where, title, updatedAt: modified.toISOString() },
        }))
        const next = from + PAGE < past.length ? { nextCursor: String(from + PAGE) } : {}
        return { sessions, ...next }
      },
      async close({ sessionId }) {
        if (!(await end(sessionId))) known(sessionId)
        return {}
      },
      async remove({ sessionId }) {
        await end(sessionId)
        const process = house.remove(sessionId)
        if (process !== undefined) throw new Refusal(FAILED, own.isOpen(sessionId, process))
        return {}
      },
      async setMode({ sessionId, modeId }) {
        known(sessionId).setMode(modeId)
        return {}
      },
      async setOption({ sessionId, configId, value }) {
        const conversation = known(sessionId)
        await conversation.setOption(configId, value)
        return { configOptions: conversation.configOptions }
      },
      prompt: async ({ sessionId, prompt }, signal) => known(sessionId).prompt(prompt, signal),
      async cancel({ sessionId }) {
        open.get(sessionId)?.cancel()
      },
    }),
    async end() {
      isOver = true
      open.clear()
      await Promise.allSettled([...all].map(conversation => conversation.close()))
    },
  }
}

/** As they would stand in config.yaml; a name has letters, digits and hyphens there. */
function serversIn(servers: readonly McpServer[]): {
  given: Record<string, unknown> | undefined
  refused: string[]
} {
  const pairs = (list: readonly { name: string; value: string }[]) =>
    Object.fromEntries(list.map(({ name, value }) => [name, value]))
  const nameOf = ({ name }: McpServer) =>
    name
      .replaceAll(/[^A-Za-z0-9-]+/g, '-')
      .replace(/^-+/, '')
      .slice(0, 40)
  const refused = servers.filter(server => 'type' in server && server.type === 'sse').map(({ name }) => name)
  const given = servers.flatMap((server): [string, object][] => {
    const name = nameOf(server)
    if ('command' in server) {
      const { command, args, env } = server
      return [[name, { command, args, env: pairs(env) }]]
    }
    const { type, url, headers } = server
    return type === 'http' ? [[name, { url, headers: pairs(headers) }]] : []
  })
  return { given: given.length > 0 ? Object.fromEntries(given) : undefined, refused }
}
