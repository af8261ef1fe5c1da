/** The servers of tools that are configured, checked: by the configuration, and by a trusted project's own file. */
import path from 'node:path'
import type { LoadedConfig } from '../config/load.ts'
import { projectServers, SERVERS_FILE } from '../config/project-servers.ts'
import { type EntryProblem, expandEntry, readEntry } from '../mcp/entry.ts'
import type { Configured } from '../mcp/servers.ts'
import type { Told } from '../protocol/sayings.ts'
import { said } from '../words/sayings/said.ts'
import { told } from '../words/sayings/told.ts'

/** Stands for the file of servers that no file names. */
const EDITOR = 'the editor'

export interface ServersAsked {
  config: Pick<LoadedConfig, 'config' | 'sources'>
  cwd: string
  env: Readonly<Record<string, string | undefined>>
  trusted: boolean
  /** Servers that the person's editor names: nearest of all. */
  given?: Readonly<Record<string, unknown>> | undefined
}

export interface ConfiguredServers {
  servers: Configured[]
  /** What is left out, and why. */
  problems: Told[]
}

interface Named {
  name: string
  entry: unknown
  file: string
  /** Keys before the server's name in that file. */
  under: string
  strict: boolean
}

/** In the order of their files; of two with one name the project's is used, and it is told. Never throws. */
export async function configuredServers({
  config,
  cwd,
  env,
  trusted,
  given = {},
}: ServersAsked): Promise<ConfiguredServers> {
  const problems: Told[] = []
  const files = (config.sources.get('mcp') ?? []).flatMap(({ name }) => name ?? [])
  const named: Named[] = Object.entries(config.config.mcp).map(([name, entry]) => ({
    ...{ name, entry, under: 'mcp', strict: true },
    // A later file goes before an earlier one; which of them names it, the line will tell.
    file: files.at(-1) ?? 'mcp',
  }))
  for (const one of named) one.file = (await fileNaming(files, one.name)) ?? one.file
  const own = path.join(cwd, SERVERS_FILE)
  const project = trusted ? projectServers(cwd) : { servers: {} }
  if ('problem' in project) {
    const { slipIn } = await import('../config/line-of.ts')
    problems.push(told('mcp.file', { place: `${own}:${slipIn(own)}`, why: project.problem.why }))
  } else
    for (const [name, entry] of Object.entries(project.servers))
      named.push({ name, entry, file: own, under: 'mcpServers', strict: false })

  for (const [name, entry] of Object.entries(given))
    named.push({ name, entry, file: EDITOR, under: '', strict: true })

  const kept = new Map<string, { one: Named; server: Configured | undefined }>()
  for (const one of named) {
    const { name, file } = one
    const other = kept.get(name.toLowerCase())
    if (other?.one.file === file) {
      problems.push(await refusal(one, { path: [], why: said('mcp_entry.same', { other: other.one.name }) }))
      continue
    }
    if (other) problems.push(told('mcp.nearer', { place: file, server: name, other: other.one.file }))
    const read = readServer(one, env)
    if ('problem' in read) problems.push(await refusal(one, read.problem))
    kept.delete(name.toLowerCase())
    kept.set(name.toLowerCase(), { one, server: 'server' in read ? read.server : undefined })
  }
  return { servers: [...kept.values()].flatMap(({ server }) => server ?? []), problems }
}

function readServer(
  { name, entry, file, strict }: Named,
  env: ServersAsked['env'],
): { server: Configured } | { problem: EntryProblem } | { off: true } {
  const read = readEntry(name, entry, { strict })
  if (!('entry' in read)) return read
  const filled = expandEntry(read.entry, env)
  if ('unset' in filled)
    return { problem: { path: [], why: said('mcp_entry.unset', { variable: filled.unset }) } }
  const { url } = filled.entry
  if (url !== undefined && !isWebAddress(url))
    return { problem: { path: ['url'], why: said('mcp_entry.url', { url }) } }
  return { server: { name, from: file, written: read.entry, entry: filled.entry } }
}

function isWebAddress(url: string): boolean {
  try {
    return /^https?:$/.test(new URL(url).protocol)
  } catch {
    return false
  }
}

/** The last of the files that names the server. Where there is one file, nothing is read. */
async function fileNaming(files: readonly string[], name: string): Promise<string | undefined> {
  if (files.length < 2) return files[0]
  const { lineOf } = await import('../config/line-of.ts')
  return (
    files.findLast(file => (lineOf(file, ['mcp', name]) ?? 0) > (lineOf(file, ['mcp']) ?? 0)) ?? files.at(-1)
  )
}

async function refusal({ name, file, under }: Named, { path, why }: EntryProblem): Promise<Told> {
  const { lineOf } = await import('../config/line-of.ts')
  const line = file === EDITOR ? undefined : lineOf(file, [under, name, ...path])
  return told('mcp.refused', { place: line === undefined ? file : `${file}:${line}`, server: name, why })
}
