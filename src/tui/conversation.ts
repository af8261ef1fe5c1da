/**
 * The end of the conversation that still changes, as a value: the reply that is being written, the thinking before it,
 * the tools that run. Whatever has ended becomes a cell of the transcript, so this stays small however long it talks.
 */
import type { SessionEvent } from '../protocol/events.ts'
import type { ToolMessage } from '../protocol/messages.ts'
import { finishedTool, subjectOf } from '../text/tool-line.ts'
import type { Words } from '../words/words.ts'
import type { Cell } from './cells/cell.ts'
import type { Piece } from './markdown/block.ts'
import { type Blocks, finishText, noBlocks, pushText } from './markdown/blocks.ts'
import { type Tally, tallyAfter, tookOf } from './took.ts'

export interface Conversation {
  /** `cell`: the block that is not closed yet. */
  readonly reply?: Reply
  readonly thinking?: Extract<Cell, { type: 'thinking' }>
  /** What was told while a reply is being written: it does not tear it apart. */
  readonly told: readonly Cell[]
  /** In the order of the calls. */
  readonly tools: readonly LiveCall[]
  /** The last settled cell is a tool's. */
  readonly isAfterTool: boolean
  /** What is being told beside it. */
  readonly asides: readonly Cell[]
  /** What was sent, until it is a message. */
  readonly sent?: Cell
  /** Of the run that goes on. */
  readonly tally?: Tally
}

interface Reply {
  readonly id: string
  /** All of it so far, and since when (of performance.now()). */
  readonly text: string
  readonly since: number
  readonly blocks: Blocks
  readonly cell: Cell | undefined
}

interface LiveCall {
  readonly id: string
  readonly cell: Extract<Cell, { type: 'running' }>
  /** What the person typed, of a command of theirs: it stays with its output, whatever is said meanwhile. */
  readonly own?: Cell
  /** The person was asked about it, or about those before it: their time is not the tool's. */
  readonly isAsked?: boolean
  readonly isDenied?: boolean
  /** It has run, and its result is on its way. */
  readonly ms?: number
}

/** The call that has been running longest. */
export function longestRunning({ tools }: Conversation): Running | undefined {
  const run = tools.filter(({ ms }) => ms === undefined)
  const { cell } = run.find(call => call.cell.limitMs !== undefined) ?? run[0] ?? {}
  if (!cell) return undefined
  const { tool, since, limitMs } = cell
  return { name: tool.name, since, ...(limitMs !== undefined && { limitMs }) }
}

/** What agents work on, as the calls name it. */
export const tasksIn = ({ tools }: Conversation, words: Words): string[] =>
  tools
    .filter(({ cell, ms }) => cell.tool.name === 'task' && ms === undefined)
    .map(({ cell }) => subjectOf(cell.tool.arguments, words.tool))

interface Running {
  name: string
  since: number
  limitMs?: number
}

/** What a step leaves: the next value, and the cells that will not change any more. */
export interface Followed {
  conversation: Conversation
  settled: readonly Cell[]
  /** What was settled of the reply in progress is no answer, and goes before that. */
  unsaid?: true
}

export const noConversation: Conversation = { told: [], tools: [], asides: [], isAfterTool: false }

/** Characters of a running tool's output that are kept for the screen. */
const outputKept = 64 * 1024

/** Words on their way to the model: until the session has them, they are at the end. */
export function withSent(conversation: Conversation, text: string): Conversation {
  return { ...conversation, sent: { type: 'user', text } }
}

/** What is told beside it grows, begins (nothing before) or is over (nothing next). */
export function withAside(
  conversation: Conversation,
  before: Cell | undefined,
  next: Cell | undefined,
): Conversation {
  const { asides } = conversation
  const at = before ? asides.indexOf(before) : -1
  const place = at < 0 ? asides.length : at
  return { ...conversation, asides: asides.toSpliced(place, at < 0 ? 0 : 1, ...(next ? [next] : [])) }
}

/** Words wait for the person's own command: no run goes on besides it. */
export const isOwnAlone = ({ tools, tally }: Conversation): boolean =>
  !tally && tools.some(({ own, ms }) => own !== undefined && ms === undefined)

/** A call that has begun is the person's own command, as they typed it. */
export function withOwn(conversation: Conversation, id: string, text: string): Conversation {
  const tools = conversation.tools.map(call => {
    if (call.id !== id) return call
    const { joined: _, ...cell } = call.cell
    return { ...call, cell, own: { type: 'user', text } as const }
  })
  return { ...conversation, tools }
}

/** `now`: performance.now(), ms. */
export function follow(conversation: Conversation, event: SessionEvent, now: number): Followed {
  const { conversation: next, settled, ...rest } = followed(conversation, event, now)
  const last = settled.at(-1)
  return counted(
    { conversation: last ? { ...next, isAfterTool: last.type === 'tool' } : next, settled, ...rest },
    event,
    now,
  )
}

/** What the run takes is counted along, and told at its end. */
function counted({ conversation, settled, ...more }: Followed, event: SessionEvent, now: number): Followed {
  const { tally: before, ...rest } = conversation
  const tally = tallyAfter(before, event, now)
  if (tally === before) return { conversation, settled, ...more }
  const took = before && !tally ? tookOf(before, now) : undefined
  return {
    conversation: tally ? { ...rest, tally } : rest,
    settled: took
      ? [...settled, { type: 'took', ...took, ...(isStop(event) && { isStopped: true }) }]
      : settled,
    ...more,
  }
}

const isStop = (event: SessionEvent): boolean => event.type === 'agent_end' && event.reason === 'aborted'

function followed(conversation: Conversation, event: SessionEvent, now: number): Followed {
  switch (event.type) {
    case 'message_start':
      return begun(conversation, event.id, now)
    case 'thinking_delta':
      return thought(conversation, event.text, now)
    case 'message_delta':
      return wrote(conversation, { id: event.message_id, text: event.text, now })
    case 'message':
      return event.role === 'user'
        ? asked(conversation, event)
        : event.role === 'tool'
          ? answered(conversation, event)
          : said(conversation, now)
    case 'tool_call_start':
      return { conversation: started(conversation, event, now), settled: [] }
    case 'tool_output':
      return withCall(conversation, event.tool_call_id, call => ({
        ...call,
        cell: grown(call.cell, event.text),
      }))
    case 'tool_limit':
      return withCall(conversation, event.tool_call_id, call => limited(call, event.limit_ms, now))
    case 'permission_request':
      return withCall(conversation, event.tool_call_id, call => ({ ...call, isAsked: true }))
    case 'permission':
      return withCall(conversation, event.tool_call_id, call => decided(call, event, now))
    case 'tool_call_end':
      return withCall(conversation, event.tool_call_id, call => ended(call, event.duration_ms, now))
    case 'notice':
      return tell(conversation, { type: 'notice', level: 'note', message: event.message })
    case 'error':
      return tell(conversation, { type: 'notice', level: 'error', message: event.message })
    case 'compaction':
      return tell(conversation, {
        type: 'compaction',
        summary: event.summary,
        tokenBefore: event.token_before,
        waitedMs: event.waited_ms ?? 0,
        tokenAfter: event.token_after,
      })
    case 'agent_end':
      return said(conversation, now)
    default:
      return { conversation, settled: [] }
  }
}

/** What is shown below the transcript's settled cells. The same cells as before wherever nothing changed. */
export function liveCells({ thinking, reply, told, tools, asides, sent }: Conversation): readonly Cell[] {
  return [
    ...(thinking ? [thinking] : []),
    ...(reply?.cell ? [reply.cell] : []),
    ...told,
    ...tools.flatMap(({ own, cell }) => (own ? [own, cell] : [cell])),
    ...asides,
    ...(sent ? [sent] : []),
  ]
}

function tell(conversation: Conversation, ...cells: Cell[]): Followed {
  if (!conversation.reply) return { conversation, settled: cells }
  return { conversation: { ...conversation, told: [...conversation.told, ...cells] }, settled: [] }
}

/** Begun anew, what it said was a thought. */
function begun(conversation: Conversation, id: string, now: number): Followed {
  const { reply, ...rest } = conversation
  if (reply?.id !== id) return { conversation, settled: [] }
  const text = reply.text.replace(/\s*<\/think>\s*$/, '')
  return { conversation: rest, settled: [{ type: 'thinking', text, ms: now - reply.since }], unsaid: true }
}

function thought(conversation: Conversation, text: string, now: number): Followed {
  const before = conversation.thinking
  const thinking = before
    ? { ...before, text: before.text + text }
    : ({ type: 'thinking', text, since: now } as const)
  return { conversation: { ...conversation, thinking }, settled: [] }
}

function wrote(
  conversation: Conversation,
  { id, text, now }: { id: string; text: string; now: number },
): Followed {
  const { conversation: rest, settled } = thoughtOut(conversation, now)
  const before = rest.reply?.id === id ? rest.reply : { text: '', since: now, blocks: noBlocks }
  const { blocks, closed } = pushText(before.blocks, text)
  const { open: block, joined } = blocks
  const cell: Cell | undefined = block && { type: 'reply', block, open: true, joined }
  return {
    conversation: {
      ...rest,
      reply: { id, text: before.text + text, since: before.since, blocks, cell },
    },
    settled: [...settled, ...closed.map(replyCell)],
  }
}

const replyCell = ({ block, joined }: Piece): Cell => ({ type: 'reply', block, joined })

/** The thinking is over, whatever comes next. */
function thoughtOut(conversation: Conversation, now: number): Followed {
  const { thinking, ...rest } = conversation
  if (!thinking) return { conversation, settled: [] }
  const { since = now, ...cell } = thinking
  return { conversation: rest, settled: [{ ...cell, ms: now - since }] }
}

/** A reply is whole, or cut: nothing of it changes any more. */
function said(conversation: Conversation, now: number): Followed {
  const { conversation: rest, settled } = thoughtOut(conversation, now)
  const { reply, told, ...others } = rest
  const text = reply ? finishText(reply.blocks).map(replyCell) : []
  return { conversation: { ...others, told: [] }, settled: [...settled, ...text, ...told] }
}

/** What gopi itself says to the model in the person's role is not the person's. */
function asked(
  conversation: Conversation,
  { content, shown = content }: { content: string; shown?: string },
): Followed {
  if (shown === '') return { conversation, settled: [] }
  const { sent: _, ...rest } = conversation
  return { conversation: rest, settled: [{ type: 'user', text: shown }] }
}

function answered(conversation: Conversation, message: ToolMessage): Followed {
  const call = conversation.tools.find(({ id }) => id === message.tool_call_id)
  const cell: Cell = {
    type: 'tool',
    tool: finishedTool(message, call?.cell.tool.arguments),
    ...(call?.ms !== undefined && { ms: call.ms }),
    ...(conversation.isAfterTool && !call?.own && { joined: true }),
  }
  const next = { ...conversation, tools: conversation.tools.filter(other => other !== call) }
  return call?.own ? tell(next, call.own, cell) : { conversation: next, settled: [cell] }
}

/** Calls of one reply are together. */
function started(
  conversation: Conversation,
  event: Extract<SessionEvent, { type: 'tool_call_start' }>,
  now: number,
): Conversation {
  const { tools, isAfterTool } = conversation
  const tool = { name: event.name, arguments: event.arguments, output: '' }
  const isJoined = isAfterTool || tools.some(({ own }) => !own)
  const cell = {
    type: 'running',
    tool,
    since: now,
    isWaiting: true,
    ...(isJoined && { joined: true }),
  } as const
  return { ...conversation, tools: [...tools, { id: event.tool_call_id, cell }] }
}

function withCall(conversation: Conversation, id: string, change: (call: LiveCall) => LiveCall): Followed {
  const tools = conversation.tools.map(call => (call.id === id ? change(call) : call))
  return { conversation: { ...conversation, tools }, settled: [] }
}

/** It has begun by then; before, it may have waited for another one. */
function limited({ cell, ...call }: LiveCall, limitMs: number, now: number): LiveCall {
  const since = cell.limitMs === undefined ? now : cell.since
  return { ...call, cell: { ...cell, since, limitMs } }
}

function decided(
  call: LiveCall,
  { decision, arguments: changed }: Extract<SessionEvent, { type: 'permission' }>,
  now: number,
): LiveCall {
  if (decision === 'deny') return { ...call, isDenied: true }
  const { isWaiting: _, ...before } = call.cell
  const cell = changed ? { ...before, tool: { ...before.tool, arguments: changed } } : before
  const hasWaited = call.isAsked || now - cell.since > noticeable
  return hasWaited ? { ...call, isAsked: true, cell: { ...cell, since: now } } : { ...call, cell }
}

/** ms: so long a call may take to begin without having waited for others. */
const noticeable = 100

function ended(call: LiveCall, duration: number, now: number): LiveCall {
  // Stopped at the question: it has not run, and how long the person looked at it is no time of its own.
  const wasNotRun = call.isDenied || (call.isAsked && call.cell.isWaiting)
  return wasNotRun ? call : { ...call, ms: call.isAsked ? now - call.cell.since : duration }
}

function grown(cell: LiveCall['cell'], text: string): LiveCall['cell'] {
  const output = cell.tool.output + text
  const kept = output.length > 2 * outputKept ? output.slice(-outputKept) : output
  return { ...cell, tool: { ...cell.tool, output: kept } }
}
