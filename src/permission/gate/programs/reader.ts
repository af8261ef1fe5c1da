/** What a program that only reads is described by: all the options under which that is true. */
import type { Said } from '../../../protocol/sayings.ts'
import { said } from '../../../words/sayings/said.ts'
import type { Reading } from '../../judge/judged.ts'
import { type OptionList, readOptions } from '../options.ts'

export interface Reader extends OptionList {
  /** What the operands are. `after`: that many come before the paths, unless one of these options stands for them. */
  operands: 'none' | 'text' | 'paths' | { after: number; unless?: readonly string[] }
  /** At most this many operands. */
  most?: number
  /** What each operand has to look like. */
  each?: RegExp
  /** Without operands it reads the directory that it runs in. */
  here?: boolean
  /** It tells what files there are, never what stands in them. */
  lists?: boolean
  /** Every word is text, whatever it looks like. */
  literal?: boolean
  /** Looks at all words at once, instead of all this. → why they do more than to tell something. */
  whole?(args: readonly string[]): Said | undefined
  /** What stands before the paths is code. → why it, or one of them, does more than to print. */
  code?(codes: readonly string[], files: readonly string[]): Said | undefined
  /** Options whose value is a path that is read. */
  paths?: readonly string[]
  /** Whether these options make it read all that lies below a directory. */
  deep?(given: ReadonlyMap<string, string>): Reading['deep']
  /** What of these options is more than reading the files that are named. */
  unsafe?(given: ReadonlyMap<string, string>): string | undefined
}

/** GNU looks for options behind the operands; to others these are more files. */
const PERMUTES = process.platform === 'linux'

/** `args`: what the program gets, to the letter. */
export function readBy(name: string, args: readonly string[], reader: Reader): Reading {
  if (reader.literal) return {}
  if (reader.whole) {
    const changes = reader.whole(args)
    return changes === undefined ? { reads: [], lists: true } : { changes }
  }
  const not = (what: string): Reading => ({
    changes: said('permission.not_only_reads', { what: `\`${name} ${what}\`` }),
  })
  const options = readOptions(args, reader)
  if (typeof options === 'string') return not(options)
  const { given, operands } = options
  if (reader.most !== undefined && operands.length > reader.most)
    return { changes: said('permission.writes_second', { name }) }
  const odd = operands.find(operand => reader.operands === 'none' || reader.each?.test(operand) === false)
  const problem = odd ?? reader.unsafe?.(given)
  if (problem !== undefined) return not(problem)
  if (reader.operands === 'none' || reader.operands === 'text') return {}
  const { after, unless = [] } = reader.operands === 'paths' ? { after: 0 } : reader.operands
  const before = unless.flatMap(option => given.get(option)?.split('\0') ?? [])
  const files = before.length > 0 ? operands : operands.slice(after)
  const changes = reader.code?.(before.length > 0 ? before : operands.slice(0, after), files)
  if (changes !== undefined) return { changes }
  const lists = (reader.paths ?? []).flatMap(option => given.get(option)?.split('\0') ?? [])
  const deep = reader.deep?.(given)
  return {
    reads: [...files, ...lists, ...(PERMUTES || reader.code ? [] : options.late)],
    here: files.length === 0 && (reader.here === true || deep !== undefined),
    ...(deep !== undefined && { deep }),
    ...(reader.lists && { lists: true }),
  }
}

/** Names in one text, for lists that are easier to read so. */
export const names = (text: string): string[] => text.trim().split(/\s+/)
