/**
 * What servers offer, as tools. Within the budget each is a tool of its own, which every prompt pays for; the rest is found
 * with `mcp_search` and called with `mcp_call`.
 */
import { ToolError } from '../protocol/errors.ts'
import { messageOf } from '../text/message-of.ts'
import { isRecord, parseRecord } from '../text/record.ts'
import type { Checked, Tool, ToolContext, ToolResult } from '../tools/tool.ts'
import { type Offer, type OfferedTool, shownName } from './offer.ts'
import { readResult } from './result.ts'
import { flatSchema } from './schema.ts'
import type { Known, Servers } from './servers.ts'

/** How many tools a search shows. */
const MOST_FOUND = 8

export interface McpTools {
  /** By server those that stand in the prompt. */
  direct: ReadonlyMap<string, readonly Tool[]>
  /** The two small ones, where something is not in the prompt. */
  indirect: readonly Tool[]
}

/** Tokens that a tool takes in every prompt: an estimate that stays the same whatever the model. */
export const tokensOf = ({
  name,
  description,
  parameters,
}: Pick<Tool, 'name' | 'description' | 'parameters'>): number =>
  Math.ceil(JSON.stringify({ name, description, parameters }).length / 4)

/** `budget`: tokens for the tools of all servers. Servers that nobody has seen yet are reached through the two. */
export function mcpTools(servers: Servers, budget: number): McpTools {
  const each = servers.all.map(known => ({ known, tools: toolsOf(known, known.offer, servers) }))
  const all = each.flatMap(({ tools }) => tools)
  const total = all.reduce((sum, tool) => sum + tokensOf(tool), 0)
  const isWhole = total <= budget && servers.all.every(({ offer }) => offer !== undefined)
  const indirect = isWhole ? [] : [searchTool(servers), callTool(servers)]
  let room = budget - indirect.reduce((sum, tool) => sum + tokensOf(tool), 0)
  const direct = new Map<string, Tool[]>()
  for (const { known, tools } of each) {
    const kept = tools.filter(tool => {
      const tokens = tokensOf(tool)
      if (tokens > room) return false
      room -= tokens
      return true
    })
    direct.set(known.name, kept)
  }
  return { direct, indirect }
}

/** The same of a tool that a server offers. */
export const toolTokens = (server: string, { name, description, schema }: OfferedTool): number =>
  tokensOf({ name: fullName(server, name), description, parameters: flatSchema(schema) })

const toolsOf = (known: Known, offer: Offer | undefined, servers: Servers): Tool[] =>
  (offer?.tools ?? []).map(tool => mcpTool(known, tool, servers))

const fullName = (server: string, tool: string) => `mcp__${server}__${shownName(tool)}`

function mcpTool(known: Known, offered: OfferedTool, servers: Servers): Tool {
  const { name: of, server, written } = known
  // A program could do whatever it says it does not: it is believed as far as it is trusted.
  const isNear = offered.closed === true && written.command !== undefined
  const name = fullName(of, offered.name)
  const parameters = flatSchema(offered.schema)
  let checker: ((args: unknown) => string | undefined) | undefined
  const problemOf = (args: unknown) => {
    checker ??= servers.room?.checkerOf(offered.schema)
    return checker?.(args)
  }
  const check = (args: unknown): Checked => {
    const given = typeof args === 'string' ? parseRecord(args) : args
    if (!isRecord(given)) return { ok: false, problem: `${name}: expected an object of arguments` }
    const missing = parameters.required.filter(key => given[key] === undefined)
    if (missing.length > 0) return { ok: false, problem: `${name}: missing ${missing.join(', ')}` }
    const problem = problemOf(given)
    return problem === undefined
      ? { ok: true, args: { ...given } }
      : { ok: false, problem: `${name}: ${problem.replaceAll(/\bdata\//g, '')}` }
  }
  return {
    name,
    description: offered.description,
    parameters,
    check,
    access() {
      const now = (known.now ?? known.offer)?.tools.find(({ name }) => name === offered.name)
      return [{ unknown: offered.description, ...(now?.changed && { changed: true }) }]
    },
    async preview(args) {
      const hint = offered.readOnly ? '\n(the server says: only reads)' : ''
      return { type: 'text', text: `${name} ${JSON.stringify(args, null, 2)}${hint}` }
    },
    async execute(args, context) {
      known.allowed(offered.name)
      await servers.load()
      // Before the client was there only the names were checked.
      const problem = problemOf(args)
      if (problem !== undefined) throw new ToolError(`${name}: ${problem.replaceAll(/\bdata\//g, '')}`)
      const result = await told(() => server.call(offered.name, args, callOptions(context)), context)
      // It is there by now; to have it before the first request would load all that comes after one.
      const { asForeign } = await import('../text/foreign.ts')
      const from = `mcp:${of}`
      // Why a call failed is told as it stands: people see it too.
      const output = result.is_error ? result.output : asForeign(result.output, { from })
      return { ...result, output, ...(!isNear && { details: { foreign: from } }) }
    },
  }
}

const callOptions = ({ signal, onOutput }: ToolContext) => ({
  signal,
  onProgress: (text: string) => void onOutput(`${text}\n`),
})

/** Bytes for the marks around what a server says. */
const MARKS = 200

/** A server's failure is the model's to hear. */
async function told(ask: () => Promise<unknown>, context: ToolContext): Promise<ToolResult> {
  const { signal, budget, limits } = context
  try {
    return readResult(await ask(), Math.min(budget, limits.bash_max_output) - MARKS)
  } catch (error) {
    signal.throwIfAborted()
    throw new ToolError(messageOf(error))
  }
}

/** Every tool that can be called now: what servers have said since, before what is remembered. */
const callable = (servers: Servers): Tool[] =>
  servers.all.flatMap(known => toolsOf(known, known.now ?? known.offer, servers))

function searchTool(servers: Servers): Tool {
  const name = 'mcp_search'
  return {
    name,
    description: `Find further tools (of ${servers.all.map(one => one.name).join(', ')}).`,
    parameters: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
    check: args =>
      isRecord(args) && typeof args.query === 'string'
        ? { ok: true, args: { query: args.query } }
        : { ok: false, problem: `${name}: missing query` },
    access: () => [{ none: true }],
    async execute({ query }, { signal, budget, limits }) {
      await unseen(servers, signal)
      return readResult(
        { content: [{ type: 'text', text: found(callable(servers), String(query)) }] },
        Math.min(budget, limits.bash_max_output),
      )
    },
  }
}

/** Those that were never seen are waited for. */
async function unseen(servers: Servers, signal: AbortSignal): Promise<void> {
  const begun = servers.all.filter(({ offer, now }) => !offer && !now).map(({ server }) => server.begin())
  if (begun.length === 0) return
  let stop = () => {}
  const aborted = new Promise<void>(resolve => {
    stop = resolve
    signal.addEventListener('abort', stop, { once: true })
  })
  await Promise.race([Promise.all(begun), aborted])
  signal.removeEventListener('abort', stop)
  signal.throwIfAborted()
}

function found(tools: readonly Tool[], query: string): string {
  const words = query
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(word => word.length > 1)
  const ranked = tools
    .map(tool => {
      const [name, text] = [tool.name.toLowerCase(), tool.description.toLowerCase()]
      const hits = words.map(word => (name.includes(word) ? 3 : text.includes(word) ? 1 : 0))
      return { tool, rank: hits.reduce<number>((sum, hit) => sum + hit, 0) }
    })
    .sort((a, b) => b.rank - a.rank)
  const best = ranked.filter(({ rank }) => rank > 0).slice(0, MOST_FOUND)
  if (best.length === 0) {
    const names = tools.map(({ name }) => name).join(', ')
    return tools.length === 0 ? 'No tools: no server answers.' : `Nothing found. There are: ${names}`
  }
  const lines = best.map(({ tool: { name, description, parameters } }) => {
    const { properties, required } = parameters
    return JSON.stringify({ tool: name, description, arguments: properties, required })
  })
  return `${lines.join('\n')}\nCall one with mcp_call.`
}

function callTool(servers: Servers): Tool {
  const name = 'mcp_call'
  const target = ({ tool }: Record<string, unknown>) => {
    const wanted = String(tool).toLowerCase()
    return callable(servers).find(one => one.name.toLowerCase() === wanted)
  }
  const inner = (args: Record<string, unknown>): Record<string, unknown> =>
    isRecord(args.arguments) ? args.arguments : {}
  return {
    name,
    description: 'Call a tool that mcp_search found.',
    parameters: {
      type: 'object',
      properties: { tool: { type: 'string' }, arguments: { type: 'object' } },
      required: ['tool', 'arguments'],
    },
    check(args) {
      if (!isRecord(args) || typeof args.tool !== 'string')
        return { ok: false, problem: `${name}: missing tool` }
      const found = target(args)
      if (!found)
        return {
          ok: false,
          problem: `${name}: there is no tool ${JSON.stringify(args.tool)}; find one with mcp_search.`,
        }
      const checked = found.check(args.arguments ?? {})
      return checked.ok ? { ok: true, args: { tool: found.name, arguments: checked.args } } : checked
    },
    ruledAs: args => target(args)?.name ?? name,
    access: (args, cwd) => target(args)?.access(inner(args), cwd) ?? [],
    preview: async (args, context) =>
      (await target(args)?.preview?.(inner(args), context)) ?? { type: 'text', text: JSON.stringify(args) },
    async execute(args, context) {
      const found = target(args)
      if (!found) throw new ToolError(`${name}: there is no tool ${String(args.tool)} any more.`)
      return found.execute(inner(args), context)
    },
  }
}
