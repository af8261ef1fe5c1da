/**
 * Whether a folder's own instructions and configuration, skills, commands and agents are used. The person is asked once;
 * without a terminal an unknown folder is not trusted. A yes is for the folder's real path (a repository in it is a folder of its own) and for
 * the content of the files that it was about: when those change, the folder is unknown again.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type FileContent, readConfigFile } from '../config/file.ts'
import { PROJECT_FILES } from '../config/load.ts'
import { SERVERS_FILE } from '../config/project-servers.ts'
import { projectInstructions } from '../context/instructions.ts'
import { PROJECT_HOMES } from '../kit/folders/roots.ts'
import { realTarget } from '../paths/real.ts'
import { treeOf } from '../paths/tree.ts'

interface Answer {
  trusted: boolean
  /** What its configuration and its instructions held then: name, as seen from the folder → hash. */
  files: Record<string, string>
}

const configNames = [...PROJECT_FILES.map(name => path.join('.gopi', name)), SERVERS_FILE]

/** The person's answer about a folder (a real path); undefined: never asked, or it was about something else. */
export function trustOf(home: string, cwd: string): boolean | undefined {
  const answer = answerFor(home, cwd)
  if (!answer?.trusted) return answer?.trusted
  return changedIn(cwd, answer).length === 0 ? true : undefined
}

/** The files for whose sake a folder that was trusted is unknown again. */
export function changedSinceTrusted(home: string, cwd: string): string[] {
  const answer = answerFor(home, cwd)
  return answer?.trusted ? changedIn(cwd, answer).map(name => path.join(cwd, name)) : []
}

export async function rememberTrust(home: string, cwd: string, trusted: boolean): Promise<void> {
  const answer: Answer = { trusted, files: contentsOf(cwd) }
  const folders = { ...foldersIn(home), [cwd]: answer }
  const file = path.join(home, 'trust.json')
  await mkdir(home, { recursive: true, mode: 0o700 })
  await writeFile(`${file}.new`, `${JSON.stringify({ folders }, null, 2)}\n`, { mode: 0o600 })
  await rename(`${file}.new`, file)
}

/** What of a folder would be used as instruction or configuration: nothing of it, nothing to ask about. */
export const claims = (cwd: string): string[] =>
  Object.keys(contentsOf(cwd)).map(name => path.join(cwd, name))

/** Instructions that are gone tell nobody anything; a configuration that is gone denies nothing any more. */
function changedIn(cwd: string, { files }: Answer): string[] {
  const now = contentsOf(cwd)
  return [...new Set([...Object.keys(now), ...configNames])].filter(name => files[name] !== now[name])
}

function contentsOf(cwd: string): Record<string, string> {
  const texts = projectInstructions(cwd)
    .found.filter(({ text }) => text !== '')
    .map(({ file, text }) => [path.relative(cwd, file), text] as const)
  const configs = configNames.flatMap(name => {
    const config = readConfigFile(path.join(cwd, name))
    return 'absent' in config ? [] : [[name, textOf(config)] as const]
  })
  const programs = configs.flatMap(([, text]) => programsIn(text, cwd))
  const all = [...texts, ...configs, ...programs, ...broughtBy(cwd)]
  return Object.fromEntries(
    all.map(([name, text]) => [name, createHash('sha256').update(text).digest('hex')]),
  )
}

/** Skills, each as a whole, and files of commands and agents: name, as seen from the folder, and what stands for its content. */
function broughtBy(cwd: string): (readonly [string, string])[] {
  return PROJECT_HOMES.flatMap(home => {
    const folders = ['skills', 'commands', 'agents'].map(kind => path.join(home, kind))
    const brought = folders.flatMap(folder =>
      namesIn(path.join(cwd, folder)).map(name => path.join(folder, name)),
    )
    return brought.map(name => [name, wholeOf(path.join(cwd, name))] as const)
  })
}

/** The project's files that the hooks, extensions and servers of its configuration run. */
function programsIn(config: string, cwd: string): (readonly [string, string])[] {
  if (!/(?:^|[\s{,])["']?(?:hooks|extensions|mcp|mcpServers)["']?\s*:/m.test(config)) return []
  const words = new Set(config.match(/[\w./@+-]+/g) ?? [])
  const files = [...words].flatMap(word => {
    const inside = word.replace(/^\/+/, '')
    return [path.join(cwd, inside), path.join(cwd, '.gopi', inside)].filter(isFile)
  })
  return [...new Set(files)].map(file => [path.relative(cwd, file), wholeOf(file)] as const)
}

const isFile = (file: string): boolean => statSync(file, { throwIfNoEntry: false })?.isFile() === true

function namesIn(folder: string): string[] {
  if (!existsSync(folder)) return []
  try {
    return readdirSync(folder).sort()
  } catch {
    return []
  }
}

/** Everything in a file or a folder; of what is far too large, when it was changed last. */
function wholeOf(file: string): string {
  const real = realTarget(file)
  const { files, links, isCut } = treeOf(real)
  const parts = (files.length > 0 ? files : ['']).map(name => `${name}\0${hashOf(path.join(real, name))}`)
  return [real, isCut, ...parts, ...links.map(({ name, to }) => `${name}\0${to}`)].join('\n')
}

/** Bytes of one file that are read. */
const MOST_BYTES = 4_000_000

function hashOf(file: string): string {
  try {
    const stats = statSync(file)
    const { size, mtimeMs } = stats
    // A pipe would block.
    if (!stats.isFile()) return ''
    if (size > MOST_BYTES) return `${size} ${mtimeMs}`
    return createHash('sha256').update(readFileSync(file)).digest('hex')
  } catch {
    return ''
  }
}

const textOf = (content: Exclude<FileContent, { absent: true }>): string =>
  'text' in content ? content.text : content.problem.message

/** A file that is not there or not ours trusts nobody; what is no plain answer is none. */
function answerFor(home: string, cwd: string): Answer | undefined {
  const folders = foldersIn(home)
  const answer = Object.hasOwn(folders, cwd) ? folders[cwd] : undefined
  // Answers from earlier versions name no files.
  if (typeof answer === 'boolean') return { trusted: answer, files: {} }
  const { trusted, files } = (answer ?? {}) as { trusted?: unknown; files?: unknown }
  if (typeof trusted !== 'boolean' || typeof files !== 'object' || files === null) return undefined
  return { trusted, files: files as Record<string, string> }
}

function foldersIn(home: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(readFileSync(path.join(home, 'trust.json'), 'utf8'))
    const { folders } = (value ?? {}) as { folders?: unknown }
    return typeof folders === 'object' && folders !== null ? (folders as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
