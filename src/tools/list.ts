/** The only place where a built-in tool is registered. The order is part of the prefix: it never changes. */
import { bash } from './bash.ts'
import { edit } from './edit.ts'
import { find } from './find.ts'
import { grep } from './grep.ts'
import { ls } from './ls.ts'
import { read } from './read.ts'
import type { Tool } from './tool.ts'
import { write } from './write.ts'

export function builtinTools(): Tool[] {
  return [bash, read, edit, write, grep, find, ls]
}
