/** Where besides gopi itself what a session offers comes from. Loaded only where something is configured. */
import { folderSources } from '../kit/folders/folders.ts'
import type { Places } from '../kit/folders/roots.ts'
import { serverSources } from '../kit/servers.ts'
import type { Source } from '../kit/source.ts'
import { Servers } from '../mcp/servers.ts'
import type { Remembered } from '../memory/remembered.ts'
import { commandEnvironment } from '../permission/environment.ts'
import { hasServers } from './extended.ts'
import { hiddenFrom } from './hidden.ts'
import { configuredServers, type ServersAsked } from './servers.ts'

/** What a server's program gets of the person's environment; the rest its entry names. */
const GIVEN = ['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR']

interface SourcesAsked extends ServersAsked {
  remembered: Pick<Remembered, 'offers'>
  /** Milliseconds before the nth new start of a server. */
  pause?(restart: number): number
}

/** The servers that are configured, not started yet. Never throws. */
export async function openServers(
  asked: SourcesAsked,
): Promise<{ servers: Servers; refused: Source['refused'] }> {
  const { config, cwd, env, remembered, pause } = asked
  const { servers, problems } = await configuredServers(asked)
  const own = commandEnvironment(env, { hidden: hiddenFrom(config.config), cwd })
  return {
    servers: new Servers(servers, {
      cwd,
      env: Object.fromEntries(GIVEN.flatMap(name => (own[name] === undefined ? [] : [[name, own[name]]]))),
      memory: remembered.offers,
      async load() {
        const { connect, checkerOf } = await import('../mcp/client.ts')
        return { connect, checkerOf }
      },
      ...(pause && { pause }),
    }),
    refused: problems,
  }
}

/** What folders and the configuration bring, as sources of a session: the nearest last. */
export async function sourcesOf(asked: SourcesAsked & Places): Promise<Source[]> {
  const { config } = asked.config
  const { cwd, env } = asked
  const own = commandEnvironment(env, { hidden: hiddenFrom(config), cwd })
  const parts = await Promise.all([
    folderSources({ ...asked, deny: config.permission.deny }),
    asked.given || hasServers(asked) ? serversAsSources(asked) : [],
    config.extensions.length > 0
      ? (await import('../kit/extensions/extensions.ts')).extensionSources(config.extensions, {
          ...{ cwd, env: own },
        })
      : [],
    Object.keys(config.hooks).length > 0 ? hookSource(asked) : [],
  ])
  return parts.flat()
}

async function serversAsSources(asked: SourcesAsked): Promise<Source[]> {
  const { servers, refused = [] } = await openServers(asked)
  if (asked.given) await firstSeen(servers, Object.keys(asked.given))
  return serverSources(servers, { budget: asked.config.config.tools.mcp_tokens, refused })
}

/** Milliseconds that servers which an editor names for the first time have to say what they offer. */
const FIRST_WAIT = 5_000

/** What an editor names nobody could try before: the session waits for it, once. Slower ones are there in the next session. */
async function firstSeen({ all }: Servers, names: readonly string[]): Promise<void> {
  const unseen = all.filter(({ name, offer }) => offer === undefined && names.includes(name))
  if (unseen.length === 0) return
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>(resolve => {
    timer = setTimeout(resolve, FIRST_WAIT)
  })
  await Promise.race([Promise.all(unseen.map(({ server }) => server.begin())), late])
  clearTimeout(timer)
  for (const known of unseen) known.offer = known.now
}

async function hookSource({ config, cwd, env }: SourcesAsked): Promise<Source[]> {
  const [{ readHooks }, { Hooks }, { lineOf }] = await Promise.all([
    import('../kit/hooks/entries.ts'),
    import('../kit/hooks/hooks.ts'),
    import('../config/line-of.ts'),
  ])
  const files = (config.sources.get('hooks') ?? []).flatMap(({ name }) => name ?? [])
  const where = (event: string) => {
    const places = files.flatMap(file => {
      const line = lineOf(file, ['hooks', event])
      return line === undefined ? [] : [`${file}:${line}`]
    })
    return places.at(-1) ?? 'hooks'
  }
  const { entries, refused } = readHooks(config.config.hooks, where)
  const own = commandEnvironment(env, { hidden: hiddenFrom(config.config), cwd })
  return [new Hooks(entries, { cwd, env: own }).source(refused)]
}
