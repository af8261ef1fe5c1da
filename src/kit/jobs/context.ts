/** `/context`: what fills the window. The parts are estimates; the server's own count stands with them. */
import type { Message } from '../../protocol/messages.ts'
import type { Session } from '../../session/session.ts'
import { sanitize } from '../../text/sanitize.ts'
import { subjectOf } from '../../text/tool-line.ts'
import { cut } from '../../text/width.ts'
import type { Words } from '../../words/words.ts'
import type { Desk } from '../commands/command.ts'

/** Results that are named. */
const mostResults = 5
/** Columns of a call that is named. */
const widest = 60

export interface PartsOptions {
  words: Words
  instructions: readonly string[]
  /** Of a text. Default: as the session counts it. */
  tokens?: (text: string) => number
}

/** What fills the window, by part: names and tokens, some of them 0. Estimates. `connect` comes first. */
export function contextParts(
  session: Session,
  { words, instructions: texts, tokens = text => session.textTokens(text) }: PartsOptions,
): [name: string, tokens: number][] {
  const { setup, messages } = session
  if (!setup) return []
  const { context: said } = words.doing
  const instructions = texts.reduce((sum, text) => sum + tokens(text), 0)
  const of = (role: Message['role']) =>
    messages
      .filter(message => message.role === role)
      .reduce((sum, message) => sum + tokens(textOf(message)), 0)
  return [
    [said.system, Math.max(0, tokens(setup.system) - instructions)],
    [said.instructions, instructions],
    [said.tools, setup.dialect.name === 'native' ? tokens(JSON.stringify(setup.wireTools)) : 0],
    [said.prompts, of('user')],
    [said.replies, of('assistant')],
    [said.results, of('tool')],
  ]
}

export async function context({ session, words, place, show }: Desk): Promise<void> {
  if (!session.setup) await session.connect()
  const { setup, messages } = session
  if (!setup) return
  const { context: said } = words.doing
  const used = session.contextTokens
  const tokens = (text: string) => session.textTokens(text)
  const parts = contextParts(session, { words, instructions: place.instructions })
  const rows = [...parts, [said.rest, used - parts.reduce((sum, [, count]) => sum + count, 0)] as const]
  const results = messages
    .flatMap(message => (message.role === 'tool' ? [{ ...message, tokens: tokens(message.content) }] : []))
    .sort((a, b) => b.tokens - a.tokens)
    .slice(0, mostResults)
  const calls = new Map(
    messages
      .flatMap(message => (message.role === 'assistant' ? (message.tool_calls ?? []) : []))
      .map(call => [call.id, call.arguments]),
  )
  const counted = messages.findLast(message => message.role === 'assistant' && message.usage)
  const usage = counted?.role === 'assistant' ? counted.usage : undefined
  show(
    [
      said.total(used, setup.limit, Math.round((100 * used) / setup.limit)),
      ...(usage ? [said.server(usage.context_tokens)] : []),
      ...rows
        .filter(([, count]) => count > 0)
        .map(([name, count]) => `  ${words.told(name, words.tokens(count))}`),
      ...(results.length === 0 ? [] : [said.biggest]),
      ...results.map(
        one =>
          `  ${words.told(callLine(one.tool_name, calls.get(one.tool_call_id), words), words.listed([words.tokens(one.tokens), words.size(Buffer.byteLength(one.content))]))}`,
      ),
    ].join('\n'),
  )
}

/** One `read` is not known from the next by its name. */
function callLine(name: string, args: Record<string, unknown> = {}, words: Words): string {
  return cut(sanitize(`${name} ${subjectOf(args, words.tool)}`.trim()), widest, { mark: '…' })
}

const textOf = (message: Message): string =>
  message.role === 'assistant' && !message.text_calls && message.tool_calls
    ? message.content + JSON.stringify(message.tool_calls)
    : message.content
