/**
 * A call that a model wrote as text may be one that it only quotes: from a log, a file, a page. Whoever wrote that must
 * not decide what runs here.
 */
import type { Written } from '../dialect/dialect.ts'
import type { Decision } from '../permission/permission.ts'
import type { Access } from '../protocol/access.ts'
import type { Message, ToolCall } from '../protocol/messages.ts'
import { told } from '../words/sayings/told.ts'
import { onlyReads } from './touches.ts'

export type Quoted = 'seen' | 'explained'

/** Whether a call may be a quotation: its text stands in what the model was given, or in the middle of an explanation. */
export function isQuoted(
  { from, call }: { from: Written; call: ToolCall },
  history: readonly Message[],
): Quoted | undefined {
  if (from.before && from.after) return 'explained'
  const given = history.flatMap(textOf)
  return given.some(text => holds(text, from.text, call)) ? 'seen' : undefined
}

/** What may be a quotation and changes something asks, whatever a mode, a rule or a step allows. */
export function unlessQuoted(
  decision: Decision,
  { quoted, accesses }: { quoted?: Quoted; accesses: readonly Access[] },
): Decision {
  const changes = !onlyReads(accesses) && decision.runs === undefined
  if (quoted === undefined || decision.decision !== 'allow' || !changes) return decision
  const why = told(`permission.quoted_${quoted}`, {})
  const question = { hard: true, rules: { session: [], always: [] }, wider: [], touches: [] }
  return { ...decision, decision: 'ask', by: 'protected', why, question }
}

const plainTexts = new WeakMap<Message, string>()

/** The text of a result or of named files, without what differs between notations. */
function textOf(message: Message): string[] {
  const isGiven =
    message.role === 'tool' ||
    (message.role === 'user' && message.shown !== undefined && message.shown !== '')
  if (!isGiven) return []
  const typed = message.role === 'user' ? message.shown : undefined
  // What the person typed is theirs: only what was put beside it was given.
  const given = typed === undefined ? message.content : message.content.replace(typed, ' ')
  const plain = plainTexts.get(message) ?? plainOf(given)
  plainTexts.set(message, plain)
  return [plain]
}

const plainOf = (text: string): string => text.replace(/\\[nrt]|[\s"'`“”‘’\\]+/g, '').toLowerCase()

/** Shorter texts stand anywhere. */
const MIN_LENGTH = 12
/** Between a call's name and its arguments there are a few keys and brackets, whatever the notation. */
const NEAR = 80

function holds(text: string, written: string, { name, arguments: args }: ToolCall): boolean {
  const whole = plainOf(written)
  if (whole.length >= MIN_LENGTH && text.includes(whole)) return true
  const fields = Object.entries(args).map(([key, value]) => ({
    key: key.toLowerCase(),
    value: plainOf(typeof value === 'string' ? value : (JSON.stringify(value) ?? '')),
  }))
  const [longest] = fields.toSorted((a, b) => b.value.length - a.value.length)
  if (longest === undefined || longest.value === '') return false
  const others =
    fields.reduce((sum, { key, value }) => sum + key.length + value.length, 0) - longest.value.length
  for (let at = text.indexOf(longest.value); at >= 0; at = text.indexOf(longest.value, at + 1)) {
    const reach = NEAR + others
    const around = text.slice(Math.max(0, at - reach), at + longest.value.length + reach)
    const named = around.indexOf(name.toLowerCase())
    const isWhole = fields.every(
      ({ key, value }) => around.includes(`${key}:${value}`) || isTagged(around, key, value),
    )
    if (named >= 0 && isWhole) return true
  }
  return false
}

/** `key=value`, `<key>value`, `<parameter=key>value`, `parametername=key>value`. */
const isTagged = (text: string, key: string, value: string): boolean =>
  text.includes(`${key}=${value}`) || text.includes(`${key}>${value}`)
