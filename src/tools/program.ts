/** Programs that gopi starts by itself (rg, git): never one that the project brought along. */
import { accessSync, constants, realpathSync, statSync } from 'node:fs'
import path from 'node:path'
import { projectRoot } from './ignored.ts'
import { isWithin } from './path.ts'

/**
 * The absolute path of a program, or undefined. Only absolute entries of `path` (a PATH variable) count that lie
 * outside the project around `cwd`, and so must what they link to.
 */
export function findProgram(
  name: string,
  { path: variable, cwd }: { path: string | undefined; cwd: string },
): string | undefined {
  const project = projectRoot(cwd) ?? cwd
  for (const directory of (variable ?? '').split(path.delimiter)) {
    if (!path.isAbsolute(directory)) continue
    const program = path.join(directory, process.platform === 'win32' ? `${name}.exe` : name)
    if (isForeignProgram(program, project)) return program
  }
  return undefined
}

function isForeignProgram(program: string, project: string): boolean {
  try {
    const real = realpathSync(program)
    const directory = realpathSync(path.dirname(program))
    if (isWithin(project, real) || isWithin(project, directory)) return false
    accessSync(real, constants.X_OK)
    return statSync(real).isFile()
  } catch {
    return false
  }
}
