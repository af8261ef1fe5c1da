/**
 * The one place where something becomes part of a session: a kept event goes to the journal, then into the history of
 * its thread, then to the listeners.
 */
import type { RunEvent } from '../agent/run.ts'
import { applyCompaction } from '../context/compaction.ts'
import type { KeptEvent, LiveEvent, SessionEvent } from '../protocol/events.ts'
import type { Message } from '../protocol/messages.ts'
import { agentChange } from './agent.ts'
import type { Journal } from './journal.ts'
import { PartialWriter } from './partial.ts'
import type { Replayed, ReplayedThread } from './replay.ts'
import { Undone } from './undone.ts'

export interface SubscribeOptions {
  /** Also what happens in side conversations. Default false: the main one alone. */
  threads?: boolean
  /** Asked after every event of a run: a promise holds the run back, and with it the model and the command that writes. */
  held?(): Promise<unknown> | undefined
}

type Listener = (event: SessionEvent) => void

export class Recorder {
  #journal: Journal
  #beginning: ((main: ThreadRecord) => void) | undefined
  #listeners = new Map<Listener, SubscribeOptions>()
  #threads: ThreadRecord[] = []
  readonly #resumed: Replayed | undefined
  /** The last of each kind that says how things stand, in each thread. */
  #standing = new Map<string, KeptEvent>()
  #closed = false
  readonly main: ThreadRecord

  /** `beginning`: writes what stands before everything else in a journal; called with the first event that is kept. */
  constructor(journal: Journal, resumed: Replayed | undefined, beginning: (main: ThreadRecord) => void) {
    this.#journal = journal
    // The conversation goes on in memory, and says so itself.
    journal.onTrouble = trouble => queueMicrotask(() => this.notice(trouble))
    journal.recall = () => this.#recalled()
    this.#beginning = beginning
    this.main = this.thread(undefined, resumed?.history ?? [], resumed?.undone)
    this.#resumed = resumed
    if (!resumed) return
    const { id, cwd, mode, agents, threads } = resumed
    if (id !== '') this.#hold({ type: 'header', version: 1, id, cwd })
    if (mode) this.#hold({ type: 'mode_change', mode })
    if (agents?.begun) this.#hold(agentChange(agents.begun, { begins: true }))
    if (agents) this.#hold(agentChange(agents.now))
    this.#holdResumed(resumed, {})
    for (const [thread, side] of threads) this.#holdResumed(side, { thread })
  }

  get journal(): Journal {
    return this.#journal
  }

  /** What belongs to one conversation is recorded through its own record. */
  thread(id: string | undefined, history: Message[], undone = new Undone()): ThreadRecord {
    const record = new ThreadRecord(id, history, { recorder: this, undone })
    this.#threads.push(record)
    return record
  }

  subscribe(listener: Listener, options: SubscribeOptions = {}): () => void {
    this.#listeners.set(listener, options)
    return () => void this.#listeners.delete(listener)
  }

  /** The journal's header and what a resume has to mend are written, if they are not yet. */
  begin(): void {
    const beginning = this.#beginning
    this.#beginning = undefined
    beginning?.(this.main)
  }

  /** Says something to the person and keeps it. */
  notice(notice: Omit<Extract<KeptEvent, { type: 'notice' }>, 'type'>): void {
    this.main.record({ type: 'notice', ...notice })
  }

  /** Nothing is a part of the session any more: what answers late is not heard. */
  close(): void {
    this.#closed = true
    for (const thread of this.#threads) thread.close()
    this.#journal.close()
  }

  get closed(): boolean {
    return this.#closed
  }

  /** The latest stand last. */
  #hold(event: KeptEvent): void {
    if (!standing.has(event.type) || ('for_run' in event && event.for_run)) return
    const begins = event.type === 'agent_change' && event.begins ? ' begins' : ''
    const key = `${event.thread ?? ''} ${event.type}${begins}`
    this.#standing.delete(key)
    this.#standing.set(key, event)
  }

  #holdResumed({ sent, prompt }: ReplayedThread, thread: { thread?: string }): void {
    if (sent) {
      const { model, num_ctx, dialect: tool_calling } = sent
      this.#hold({ type: 'model_change', model, tool_calling, num_ctx, ...thread })
    }
    if (prompt) this.#hold({ type: 'prompt', ...prompt, ...thread })
  }

  /** Entries that replay to what is known; before them whatever a journal still holds counts no more. */
  #recalled(): KeptEvent[] {
    const anew = (thread: object): KeptEvent => ({
      ...{ type: 'compaction', id: 'anew', summary: '', token_before: 0, token_after: 0, kept: [] },
      ...thread,
    })
    const open = new Set(this.#threads.map(({ id }) => id))
    const closed = [...(this.#resumed?.threads ?? [])].filter(([id]) => !open.has(id))
    const threads = [...this.#threads, ...closed.map(([id, { history }]) => ({ id, history }))]
    const told = threads.flatMap(({ id, history }) => {
      const thread = id === undefined ? {} : { thread: id }
      return [
        anew(thread),
        ...history.map((message): KeptEvent => ({ type: 'message', ...message, ...thread })),
      ]
    })
    return [...this.#standing.values(), ...told]
  }

  /** → the entry as it stands in the journal. */
  keep(event: KeptEvent): SessionEvent {
    this.#hold(event)
    return this.#journal.append(event)
  }

  keepPartial(partial: Parameters<Journal['appendPartial']>[0]): void {
    this.#journal.appendPartial(partial)
  }

  /** Somebody who listens can take no more until this resolves. */
  held(): Promise<unknown> | undefined {
    let all: Promise<unknown> | undefined
    for (const { held } of this.#listeners.values()) {
      const one = held?.()
      all = all && one ? Promise.all([all, one]) : (all ?? one)
    }
    return all
  }

  tell(event: SessionEvent): void {
    for (const [listener, { threads = false }] of this.#listeners) {
      if (event.thread !== undefined && !threads) continue
      try {
        listener(event)
      } catch (error) {
        // As with an EventTarget: the program hears of its listener's bug, and what is told goes on.
        process.nextTick(() => {
          throw error
        })
      }
    }
  }
}

/** The record of one conversation: the main one (without an id), or one at its side. */
export class ThreadRecord {
  readonly id: string | undefined
  readonly history: Message[]
  readonly undone: Undone
  #recorder: Recorder
  #partial: PartialWriter
  /** The phase that was shown last, and what was done in it. */
  #phase = 'idle'

  constructor(
    id: string | undefined,
    history: Message[],
    { recorder, undone }: { recorder: Recorder; undone: Undone },
  ) {
    this.id = id
    this.history = history
    this.undone = undone
    this.#recorder = recorder
    this.#partial = new PartialWriter(partial => recorder.keepPartial(this.#marked(partial)))
  }

  /** → what the run has to wait for before it goes on. */
  take(event: RunEvent): Promise<unknown> | undefined {
    if (isLive(event)) this.show(event)
    else this.record(event)
    return this.#recorder.held()
  }

  record(event: KeptEvent): void {
    if (this.#recorder.closed) return
    this.#recorder.begin()
    const entry = this.#recorder.keep(this.#marked(event))
    if (event.type === 'message') {
      const { type: _, ...message } = event
      if (event.role === 'user') this.undone.forget()
      this.history.push(message)
    }
    if (event.type === 'rewind') this.undone.apply(this.history, event)
    // With its message, or without one where nothing was said.
    if (event.type === 'turn_end' || (event.type === 'message' && event.role === 'assistant'))
      this.#partial.end()
    if (event.type === 'compaction') {
      this.history.splice(0, this.history.length, ...applyCompaction(this.history, event))
    }
    this.#recorder.tell(entry)
  }

  /** Writes down what the history holds already: the mending of a resumed journal. */
  recordRepair(event: KeptEvent): void {
    this.#recorder.tell(this.#recorder.keep(event))
  }

  /** Shows what is not, or not again, written down. */
  show(event: SessionEvent): void {
    if (this.#recorder.closed) return
    if (event.type === 'phase') {
      const phase = event.what === undefined ? event.phase : `${event.phase} ${event.what}`
      if (phase === this.#phase && event.tokens === undefined) return
      this.#phase = phase
    }
    if (event.type === 'message_delta') this.#partial.add(event.message_id, event.text)
    this.#recorder.tell(this.#marked(event))
  }

  close(): void {
    this.#partial.close()
  }

  #marked<T extends object>(event: T): T {
    return this.id === undefined ? event : { ...event, thread: this.id }
  }
}

const standing: ReadonlySet<string> = new Set<KeptEvent['type']>([
  'header',
  'model_change',
  'mode_change',
  'agent_change',
  'prompt',
  'agent_start',
  'agent_end',
])

const live: ReadonlySet<string> = new Set<LiveEvent['type']>([
  'message_start',
  'message_delta',
  'thinking_delta',
  'tool_output',
  'background',
  'read_ahead',
  'tool_limit',
  'phase',
  'permission_request',
])

const isLive = (event: RunEvent): event is LiveEvent => live.has(event.type)
