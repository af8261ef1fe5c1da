/** Servers of tools as sources: each with what it offered when it was last seen, which holds for the session. */
import { homedir } from 'node:os'
import { type OfferedPrompt, shownName } from '../mcp/offer.ts'
import { readContents, readMessages } from '../mcp/result.ts'
import type { Known, Servers } from '../mcp/servers.ts'
import { type McpTools, mcpTools, tokensOf } from '../mcp/tools.ts'
import type { Told } from '../protocol/sayings.ts'
import { shownPath } from '../text/shown-path.ts'
import type { Words } from '../words/words.ts'
import type { Command } from './commands/command.ts'
import type { Source, State } from './source.ts'

export interface ServerSourcesOptions {
  /** Tokens that the tools of all servers may take of every prompt. */
  budget: number
  /** Entries that are left out. */
  refused: readonly Told[]
}

/** Milliseconds after the first request has left until servers are started. */
const AFTER_REQUEST = 50
/** The same where nobody asks for anything yet. */
const AT_REST = 1_000
/** Bytes of a prompt that a server has. */
const LONGEST_PROMPT = 50_000

export function serverSources(servers: Servers, { budget, refused }: ServerSourcesOptions): Source[] {
  if (servers.all.length === 0) return [{ from: 'gopi', refused }]
  const tools = mcpTools(servers, budget)
  const each = servers.all.map((known): Source => {
    const { name, offer } = known
    const prompts = offer?.prompts ?? []
    return {
      from: `mcp:${name}`,
      tools: tools.direct.get(name) ?? [],
      ...(prompts.length > 0 && {
        commands: async () => prompts.map(prompt => promptCommand(known, prompt)),
      }),
      states: () => [stateOf(known)],
      watch: changed => known.server.watch(changed),
    }
  })
  const shared: Source = {
    from: 'gopi',
    tools: tools.indirect,
    refused,
    commands: async () => [mcpCommand(servers, tools)],
    resource: word => resourceOf(servers, word),
    resources: word => resourcesOf(servers, word),
    begin(session) {
      servers.listen(notice => session.notice(notice))
      // A run that goes on tells by itself when its request is on its way.
      let timer = setTimeout(() => session.isStreaming || begin(), AT_REST).unref()
      let isTurn = false
      const unsubscribe = session.subscribe(({ type }) => {
        isTurn ||= type === 'turn_start'
        // Within a turn it says that the request leaves now; before it, that one is made ready.
        if (!isTurn || type !== 'phase') return
        unsubscribe()
        clearTimeout(timer)
        timer = setTimeout(begin, AFTER_REQUEST).unref()
      })
      function begin(): void {
        unsubscribe()
        void servers.begin()
      }
      return () => {
        clearTimeout(timer)
        unsubscribe()
        return servers.close()
      }
    },
  }
  return [...each, shared]
}

const stateOf = ({ name, server }: Known): State => ({
  name,
  state: server.state,
  ...(server.startedIn !== undefined && { ms: Math.round(server.startedIn) }),
})

function mcpCommand(servers: Servers, tools: McpTools): Command {
  return {
    name: 'mcp',
    words: ({ kit }) => ({ does: kit.mcp }),
    needs: ['work'],
    run: host =>
      host.work(async ({ show, words }) =>
        show(servers.all.map(known => row(known, tools, words)).join('\n')),
      ),
  }
}

function row(known: Known, { direct }: McpTools, { kit }: Words): string {
  const { name, from, server } = known
  const { state, why, startedIn } = server
  const offer = known.now ?? known.offer
  const told = direct.get(name) ?? []
  return kit.server({
    name,
    state: kit.states[state],
    ...(state === 'dead' || state === 'waiting' ? { why } : {}),
    ...(startedIn !== undefined && { ms: Math.round(startedIn) }),
    tools: offer?.tools.length ?? 0,
    told: told.length,
    tokens: told.reduce((sum, tool) => sum + tokensOf(tool), 0),
    readOnly: offer?.tools.filter(({ readOnly }) => readOnly).length ?? 0,
    prompts: offer?.prompts.length ?? 0,
    resources: offer?.resources ?? false,
    from: shownPath(from, homedir()),
  })
}

/** `/mcp__SERVER__PROMPT`: its words are the server's. */
function promptCommand({ name: of, server }: Known, prompt: OfferedPrompt): Command {
  const { name, description, arguments: labels } = prompt
  const isRequired = labels.some(label => !label.endsWith('?'))
  const argument = labels.map(label => label.toUpperCase()).join(' ')
  return {
    name: `mcp__${of}__${shownName(name)}`,
    words: () => ({ does: description, ...(argument !== '' && { argument }) }),
    ...(argument !== '' && { argument: { isRequired } }),
    needs: ['work'],
    run: (host, typed) =>
      host.work(async desk => {
        const given = argumentsOf(labels, typed)
        const { signal } = new AbortController()
        desk.prompt(
          readMessages(await server.prompt(name, given, signal), LONGEST_PROMPT),
          `/mcp__${of}__${shownName(name)} ${typed}`.trim(),
        )
      }),
  }
}

/** Words in the order of the arguments, in quotes what holds a space; the last argument takes the rest. */
function argumentsOf(labels: readonly string[], typed: string): Record<string, string> {
  const words = typed.match(/"[^"]*"|\S+/g) ?? []
  const bare = (word: string) => word.replace(/^"(.*)"$/, '$1')
  const values = labels.map((label, n) => {
    const rest = n === labels.length - 1 ? words.slice(n) : words.slice(n, n + 1)
    return [label.replace(/\?$/, ''), rest.length > 1 ? rest.join(' ') : rest.map(bare).join('')] as const
  })
  return Object.fromEntries(values.filter(([, value]) => value !== ''))
}

/** What a connected server has, as `SERVER:URI`. */
function resourcesOf(servers: Servers, word: string): ReturnType<NonNullable<Source['resources']>> {
  const known = servers.all.find(({ name }) => word.startsWith(`${name}:`))
  if (known?.server.state !== 'ready') return undefined
  return known.server
    .resources(new AbortController().signal)
    .then(all => all.map(({ uri, label }) => ({ word: `${known.name}:${uri}`, label })))
}

/** `SERVER:URI` */
function resourceOf(servers: Servers, word: string): ReturnType<NonNullable<Source['resource']>> {
  const colon = word.indexOf(':')
  const known = colon > 0 ? servers.all.find(({ name }) => name === word.slice(0, colon)) : undefined
  const uri = word.slice(colon + 1)
  if (!known || uri === '') return undefined
  return {
    tool: `mcp__${known.name}__resources`,
    read: async (signal, room) => readContents(await known.server.read(uri, signal), room),
  }
}
