/** A history in any of the three dialects, read back: the newest words and the results that came since. */
import type { WireMessage, WireTool } from '../../protocol/wire.ts'

export type DemoDialect = 'native' | 'react' | 'json'

/** Parameter names by tool. */
export type OfferedTools = ReadonlyMap<string, ReadonlySet<string>>

/** From the request's `tools`, or from lines such as `- read {path, offset?: integer}: Read a file.` */
export function offeredTools(tools: readonly WireTool[], system: string): OfferedTools {
  const offered = new Map<string, Set<string>>()
  for (const { function: tool } of tools)
    offered.set(tool.name, new Set(Object.keys(tool.parameters?.properties ?? {})))
  if (offered.size > 0) return offered
  for (const [, name = '', parameters = ''] of system.matchAll(/^- (\w+) \{([^}]*)\}/gm)) {
    offered.set(name, new Set(parameters.split(',').map(parameter => /\w+/.exec(parameter)?.[0] ?? '')))
  }
  return offered
}

export interface Talk {
  words: string
  /** Results of the calls that were made for these words, in order. */
  results: string[]
}

/** The run that is going on: from the user's last words on. */
export function readTalk(messages: readonly WireMessage[], dialect: DemoDialect): Talk {
  let talk: Talk = { words: '', results: [] }
  for (const [index, message] of messages.entries()) {
    if (message.role === 'tool') talk.results.push(message.content)
    if (message.role !== 'user' || isNote(message.content)) continue
    const results =
      dialect === 'native' ? undefined : splitResults(message.content, actionBefore(messages, index))
    if (!results) talk = { words: message.content, results: [] }
    else if (results.words === undefined) talk.results.push(...results.texts)
    else talk = { words: results.words, results: [] }
  }
  return talk
}

/** What gopi tells a model about its last reply. The demo goes on as if it had not been said. */
function isNote(content: string): boolean {
  return /^Your last (reply could not be read|tool call was malformed)/.test(content)
}

function actionBefore(messages: readonly WireMessage[], index: number): string {
  return /^Action: *(\w+)/m.exec(messages[index - 1]?.content ?? '')?.[1] ?? ''
}

/**
 * `Observation: …`, or several `Result of NAME: …`; undefined for words. Words that step in while a tool runs are
 * joined to its result; a command's output may hold anything, so nothing in it is taken for the user's words.
 */
function splitResults(content: string, action: string): { texts: string[]; words?: string } | undefined {
  const observation = /^Observation: ?/.exec(content)
  const parts = observation
    ? [{ name: action, text: content.slice(observation[0].length) }]
    : content
        .split(/(?:^|\n\n)(?=Result of \w+)/)
        .filter(part => part !== '')
        .map(part => ({
          name: /^Result of (\w+)/.exec(part)?.[1] ?? '',
          text: part.replace(/^Result of \w+[^\n:]*:\s*/, ''),
        }))
  const last = parts.at(-1)
  if (!last || parts.some(({ name }) => name === '')) return undefined
  const words = /\n\n(?!\d+\t)([^\n]+)$/.exec(last.text)?.[1]
  const texts = parts.map(({ text }) => text)
  return words === undefined || last.name === 'bash' ? { texts } : { texts, words }
}
