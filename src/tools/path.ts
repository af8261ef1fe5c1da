/**
 * Paths as a model writes them. Relative ones mean the session's directory. `~` is spelled out when arguments are
 * checked, so that what the permission room judges is what the tool will touch.
 */
import { realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import * as z from 'zod/mini'

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
  const relative = path.relative(cwd, absolute)
  if (relative === '') return '.'
  return (isOutside(relative) ? absolute : relative).split(path.sep).join('/')
}

/** Whether `absolute` is `directory` or lies in it; both are real paths. */
export function isWithin(directory: string, absolute: string): boolean {
  return !isOutside(path.relative(directory, absolute))
}

/** The real path that a write to `absolute` would touch: links in the deepest part that exists are resolved. */
export function realTarget(absolute: string): string {
  try {
    return realpathSync.native(absolute)
  } catch {
    const parent = path.dirname(absolute)
    return parent === absolute ? absolute : path.join(realTarget(parent), path.basename(absolute))
  }
}

function isOutside(relative: string): boolean {
  return relative === '..' || relative.startsWith(`..${path.sep}`) || path.isAbsolute(relative)
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
