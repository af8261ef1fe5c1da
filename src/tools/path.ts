/**
 * Paths as a model writes them. Relative ones mean the session's directory. `~` is spelled out when arguments are
 * checked, so that what the permission room judges is what the tool will touch.
 */
import { homedir } from 'node:os'
import path from 'node:path'
import * as z from 'zod/mini'
import { isInside } from '../paths/inside.ts'

export interface ToolPath {
  absolute: string
  /** For people and models: with `/`, relative to the session's directory when it lies within. */
  shown: string
}

/** The parameter that every file tool has. */
export function pathParameter(description?: string) {
  const given = z
    .string()
    .check(
      z.minLength(1),
      z.refine(isPlain, 'holds a control character'),
      z.refine(isLocal, 'is a network or device path'),
    )
  return z.pipe(
    description === undefined ? given : given.check(z.describe(description)),
    z.transform(expandHome),
  )
}

export function resolvePath(given: string, cwd: string): ToolPath {
  const absolute = path.resolve(cwd, given)
  return { absolute, shown: showPath(absolute, cwd) }
}

export function showPath(absolute: string, cwd: string): string {
  const shown = isInside(absolute, cwd) ? path.relative(cwd, absolute) || '.' : absolute
  return shown.split(path.sep).join('/')
}

function expandHome(given: string): string {
  return given === '~' || given.startsWith('~/') ? path.join(homedir(), given.slice(1)) : given
}

function isPlain(given: string): boolean {
  return !/[\x00-\x1f\x7f]/.test(given)
}

/** UNC paths make Windows send the person's credentials to whoever is named. */
function isLocal(given: string): boolean {
  return !/^(\\\\|\\\?\?\\)/.test(given)
}
