/** Programs that gopi starts by itself (rg, bash, bwrap): never one that the project brought along. */
import { accessSync, constants, realpathSync, statSync } from 'node:fs'
import path from 'node:path'
import { isInside } from './inside.ts'

/**
 * The absolute path of a program, or undefined. Only absolute entries of `path` (a PATH variable) count that lie
 * outside the project, and so must what they link to.
 */
export function programOutside(
  project: string,
  name: string,
  { path: variable = '' }: { path: string | undefined },
): string | undefined {
  return variable
    .split(path.delimiter)
    .filter(directory => path.isAbsolute(directory))
    .map(directory => path.join(directory, process.platform === 'win32' ? `${name}.exe` : name))
    .find(program => isForeign(program, project))
}

function isForeign(program: string, project: string): boolean {
  try {
    const real = realpathSync(program)
    const directory = realpathSync(path.dirname(program))
    return !isInside(real, project) && !isInside(directory, project) && isExecutable(real)
  } catch {
    return false
  }
}

/** A regular file that may be run. */
export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}

/** An absolute path to bash: the system's first, then absolute PATH entries. undefined when there is none. */
export function findBash(env: NodeJS.ProcessEnv): string | undefined {
  const folders = (env.PATH ?? '').split(':').filter(folder => path.isAbsolute(folder))
  return ['/bin', '/usr/bin', ...folders].map(folder => path.join(folder, 'bash')).find(isExecutable)
}
