import path from 'node:path'

/** Whether a real path lies in a directory (or is it): `/home/u/project-evil` is not in `/home/u/project`. */
export function isInside(target: string, directory: string): boolean {
  const relative = path.relative(directory, target)
  return relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative)
}
