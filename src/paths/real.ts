/** The one place where symbolic links are resolved, also of paths where nothing stands yet. */
import { lstatSync, readlinkSync, realpathSync } from 'node:fs'
import path from 'node:path'

/** How many links are followed; systems give up at 40. */
const MOST_LINKS = 40
/** No system knows a longer one. */
const LONGEST_PATH = 4_096

/**
 * The real path that reading or writing `absolute` would touch. Of what does not exist, links are resolved as far as
 * there are any: a dangling one is where it points. Links that lead in a circle are left as they are.
 */
export function realTarget(absolute: string): string {
  if (absolute.length > LONGEST_PATH) return absolute
  try {
    return realpathSync.native(absolute)
  } catch {
    return walk(absolute)
  }
}

/** Whether a file has other names (hard links), so that a change to it is one elsewhere too. */
export function hasOtherNames(real: string): boolean {
  try {
    const stats = lstatSync(real)
    return stats.isFile() && stats.nlink > 1
  } catch {
    return false
  }
}

/** Part by part, as the system does it: `..` after a link leaves the directory that it points to. */
function walk(absolute: string): string {
  const { root } = path.parse(absolute)
  const left = partsOf(absolute.slice(root.length))
  let real = root
  for (let links = 0; left.length > 0; ) {
    const next = path.join(real, left.shift() ?? '')
    const target = linkOf(next)
    if (target === undefined) real = next
    else if (++links > MOST_LINKS) return absolute
    else {
      const { root: elsewhere } = path.parse(target)
      if (elsewhere !== '') real = elsewhere
      left.unshift(...partsOf(target.slice(elsewhere.length)))
    }
  }
  return real
}

const partsOf = (text: string): string[] => text.split(path.sep).filter(part => part !== '')

function linkOf(file: string): string | undefined {
  try {
    return readlinkSync(file)
  } catch {
    return undefined
  }
}
