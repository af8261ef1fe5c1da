import { programOutside } from '../paths/program.ts'
import { projectRoot } from './ignored.ts'

/** The absolute path of a program that lies outside the project around `cwd`, or undefined. `path`: a PATH variable. */
export const findProgram = (
  name: string,
  { path, cwd }: { path: string | undefined; cwd: string },
): string | undefined => programOutside(projectRoot(cwd) ?? cwd, name, { path })
