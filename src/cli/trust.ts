/**
 * Whether a folder's own instructions and configuration are used. The person is asked once; without a terminal an
 * unknown folder is not trusted. A yes is for the folder's real path (a repository in it is a folder of its own) and for
 * what its files that can make gopi do something hold: when those change, the folder is unknown again.
 */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { readConfigFile } from '../config/file.ts'
import { projectDirectories } from '../context/instructions.ts'

interface Answer {
  trusted: boolean
  /** What the files that can make gopi do something held then: name → hash. */
  files: Record<string, string>
}

/** Files of a folder that can make gopi do something, by their names in it. */
const powerful: readonly string[] = [path.join('.gopi', 'config.yaml')]

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
export function claims(cwd: string): string[] {
  const files = projectDirectories(cwd).flatMap(directory =>
    ['AGENTS.md', 'CLAUDE.md'].map(name => path.join(directory, name)),
  )
  return [...files, ...powerful.map(name => path.join(cwd, name))].filter(file => existsSync(file))
}

function changedIn(cwd: string, { files }: Answer): string[] {
  const now = contentsOf(cwd)
  return powerful.filter(name => files[name] !== now[name])
}

function contentsOf(cwd: string): Record<string, string> {
  const contents: Record<string, string> = {}
  for (const name of powerful) {
    const content = readConfigFile(path.join(cwd, name))
    if ('absent' in content) continue
    const text = 'text' in content ? content.text : content.problem
    contents[name] = createHash('sha256').update(text).digest('hex')
  }
  return contents
}

/** A file that is not there or not ours trusts nobody; what is no plain answer is none. */
function answerFor(home: string, cwd: string): Answer | undefined {
  const folders = foldersIn(home)
  const answer = Object.hasOwn(folders, cwd) ? folders[cwd] : undefined
  // Answers of earlier versions knew of no files.
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
