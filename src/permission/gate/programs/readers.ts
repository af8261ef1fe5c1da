/**
 * The programs that only read, by name and options: a short list. An option that does not stand there asks; so does every
 * other program.
 */
import { awks } from './awk.ts'
import { jq } from './jq.ts'
import { listing } from './listing.ts'
import type { Reader } from './reader.ts'
import { saying } from './saying.ts'
import { search } from './search.ts'
import { sed } from './sed.ts'
import { text } from './text.ts'

export const READERS: ReadonlyMap<string, Reader> = new Map(
  Object.entries({ ...saying, ...text, ...listing, ...search, ...awks, sed, jq }),
)

/** Whether a program may be handed names of files, of any look, behind its words. */
export function takesFiles(name: string): boolean {
  const reader = READERS.get(name)
  return reader !== undefined && reader.whole === undefined && reader.code === undefined
}

/**
 * Programs whose version is asked for: they run nothing of the project then. Not those whose launcher looks into the
 * project first (yarn, pnpm, cargo, rustc, go).
 */
const VERSIONED: ReadonlySet<string> = new Set(
  `node npm python python3 ruby perl gcc g++ clang make cmake git bash rg jq java javac docker php curl wget deno bun tar sed
  awk sqlite3 tsc`.split(/\s+/),
)
/** Here -v means something else. */
const NOT_VERSION = /^((bash|tar|rg|make|curl|wget|sqlite3|docker) -v|cmake -[vV])$/

export function saysVersion(name: string, args: readonly string[]): boolean {
  const [value = ''] = args
  if (args.length !== 1 || !VERSIONED.has(name)) return false
  return /^(--version|-V|-v)$/.test(value)
    ? !NOT_VERSION.test(`${name} ${value}`)
    : /^javac? -version$/.test(`${name} ${value}`)
}
