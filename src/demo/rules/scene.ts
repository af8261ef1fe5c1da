/** What the demo sees when it is asked: the user's words, what came back since, which tools there are. */
import { isRecord } from '../../text/record.ts'
import type { ChatBody } from '../request.ts'
import { type DemoDialect, type OfferedTools, offeredTools, readTalk } from './history.ts'

export type Language = 'en' | 'zh'

export interface Scene {
  dialect: DemoDialect
  tools: OfferedTools
  /** As they came. */
  words: string
  /** What the user may have asked for, the likeliest first: the last paragraph (words that step in are joined to older ones), those before it, everything. */
  readings: string[]
  language: Language
  /** Results of the calls that were made for these words, in order. */
  results: string[]
}

/** Characters; whatever is longer was pasted. */
const longestRequest = 20_000

export function readScene(body: ChatBody): Scene {
  const system = body.messages.find(message => message.role === 'system')?.content ?? ''
  const dialect = findDialect(body, system)
  const { words, results } = readTalk(body.messages, dialect)
  const said = paragraphs(words).filter(
    text => text !== '' && text.length <= longestRequest && !isNotice(text),
  )
  return {
    dialect,
    tools: offeredTools(body.tools, system),
    words,
    readings: [...said.toReversed(), said.join('\n\n')],
    language: /\p{Script=Han}/u.test(said.at(-1) ?? '') ? 'zh' : 'en',
    results,
  }
}

/** Empty lines part them, but not within a fence. */
function paragraphs(words: string): string[] {
  const found = words.match(/(?:```[\s\S]*?```|(?!\n\s*\n)[\s\S])+/g) ?? []
  return found.map(text => text.trim())
}

function findDialect(body: ChatBody, system: string): DemoDialect {
  if (isRecord(body.format)) return 'json'
  return body.tools.length === 0 && system.includes('Action Input') ? 'react' : 'native'
}

/** What gopi adds to the user's words, such as `[aborted by user]`, or the date and the branch in parentheses. */
function isNotice(text: string): boolean {
  return /^(?:\[[^\]]*\]|\([^)]*\))$/.test(text)
}
