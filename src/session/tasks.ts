/**
 * Agents that work for a call of the main conversation, each in a conversation at its side. On the main one's prefix where
 * that has room (`branch`): the server then reads nothing of it again, neither for the agent nor after it. Else on a prefix
 * of its own (`fresh`).
 */
import texts from '../../prompts/task.md'
import { follow } from '../agent/abortable.ts'
import { type Limiter, limiter } from '../agent/limiter.ts'
import type { RunEnd, RunPolicy, Setup } from '../agent/run.ts'
import type { Backend } from '../backends/backend.ts'
import type { Door } from '../permission/door.ts'
import { RunError, ToolError } from '../protocol/errors.ts'
import type { SessionEvent, TaskStart } from '../protocol/events.ts'
import { fill, sections } from '../text/fill.ts'
import { fieldsOf } from '../text/record.ts'
import { subjectOf } from '../text/tool-line.ts'
import type { Tasks, Tool, ToolContext, ToolResult } from '../tools/tool.ts'
import { type Agent, narrowingOf } from './agent.ts'
import type { Session } from './session.ts'
import { answersFor, Calls } from './task-calls.ts'
import type { Thread } from './thread.ts'
import type { SideOptions } from './threads.ts'

export interface TasksOptions {
  session(): Session
  agents: readonly Agent[]
  tools: readonly Tool[]
  narrowed: Door['narrowed']
  /** The session's. */
  backend: Pick<Backend, 'places'>
  /** Whose the model is, where that is another server than the session's: its name, and how much it answers at once. */
  elsewhere(model: string): { name: string; places: number } | undefined
  /** Of an agent with a prefix of its own; `elsewhere`: on another server. Rejects with `RunError`. */
  setupFor(agent: Agent, main: Setup): Promise<{ setup: Setup; elsewhere?: SideOptions['elsewhere'] }>
  /** No agent works any more. */
  close(): void
}

/** What screen and journal know of it. */
export interface TaskDetails extends Pick<TaskStart, 'agent' | 'way' | 'why'> {
  thread: string
  turns: number
  calls: number
  read_tokens: number
  written_tokens: number
  /** Its calls, a line each. */
  steps: string[]
  changed: string[]
  ended?: 'aborted'
}

/** Fewer tokens of history are read too quickly to tell whether the server still had them. */
const measurable = 512
const parts = () => sections(texts, ['task', 'tools', 'changed', 'stopped', 'limit'])

export function createTasks(options: TasksOptions): Tasks {
  const { agents, backend } = options
  const slots = new ServerSlots()
  const calls = new Calls()
  /** On each server as many at once as it is known to answer. */
  const own = limiter(() => backend.places?.() ?? (slots.several ? 2 : 1))
  const others = new Map<string, Limiter>()
  const at = (model: string | undefined): Limiter => {
    const other = model === undefined ? undefined : options.elsewhere(model)
    if (!other) return own
    const known = others.get(other.name) ?? limiter(other.places)
    others.set(other.name, known)
    return known
  }
  return {
    async run({ agent: name, prompt }, context) {
      const session = options.session()
      const agent = agents.find(known => known.name.toLowerCase() === name.trim().toLowerCase())
      if (!agent) {
        const names = agents.map(known => known.name).join(', ')
        throw new ToolError(`task: there is no agent named "${name}". The agents are: ${names}.`)
      }
      const { id = '' } = context
      const place = at(agent.model)
      calls.came(id)
      await place.enter()
      try {
        context.signal.throwIfAborted()
        const way = wayFor(agent, session, { slots, isTaken: calls.isBranched })
        const start = { agent: agent.name, tool_call_id: id, ...way }
        calls.began(id, start)
        const { thread, tools } = await openThread(start, agent, { ...options, context, calls })
        const { instructions, limits } = start.way === 'branch' ? told(agent, tools) : untold
        const content = fill(parts().task, { agent: agent.name, prompt, instructions, limits }).trim()
        const { end, seen, stopped } = await work(thread, content, { agent, session, context })
        const isBeside = start.way === 'fresh' && thread.setup?.model === session.setup?.model
        if (isBeside && !backend.places) slots.cameBetween(session)
        return resultOf(end, seen, { start, thread, stopped })
      } finally {
        calls.ended(id)
        place.leave()
      }
    },
    close: () => options.close(),
  }
}

/** Who has a prefix of its own is told there. */
const untold = { instructions: '', limits: '' }

const told = ({ prompt, tools }: Agent, all: readonly Tool[]) => ({
  instructions: prompt.trim() === '' ? '' : `${prompt.trim()}\n\n`,
  limits: tools ? ` ${fill(parts().tools, { tools: namesOf(all, tools).join(', ') })}` : '',
})

const namesOf = (all: readonly Tool[], allowed: readonly string[]): string[] =>
  all.map(({ name }) => name).filter(name => allowed.includes(name.toLowerCase()))

function wayFor(
  { model }: Agent,
  { main, setup }: Session,
  { slots, isTaken }: { slots: ServerSlots; isTaken: boolean },
): Pick<TaskStart, 'way' | 'why'> {
  if (model !== undefined && model !== setup?.model) return { way: 'fresh', why: 'model' }
  if (main.room.freeTokens() < main.known().limit / 2) return { way: 'fresh', why: 'room' }
  return slots.several || isTaken ? { way: 'fresh', why: 'several' } : { way: 'branch' }
}

/** Whether the server keeps several conversations, as it was seen to do. */
class ServerSlots {
  several = false

  /** What the next reply of the main conversation tells. */
  cameBetween(session: Session): void {
    const unsubscribe = session.subscribe(event => {
      if (event.type !== 'message' || event.role !== 'assistant' || !event.usage) return
      unsubscribe()
      // What both begin with is there whoever came between.
      const alone = session.main.tokens([])
      const own = event.usage.prompt_tokens - alone
      if (own >= measurable) this.several = event.usage.reused_tokens - alone > own / 2
    })
  }
}

async function openThread(
  start: TaskStart,
  agent: Agent,
  options: TasksOptions & { context: ToolContext; calls: Calls },
): Promise<{ thread: Thread; tools: readonly Tool[] }> {
  const { tools: all, narrowed, context, calls } = options
  const session = options.session()
  const own = all.filter(({ name }) => name !== 'task')
  const policy: Partial<RunPolicy> = {
    authorize: narrowed(narrowingOf(agent)),
    goOn: async () => false,
    ...(agent.max_turns !== undefined && { maxTurns: agent.max_turns }),
  }
  if (start.way === 'fresh') {
    const { tools: allowed } = agent
    const tools = allowed ? own.filter(({ name }) => allowed.includes(name.toLowerCase())) : own
    const { setup, elsewhere } = await options.setupFor(agent, session.main.known()).catch(error => {
      throw error instanceof RunError ? new ToolError(`task: ${error.message}`) : error
    })
    return { thread: session.thread({ tools, policy, task: start, elsewhere, setup: () => setup }), tools }
  }
  const answers = await answersFor(start.tool_call_id, { session, signal: context.signal, others: calls })
  const setup = (main: Setup): Setup => ({ ...main, options: { ...main.options, ...agent.options } })
  // It is told of `task`, as the main one is, and hears what is wrong with a call of it.
  return {
    thread: session.thread({ branch: true, answers, tools: all, policy, task: start, setup }),
    tools: own,
  }
}

interface Seen {
  steps: string[]
  changed: Set<string>
  read: number
  written: number
}

async function work(
  thread: Thread,
  content: string,
  { agent, session, context }: { agent: Agent; session: Session; context: ToolContext },
): Promise<{ end: RunEnd; seen: Seen; stopped: boolean }> {
  const seen: Seen = { steps: [], changed: new Set(), read: 0, written: 0 }
  const { controller, release } = follow(context.signal)
  const say = (line: string) => void context.onOutput(`${line}\n`)
  const unsubscribe = session.subscribe(event => event.thread === thread.id && take(event, seen, say), {
    threads: true,
  })
  const endHosting = session.host({ thread, stop: controller, name: agent.name })
  try {
    const words = { id: thread.newId(), role: 'user', content } as const
    const { signal } = controller
    const { end } = await thread.run(words, {
      signal,
      ...(agent.max_turns !== undefined && { maxTurns: agent.max_turns }),
    })
    return { end, seen, stopped: signal.aborted }
  } finally {
    endHosting()
    unsubscribe()
    release()
  }
}

/** What of its events is told where it is a call. */
function take(event: SessionEvent, seen: Seen, say: (line: string) => void): void {
  if (event.type === 'tool_call_start') {
    const step =
      `${event.name} ${subjectOf(event.arguments, { within: (what, place) => `${what} ${place}` })}`.trim()
    seen.steps.push(step)
    say(step)
  }
  if (event.type === 'steer') say(`> ${event.content}`)
  if (event.type !== 'message') return
  if (event.role === 'assistant') {
    seen.read += event.usage?.read_tokens ?? 0
    seen.written += event.usage?.completion_tokens ?? 0
    const [line = ''] = event.content.trim().split('\n')
    if (line !== '' && !event.text_calls) say(line)
  }
  if (event.role !== 'tool' || event.is_error) return
  const { diff, path } = fieldsOf(event.details)
  if (typeof diff === 'string' && typeof path === 'string') seen.changed.add(path)
}

function resultOf(
  end: RunEnd,
  { steps, changed, read, written }: Seen,
  { start, thread, stopped }: { start: TaskStart; thread: Thread; stopped: boolean },
): ToolResult {
  if (end.error) throw new ToolError(`task: ${end.error.message}`)
  const { changed: changedNote, limit, stopped: stoppedNote } = parts()
  const files = [...changed]
  const notes = [
    ...(files.length > 0 ? [fill(changedNote, { files: files.join(', ') })] : []),
    ...(end.reason === 'limit' ? [limit] : []),
    ...(stopped ? [stoppedNote] : []),
  ]
  const { agent, way, why } = start
  const details: TaskDetails = {
    ...{ agent, way, ...(why && { why }), thread: thread.id ?? '' },
    ...{ turns: end.turns, calls: steps.length, read_tokens: read, written_tokens: written },
    ...{ steps, changed: files },
    ...(stopped && { ended: 'aborted' as const }),
  }
  const output = [end.text.trim() || '(no answer)', ...notes].join('\n\n')
  return { output, details, is_error: stopped || end.reason === 'limit' }
}
