/** What of a request the server has not read yet, if it still has what it was last sent. Pure. */
import type { WireMessage } from '../protocol/wire.ts'
import { type Answered, echoOf, type Scale, sameMessage, sameTools, sameWords } from './difference.ts'
import { frameParts, messageTexts, type Sent } from './parts.ts'

export interface Unread {
  /** Where reading begins: the index of a message, and which part of it (0 to 1) is known already. */
  from: number
  known: number
  /** Tokens of text that the server can have seen nowhere: a lower bound of what it reads. */
  unseen_tokens: number
  /** What we changed in what was already sent, in words; undefined when the request only grew. */
  changed?: string
}

/** `held`: what the server was last sent, and answered. */
export function unread(held: Answered, now: Sent, scale: Scale): Unread {
  const before = held.request.messages
  if (!sameTools(held.request, now)) return { from: 0, known: 0, unseen_tokens: 0, changed: 'the tools' }
  let from = before.findIndex((message, index) => {
    const other = now.messages[index]
    return !other || !sameMessage(message, other)
  })
  if (from < 0) from = before.length
  const [was, is] = [before[from], now.messages[from]]
  if (was && is && !sameWords(was, is) && from < before.length - 1) {
    return { from, known: 0, unseen_tokens: 0, changed: placeOf(is, from) }
  }
  if (was && is?.role === 'system' && !sameWords(was, is)) {
    return { from, known: 0, unseen_tokens: 0, changed: placeOf(is, from) }
  }
  if (was) {
    const known = is && was.role === is.role ? commonStart(was.content, is.content) : 0
    return { from, known, unseen_tokens: is && sameWords(was, is) ? 0 : unseen(now, from, { known, scale }) }
  }
  const echo = echoOf(held, now)
  const asGenerated = echo !== undefined && !echo.tool_calls && !held.reply?.thinking
  const next = asGenerated ? from + 1 : from
  return { from: next, known: 0, unseen_tokens: unseen(now, next, { known: 0, scale }) }
}

/** Tokens of the messages from there on. */
export function tokensFrom(now: Sent, { from, known }: Pick<Unread, 'from' | 'known'>, scale: Scale): number {
  let sum = 0
  for (const [index, message] of now.messages.slice(from).entries()) {
    const texts = [...messageTexts(message), message.thinking ?? '']
    const tokens = texts.reduce((all, text) => all + scale.tokens(scale.measure(text)), 0)
    sum += scale.tokens(frameParts(message)) + (index === 0 ? tokens * (1 - known) : tokens)
  }
  return sum
}

/** Text of the user's and the tools': what the model said itself, the server has seen. */
function unseen(now: Sent, from: number, { known, scale }: { known: number; scale: Scale }): number {
  let sum = 0
  for (const [index, { role, content }] of now.messages.slice(from).entries()) {
    if (role !== 'user' && role !== 'tool') continue
    const tokens = scale.tokens(scale.measure(content))
    sum += index === 0 ? tokens * (1 - known) : tokens
  }
  return sum
}

const placeOf = ({ role }: WireMessage, index: number): string =>
  role === 'system' ? 'the system message' : `message ${index} (${role})`

/** The part of `text` that `before` begins with. */
function commonStart(before: string, text: string): number {
  const limit = Math.min(before.length, text.length)
  let length = 0
  while (length < limit && before.charCodeAt(length) === text.charCodeAt(length)) length++
  return text.length === 0 ? 0 : length / text.length
}
