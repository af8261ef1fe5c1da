/** `gopi mcp`: the servers of tools that are configured, changed and tried. */
import { realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { openServers } from '../assembly/sources.ts'
import { trustOf } from '../assembly/trust.ts'
import { gopiHome } from '../config/home.ts'
import { readEntry, type ServerEntry } from '../mcp/entry.ts'
import type { Known } from '../mcp/servers.ts'
import { toolTokens } from '../mcp/tools.ts'
import { openRemembered } from '../memory/remembered.ts'
import { UsageError } from '../protocol/errors.ts'
import { escapeJson, sanitize } from '../text/sanitize.ts'
import { maskValue } from '../text/secrets.ts'
import { shownPath } from '../text/shown-path.ts'
import { loadWords } from '../words/language.ts'
import type { Reports } from '../words/reports-en.ts'
import { said } from '../words/sayings/said.ts'
import { inEnglish } from '../words/sayings/told.ts'
import type { McpCommand } from './args.ts'
import { configFor } from './config-for.ts'
import { languageAnyway, languageFor, reportsIn } from './reports.ts'
import { say } from './say.ts'

export async function mcpCommand(command: McpCommand): Promise<number> {
  if (command.verb === 'add' || command.verb === 'remove') return change(command)
  const { verb, name, json = false } = command
  const env = process.env
  const home = gopiHome(env)
  const cwd = realpathSync(process.cwd())
  const trusted = command.trust ?? trustOf(home, cwd) ?? false
  const { env: _, header, rest, ...asked } = command
  const config = await configFor(asked)
  const language = languageFor(config)
  const words = (await reportsIn(language)).mcp
  const remembered = openRemembered(home)
  const { servers, refused = [] } = await openServers({ config, cwd, env, trusted, remembered })
  const notices = [...config.notices, ...refused]
  if (notices.length > 0) notices.map((await loadWords(language)).say).forEach(say)
  const wanted = servers.all.filter(known => name === undefined || known.name === name)
  if (name !== undefined && wanted.length === 0) {
    const names = servers.all.map(known => known.name).join(', ')
    throw new UsageError(`there is no MCP server ${name}${names === '' ? '' : `; there are ${names}`}`)
  }
  try {
    if (verb === 'test') {
      await Promise.all(wanted.map(({ server }) => server.begin()))
      const told = wanted.map(known => (json ? JSON.stringify(asJson(known)) : tried(known, words)))
      print(told.join('\n'), json)
      return wanted.every(({ now }) => now !== undefined) ? 0 : 1
    }
    if (verb === 'get' || json) print(JSON.stringify(wanted.map(asJson), null, 2), true)
    else if (wanted.length > 0) print(wanted.map(known => line(known, words)).join('\n'), false)
    else say(words.none)
    return 0
  } finally {
    await servers.close()
    remembered.close()
  }
}

const print = (text: string, json: boolean) =>
  void process.stdout.write(`${json ? escapeJson(text) : sanitize(text)}\n`)

const place = ({ written: { command = '', args = [], url } }: Known) => url ?? [command, ...args].join(' ')

type Words = Reports['mcp']

function line(known: Known, words: Words): string {
  const { name, from, offer } = known
  const tools = offer === undefined ? words.unseen : words.tools(offer.tools.length, tokens(known))
  return `${name}  ${tools}  ${shownPath(from, homedir())}  ${String(maskValue(place(known)))}`
}

const tokens = ({ name, now, offer }: Known) =>
  ((now ?? offer)?.tools ?? []).reduce((sum, tool) => sum + toolTokens(name, tool), 0)

function tried(known: Known, words: Words): string {
  const { name, now, server } = known
  if (!now) return words.dead(name, server.why)
  const first = `${name}: ${words.ready(Math.round(server.startedIn ?? 0), words.tools(now.tools.length, tokens(known)))}`
  const tools = now.tools.map(
    tool => `  ${tool.name}${tool.readOnly ? ` (${words.onlyReads})` : ''}: ${tool.description}`,
  )
  const prompts = now.prompts.map(prompt => `  ${words.prompt} ${prompt.name}: ${prompt.description}`)
  return [first, ...tools, ...prompts, ...(now.resources ? [`  ${words.resources}: @${name}:URI`] : [])].join(
    '\n',
  )
}

const asJson = (known: Known) => ({
  name: known.name,
  from: known.from,
  ...(maskValue(known.written) as object),
  ...(known.server.state !== 'idle' && { state: known.server.state, why: known.server.why }),
  tokens: tokens(known),
  offers: known.now ?? known.offer,
})

/** In the person's config file. */
async function change(command: McpCommand): Promise<number> {
  const { verb, name = '', rest, env, header, config } = command
  const named = config ?? (process.env.GOPI_CONFIG || undefined)
  const file = named === undefined ? path.join(gopiHome(process.env), 'config.yaml') : path.resolve(named)
  const entry = verb === 'remove' ? undefined : entryOf(rest, env, header)
  const read = entry && readEntry(name, entry, { strict: true })
  if (read && 'problem' in read) throw new UsageError(inEnglish(read.problem.why).message)
  const { holds, setValues } = await import('../config/set-values.ts')
  const isThere = holds(file, ['mcp', name])
  if (isThere !== (verb === 'remove'))
    throw new UsageError(isThere ? `${file} has a server ${name} already` : `${file} has no server ${name}`)
  const problem = setValues(file, [[['mcp', name], entry]])
  if (problem) throw new UsageError(problem.message)
  const { env: _, header: __, rest: ___, ...asked } = command
  const words = await reportsIn(await languageAnyway(asked))
  const parts = [words.config.written(file), ...(verb === 'add' ? [words.mcp.tryIt(name)] : [])]
  say(parts.join(' '))
  return 0
}

function entryOf(
  [first = '', ...args]: readonly string[],
  env: readonly string[] = [],
  header: readonly string[] = [],
): Omit<ServerEntry, 'timeout'> {
  const pairs = (option: string, texts: readonly string[], between: RegExp) =>
    Object.fromEntries(
      texts.map(text => {
        const [, key, value] = between.exec(text) ?? []
        if (key === undefined || value === undefined)
          throw new UsageError(`${option} expects a name and a value; ${JSON.stringify(text)} came`)
        return [key, value]
      }),
    )
  if (/^https?:\/\//.test(first)) {
    if (args.length > 0 || env.length > 0) throw new UsageError(inEnglish(said('mcp_entry.way', {})).message)
    return {
      url: first,
      ...(header.length > 0 && { headers: pairs('--header', header, /^([^\s:]+):\s*(.*)$/) }),
    }
  }
  if (header.length > 0) throw new UsageError('--header is for a server with a URL')
  return {
    command: first,
    ...(args.length > 0 && { args }),
    ...(env.length > 0 && { env: pairs('--env', env, /^([^\s=]+)=(.*)$/s) }),
  }
}
