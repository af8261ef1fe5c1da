/** The only place where a built-in tool is registered. The order is part of the prefix: it never changes. */
import { bash } from './bash.ts'
import { edit } from './edit.ts'
import { fetchTool } from './fetch/fetch.ts'
import { find } from './find.ts'
import { git } from './git/git.ts'
import { grep } from './grep.ts'
import { ls } from './ls.ts'
import { read } from './read.ts'
import { todo } from './todo.ts'
import type { Tool } from './tool.ts'
import { write } from './write.ts'

/** Off by default. */
const OPTIONAL = ['todo', 'git', 'fetch'] as const
export type OptionalTools = { [name in (typeof OPTIONAL)[number]]?: boolean }

export function builtinTools(on: OptionalTools = {}): Tool[] {
  const optional = { todo: () => todo, git: () => git, fetch: () => fetchTool() }
  const more = OPTIONAL.filter(name => on[name]).map(name => optional[name]())
  return [bash, read, edit, write, grep, find, ls, ...more]
}
