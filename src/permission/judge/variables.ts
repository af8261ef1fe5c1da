/** Variables: which may be set, and which may be shown, without asking. */
import type { Verdict } from '../commands/verdict.ts'

/** These may stand before any command: they change what language, time and colours look like. */
export const isHarmless = (name: string): boolean => /^(LANG|LANGUAGE|LC_[A-Z]+|TZ|NO_COLOR)$/.test(name)

/**
 * A name that a loop or `read` may give a value to: none that bash or a program is steered by. Those are written in
 * capitals, but for a few.
 */
export const isOwnName = (name: string): boolean =>
  (/^_?[a-z][a-z0-9_]*$/.test(name) && !/^(histchars|auto_resume|npm_.*|.*_proxy)$/.test(name)) ||
  /^[A-Z]$/.test(name)

/** Everybody may see what these hold; others may hold a secret. */
const isPublic = (name: string): boolean =>
  /^(HOME|PWD|OLDPWD|USER|LOGNAME|SHELL|HOSTNAME|LANG|TERM|RANDOM|SECONDS|LINENO|\d+|[A-Z]?)$/.test(name)

/** The first variable in a text that bash fills in which may hold a secret. `known`: those that the line gave values to. */
export function secretIn(text: string, known: ReadonlySet<string>): string | undefined {
  for (const [, name = ''] of text.replaceAll(/\\[\s\S]/g, '').matchAll(/\$\{?[#!]?(\w*)/g))
    if (!isPublic(name) && !known.has(name)) return name
  return undefined
}

/** What these hold, or what they lead to, runs. */
const STEERING = /^(PATH|PROMPT_COMMAND|PS[0-4]|BASH_ENV|ENV|LD_PRELOAD|LD_LIBRARY_PATH|DYLD_.*)$/

/** `set`: assignments as they were written. */
export function setting(set: readonly string[]): Verdict {
  const names = [...new Set(set.map(text => text.replace(/\+?=[\s\S]*/, '')))]
  const steering = names.find(name => STEERING.test(name))
  return {
    changes: `sets ${names.join(', ')}`,
    // A rule for every command does not mean to say what runs under its name.
    ...(steering !== undefined && { hides: `${steering} decides what runs`, named: 1 }),
  }
}
