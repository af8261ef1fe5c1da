/** What a program that only reads is described by: all the options under which that is true. */
import type { OptionList } from '../options.ts'
import type { Reading } from '../reading.ts'

export interface Reader extends OptionList {
  /** What the operands are. `after`: that many come before the paths. */
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
  /** Options whose value is a path that is read. */
  paths?: readonly string[]
  /** Whether these options make it read all that lies below a directory. */
  deep?(given: ReadonlyMap<string, string>): Reading['deep']
  /** What of these options is more than reading the files that are named. */
  unsafe?(given: ReadonlyMap<string, string>): string | undefined
}

/** Names in one text, for lists that are easier to read so. */
export const names = (text: string): string[] => text.trim().split(/\s+/)
