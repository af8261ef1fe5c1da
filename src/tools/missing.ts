/** What to say of a path that does not exist: small models often leave out a directory, or spell a name nearly right. */
import { readdir, readlink, stat } from 'node:fs/promises'
import path from 'node:path'
import { isInside } from '../paths/inside.ts'
import { ToolError } from '../protocol/errors.ts'
import { nearest } from '../text/nearest.ts'
import { showPath, type ToolPath } from './path.ts'
import { walk } from './walk.ts'

const maxSuggestions = 3
/** Files looked at for the same name elsewhere. */
const maxLookedAt = 5000

/** A path that leads to nothing. */
export class MissingFile extends ToolError {}

/** The error for a missing path, with up to three paths that may have been meant. */
export async function missing({ absolute, shown }: ToolPath, cwd: string): Promise<ToolError> {
  const target = await readlink(absolute).catch(() => undefined)
  if (target !== undefined) return new ToolError(`${shown} is a link to ${target}, which does not exist.`)
  const meant = new Set<string>()
  const sibling = await nearSibling(absolute)
  if (sibling) meant.add(showPath(sibling, cwd))
  if (isInside(absolute, cwd)) {
    for (const file of await sameName(path.basename(absolute), cwd)) meant.add(file)
  }
  const suggestions = [...meant].slice(0, maxSuggestions)
  const hint = suggestions.length > 0 ? ` Did you mean ${suggestions.join(' or ')}?` : ''
  return new MissingFile(`${shown} does not exist.${hint}`)
}

/** A near name in the deepest directory of the path that exists. */
async function nearSibling(absolute: string): Promise<string | undefined> {
  let wanted = absolute
  for (;;) {
    const parent = path.dirname(wanted)
    if (parent === wanted) return undefined
    if (await isDirectory(parent)) {
      const names = await readdir(parent)
      const near = nearest(path.basename(wanted), names)
      return near === undefined ? undefined : path.join(parent, near)
    }
    wanted = parent
  }
}

async function sameName(name: string, cwd: string): Promise<string[]> {
  const found: string[] = []
  let lookedAt = 0
  for await (const file of walk(cwd, { cwd })) {
    if (path.posix.basename(file) === name && found.push(file) === maxSuggestions) break
    if (++lookedAt === maxLookedAt) break
  }
  return found
}

async function isDirectory(file: string): Promise<boolean> {
  try {
    return (await stat(file)).isDirectory()
  } catch {
    return false
  }
}
