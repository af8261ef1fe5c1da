/** Paths as the editor writes them and as gopi does: an editor may have opened the directory through a link. */
import path from 'node:path'
import { isInside } from '../paths/inside.ts'

export interface Bases {
  /** A real path. */
  cwd: string
  /** The same directory, as the editor calls it. */
  base: string
}

/** A path of the editor's, relative to the session's directory where it lies in it. */
export function shownPath(file: string, { cwd, base }: Bases): string {
  for (const root of [base, cwd]) if (isInside(file, root)) return path.relative(root, file) || '.'
  return file
}

/** A real path as the editor calls it; undefined: it does not lie in the session's directory. */
export function editorsPath(real: string, { cwd, base }: Bases): string | undefined {
  return isInside(real, cwd) ? path.join(base, path.relative(cwd, real)) : undefined
}
