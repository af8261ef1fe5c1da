/**
 * Whether a folder's own instructions and configuration are used. The person is asked once, by the line mode; without
 * a terminal an unknown folder is not trusted.
 */
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { projectDirectories } from '../context/instructions.ts'

interface TrustFile {
  /** Real path → the answer. */
  folders: Record<string, boolean>
}

/** The person's answer about a folder (a real path); undefined: never asked. */
export const trustOf = (home: string, cwd: string): boolean | undefined => read(home).folders[cwd]

export async function rememberTrust(home: string, cwd: string, trusted: boolean): Promise<void> {
  const { folders } = read(home)
  const file = path.join(home, 'trust.json')
  await mkdir(home, { recursive: true, mode: 0o700 })
  await writeFile(
    `${file}.new`,
    `${JSON.stringify({ folders: { ...folders, [cwd]: trusted } }, null, 2)}\n`,
    { mode: 0o600 },
  )
  await rename(`${file}.new`, file)
}

/** What of a folder would be used as instruction or configuration: nothing of it, nothing to ask about. */
export function claims(cwd: string): string[] {
  const files = projectDirectories(cwd).flatMap(directory =>
    ['AGENTS.md', 'CLAUDE.md'].map(name => path.join(directory, name)),
  )
  return [...files, path.join(cwd, '.gopi', 'config.yaml')].filter(file => existsSync(file))
}

/** A file that is not there or not ours trusts nobody. */
function read(home: string): TrustFile {
  try {
    const value: unknown = JSON.parse(readFileSync(path.join(home, 'trust.json'), 'utf8'))
    if (typeof value !== 'object' || value === null || !('folders' in value)) return { folders: {} }
    const folders = Object.entries(value.folders ?? {}).filter(([, answer]) => typeof answer === 'boolean')
    return { folders: Object.fromEntries(folders) }
  } catch {
    return { folders: {} }
  }
}
