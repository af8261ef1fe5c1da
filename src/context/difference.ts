/** How one request differs from another that the server has answered. Pure. */
import type { AssistantMessage } from '../protocol/messages.ts'
import type { WireMessage } from '../protocol/wire.ts'
import { add, frameParts, type MeasureText, messageTexts, type Parts, type Sent, toolTexts } from './parts.ts'

/** A request and what came of it. */
export interface Answered {
  request: Sent
  reply?: AssistantMessage | undefined
}

/** The server's own counts of an answered request. */
export interface Anchor extends Answered {
  prompt_tokens: number
  completion_tokens: number
}

export interface Difference {
  /** What is there more (or less) than in the other request. */
  parts: Parts
  /** Tokens of text that came or went: what an estimate can be wrong about; of them, such as are only guessed. */
  compared: number
  guessed: number
}

/** What a difference is told in: how texts are measured, and how many tokens their parts are by now. */
export interface Scale {
  measure: MeasureText
  tokens(parts: Parts): number
}

/**
 * A reply's count is believed as far as it fits its text: a server also counts what it generated and swallowed (a thought
 * that nobody asked for, a call that it could not read), and that is not sent back.
 */
const believable = { least: 0.5, most: 1.5 }

/** What `now` has more than the request of `anchor`; without one: all of it. */
export function difference(anchor: Anchor | undefined, now: Sent, { measure, tokens }: Scale): Difference {
  const result: Difference = { parts: {}, compared: 0, guessed: 0 }
  const before = anchor?.request.messages ?? []
  const echo = anchor && echoOf(anchor, now)

  function take(text: string, times: 1 | -1, as: 'text' | 'thinking'): void {
    const { counted, ...parts } = measure(text)
    const estimate = tokens(parts)
    add(result.parts, as === 'text' ? parts : { thinking: estimate }, times)
    result.compared += estimate
    if (!counted) result.guessed += estimate
  }

  function takeMessage(message: WireMessage, times: 1 | -1): void {
    add(result.parts, frameParts(message), times)
    for (const text of messageTexts(message)) take(text, times, 'text')
    if (message.thinking) take(message.thinking, times, 'thinking')
  }

  /** The reply: the server counted what it generated, which is what it is sent back, or most of it. */
  function takeEcho(message: WireMessage, { reply, completion_tokens }: Anchor): void {
    const size = (texts: readonly string[], calls: number) =>
      texts.reduce((sum, text) => sum + tokens(measure(text)), tokens({ call: calls }))
    const calls = reply?.text_calls ? [] : (reply?.tool_calls ?? [])
    const said = size([reply?.content ?? '', ...calls.map(callText)], calls.length)
    const thought = size([reply?.thinking ?? ''], 0)
    const sent = size(messageTexts(message), message.tool_calls?.length ?? 0)
    const counted = completion_tokens / Math.max(1, said + thought)
    const perToken = Math.min(believable.most, Math.max(believable.least, counted))
    takeMessage(message, 1)
    add(result.parts, { generated: Math.min(sent, said) * (perToken - 1) })
    if (message.thinking) add(result.parts, { thinking: thought * (perToken - 1) })
  }

  if (!anchor) add(result.parts, { frame: 1 })
  if (!anchor || !sameTools(anchor.request, now)) {
    if (anchor) for (const text of toolTexts(anchor.request)) take(text, -1, 'text')
    for (const text of toolTexts(now)) take(text, 1, 'text')
    add(result.parts, { tools: Number(hasTools(now)) - Number(anchor ? hasTools(anchor.request) : false) })
  }
  for (let index = 0; index < Math.max(before.length, now.messages.length); index++) {
    const was = before[index]
    const is = now.messages[index]
    if (was && is && sameMessage(was, is)) continue
    if (was) takeMessage(was, -1)
    if (is && is === echo && anchor) takeEcho(is, anchor)
    else if (is) takeMessage(is, 1)
  }
  return result
}

/** The message with which the reply is sent back, where it directly follows what it answered. */
export function echoOf({ request, reply }: Answered, now: Sent): WireMessage | undefined {
  const message = now.messages[request.messages.length]
  if (!reply || message?.role !== 'assistant') return undefined
  return message.content === reply.content || message.tool_calls ? message : undefined
}

const callText = ({ name, arguments: args }: { name: string; arguments: object }): string =>
  JSON.stringify({ name, arguments: args })

const hasTools = ({ tools }: Sent): boolean => tools !== undefined && tools.length > 0

export function sameTools(a: Sent, b: Sent): boolean {
  return sameList(a.tools ?? [], b.tools ?? [], sameJson)
}

/** Requests of one session share their messages: most are the very same object, and nothing need be looked at. */
export function sameMessage(a: WireMessage, b: WireMessage): boolean {
  return a === b || (sameWords(a, b) && a.thinking === b.thinking)
}

/** The same but for the thinking, which is not sent back once its run is over. */
export function sameWords(a: WireMessage, b: WireMessage): boolean {
  return (
    a.role === b.role &&
    a.content === b.content &&
    a.images?.length === b.images?.length &&
    sameList(a.tool_calls ?? [], b.tool_calls ?? [], sameCall)
  )
}

type Call = NonNullable<WireMessage['tool_calls']>[number]

const sameCall = (a: Call, b: Call): boolean =>
  a.id === b.id && a.function.name === b.function.name && sameJson(a.function.arguments, b.function.arguments)

const sameJson = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b)

function sameList<T>(a: readonly T[], b: readonly T[], same: (a: T, b: T) => boolean): boolean {
  return a.length === b.length && a.every((item, index) => same(item, b[index] as T))
}
