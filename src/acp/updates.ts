/** What happens in a session, as an editor is told it: one update for each piece of text, in the turn in which it came. */
import type { SessionUpdate, ToolCallContent } from '@agentclientprotocol/sdk'
import type { SessionEvent } from '../protocol/events.ts'
import type { ToolMessage } from '../protocol/messages.ts'
import { fieldsOf } from '../text/record.ts'
import { createSanitizer, sanitize } from '../text/sanitize.ts'
import { saidOf } from '../words/sayings/said.ts'
import type { Words } from '../words/words.ts'
import { fenced, firstLine, kindOf, locationsOf, resultContent, tailOf, titleOf } from './calls.ts'

export interface Look {
  words: Words
  /** The session's directory, as the editor calls it. */
  base: string
  /** Tokens that a conversation may fill; undefined: nobody knows yet. */
  room(): number | undefined
  /** It shows the output of commands that others run as a terminal. */
  showsTerminals: boolean
  /** It has a place for sentences that are no part of the answer. */
  takesNotices: boolean
  /** It shows by itself that a conversation is summarised. */
  takesCompaction: boolean
}

export interface Updates {
  listen(event: SessionEvent): void
  /** A sentence for the person. */
  say(sentence: string, severity?: 'info' | 'warning' | 'error'): void
  /** Lines to be read, as they stand. */
  show(text: string): void
  /** Nothing is told any more. */
  stop(): void
}

type Send = (update: SessionUpdate) => void

/** Milliseconds between two updates of a command's output: each bears all that is shown of it. */
const OUTPUT_PAUSE = 100
/** Characters of its end. */
const MOST_OUTPUT = 8 * 1024

interface Call {
  name: string
  args: Record<string, unknown>
  output: string
  timer?: NodeJS.Timeout
  isTerminal: boolean
}

export function createUpdates(send: Send, look: Look): Updates {
  const { words, base } = look
  const calls = new Map<string, Call>()
  let cleaner = createSanitizer()
  let message: { messageId?: string } = {}

  const text = (piece: string) => {
    if (piece !== '')
      send({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: piece }, ...message })
  }
  const thought = (piece: string) =>
    send({ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: piece } })

  function say(sentence: string, severity: 'info' | 'warning' | 'error' = 'info'): void {
    if (look.takesNotices) send({ sessionUpdate: 'notice', severity, title: sentence })
    else
      send({
        sessionUpdate: 'agent_message_chunk',
        content: { type: 'text', text: `${sentence.replace(/^/gm, '> ')}\n\n` },
      })
  }

  const tell = (told: Parameters<Words['say']>[0], severity: 'info' | 'error' = 'info') =>
    say(`gopi: ${words.say(told)}`, severity)

  function started(id: string, name: string, args: Record<string, unknown>): void {
    const kind = kindOf(name)
    const isTerminal = look.showsTerminals && kind === 'execute'
    calls.set(id, { name, args, output: '', isTerminal })
    send({
      ...{ sessionUpdate: 'tool_call', toolCallId: id, title: titleOf(name, args, words.tool), kind },
      ...{ status: 'pending', locations: locationsOf(args, base), rawInput: args },
      ...(isTerminal && {
        content: [{ type: 'terminal', terminalId: id }],
        _meta: { terminal_info: { terminal_id: id, cwd: base } },
      }),
    })
  }

  function allowed(id: string): void {
    send({
      ...{ sessionUpdate: 'tool_call_update', toolCallId: id, status: 'in_progress' },
      // The question has put what the call would do in its place.
      ...(calls.get(id)?.isTerminal && { content: [{ type: 'terminal', terminalId: id }] }),
    })
  }

  function output(id: string, piece: string): void {
    const call = calls.get(id)
    if (!call) return
    const update = { sessionUpdate: 'tool_call_update', toolCallId: id } as const
    if (call.isTerminal) {
      send({ ...update, _meta: { terminal_output: { terminal_id: id, data: piece } } })
      return
    }
    call.output = tailOf(call.output + piece, MOST_OUTPUT)
    if (call.timer) return
    const show = () => send({ ...update, content: [fenced(call.output)] })
    show()
    call.timer = setTimeout(() => {
      delete call.timer
      if (calls.has(id)) show()
    }, OUTPUT_PAUSE)
    call.timer.unref()
  }

  function ended(result: ToolMessage): void {
    const id = result.tool_call_id
    const call = calls.get(id)
    clearTimeout(call?.timer)
    calls.delete(id)
    send(endOf(result, call?.args ?? {}, { base, isTerminal: call?.isTerminal ?? false }))
    const plan = planIn(result.details)
    if (plan) send(plan)
  }

  function listen(event: SessionEvent): void {
    switch (event.type) {
      case 'message_start':
        // What the editor has cannot be taken back.
        if (message.messageId === event.id) say(words.plain.wasThought)
        message = { messageId: event.id }
        cleaner = createSanitizer()
        break
      case 'message_delta':
        text(cleaner.push(event.text))
        break
      case 'thinking_delta':
        thought(sanitize(event.text))
        break
      case 'tool_call_start':
        started(event.tool_call_id, event.name, event.arguments)
        break
      case 'permission':
        if (event.decision === 'allow') allowed(event.tool_call_id)
        else if (event.by !== 'user') say(words.notices.denied(words.say(saidOf(event))), 'warning')
        break
      case 'tool_output':
        output(event.tool_call_id, event.text)
        break
      case 'message':
        if (event.role === 'tool') ended(event)
        else if (event.role === 'assistant') {
          text(cleaner.finish())
          message = {}
          const size = look.room()
          if (event.usage && size !== undefined)
            send({ sessionUpdate: 'usage_update', used: event.usage.context_tokens, size })
        } else if (event.shown === '') thought(words.notices.toTheModel(event.content))
        break
      case 'mode_change':
        send({ sessionUpdate: 'current_mode_update', currentModeId: event.mode })
        break
      case 'name':
        send({ sessionUpdate: 'session_info_update', title: event.name })
        break
      case 'compaction':
        if (look.takesCompaction)
          send({ sessionUpdate: 'compaction_update', compactionId: event.id, status: 'completed' })
        else say(words.cells.compacted(event.token_before, event.token_after, event.waited_ms ?? 0))
        break
      case 'notice':
        tell(event)
        break
    }
  }

  return {
    listen,
    say,
    show(shown) {
      const [content] = [fenced(shown)]
      if (content.type === 'content' && content.content.type === 'text')
        send({
          sessionUpdate: 'agent_message_chunk',
          content: { type: 'text', text: `${content.content.text}\n\n` },
        })
    },
    stop() {
      for (const { timer } of calls.values()) clearTimeout(timer)
      calls.clear()
    },
  }
}

/** The update that ends a call. */
export function endOf(
  { tool_call_id, tool_name: name, content, details, is_error }: ToolMessage,
  args: Record<string, unknown>,
  { base, isTerminal }: { base: string; isTerminal: boolean },
): SessionUpdate {
  const shown: ToolCallContent[] = isTerminal ? [] : resultContent({ name, args, content, details }, base)
  const facts = fieldsOf(details)
  const line = firstLine(facts.diff)
  const [location] = line === undefined ? [] : locationsOf(args, base)
  const exit_code = typeof facts.exit_code === 'number' ? facts.exit_code : null
  return {
    ...{ sessionUpdate: 'tool_call_update', toolCallId: tool_call_id },
    status: is_error ? 'failed' : 'completed',
    ...(!isTerminal && { content: shown }),
    ...(location && line !== undefined && { locations: [{ ...location, line }] }),
    ...(isTerminal && { _meta: { terminal_exit: { terminal_id: tool_call_id, exit_code, signal: null } } }),
  }
}

const STATES = { open: 'pending', doing: 'in_progress', done: 'completed' } as const

/** The list of things to do in a result's details, whole. */
export function planIn(details: unknown): SessionUpdate | undefined {
  const { todo } = fieldsOf(details)
  if (!Array.isArray(todo)) return undefined
  const entries = todo.map(fieldsOf).map(({ text, state }) => ({
    content: String(text),
    priority: 'medium' as const,
    status: STATES[state as keyof typeof STATES] ?? 'pending',
  }))
  return { sessionUpdate: 'plan', entries }
}
