import { readlink, realpath } from 'node:fs/promises'
import path from 'node:path'

/**
 * The real path that a file tool would touch: links resolved in the deepest part that exists, the rest appended.
 * A dangling link resolves to where it points, so that writing through it is judged by its target.
 */
export async function realTarget(file: string, cwd: string): Promise<string> {
  const absolute = path.resolve(cwd, file)
  const missing: string[] = []
  let existing = absolute
  for (;;) {
    try {
      return path.join(await realpath(existing), ...missing)
    } catch {
      const pointsTo = await danglingLink(existing)
      if (pointsTo !== undefined) return path.join(pointsTo, ...missing)
      const parent = path.dirname(existing)
      if (parent === existing) return absolute
      missing.unshift(path.basename(existing))
      existing = parent
    }
  }
}

async function danglingLink(file: string): Promise<string | undefined> {
  try {
    return path.resolve(path.dirname(file), await readlink(file))
  } catch {
    return undefined
  }
}
