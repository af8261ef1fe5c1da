/** Which files a conversation was about lately: of those that fit alike they are offered first. */
import path from 'node:path'
import type { Message } from '../../protocol/messages.ts'

/** More than these do not matter any more. */
const MOST = 15

/** The files of calls and of what was typed after `@`, the latest first, relative to `cwd`; others do not count. */
export function recentFiles(messages: readonly Message[], cwd: string): string[] {
  const found = new Set<string>()
  for (let at = messages.length - 1; at >= 0 && found.size < MOST; at--) {
    for (const file of spokenOf(messages[at]).reverse()) {
      const relative = path.relative(cwd, path.resolve(cwd, file))
      if (relative !== '' && !relative.startsWith('..') && !path.isAbsolute(relative))
        found.add(relative.split(path.sep).join('/'))
    }
  }
  return [...found].slice(0, MOST)
}

function spokenOf(message: Message | undefined): string[] {
  if (message?.role === 'assistant') {
    const paths = message.tool_calls?.map(({ arguments: { path } }) => path) ?? []
    return paths.filter(path => typeof path === 'string')
  }
  if (message?.role !== 'user') return []
  const typed = message.shown ?? message.content
  return [...typed.matchAll(/(?<!\S)@(?:"([^"\n]+)"|([^\s"]+))/g)].map(
    ([, quoted, bare]) => quoted ?? bare ?? '',
  )
}
