/** Names of programs that are not what they look like. */

import path from 'node:path'
import type { Said } from '../../protocol/sayings.ts'
import { said } from '../../words/sayings/said.ts'
import type { ShellWord } from '../shell/line.ts'

/** Where these are no keywords, the line is not what it looks like. */
const RESERVED =
  /^(if|then|elif|else|fi|for|while|until|do|done|case|esac|select|function|coproc|[{}!]|\[\[)$/i

/** A look-alike, or what should have been an operator. */
const UNUSUAL = /[^\x21-\x7e]|[=(){}<>;&|"'`$\\]/

/** Why nobody can say which program a word names. */
export function doubtfulName(word: ShellWord | undefined): Said | undefined {
  if (word?.value === undefined || word.glob || word.text.includes("$'"))
    return said('permission.which_program', { what: `\`${word?.text}\`` })
  return UNUSUAL.test(path.basename(word.value)) || RESERVED.test(word.value)
    ? said('permission.unusual_name', { what: word.text })
    : undefined
}
