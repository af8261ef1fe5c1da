/** The side conversations of a session: each with a history, tools and a setup of its own, in the session's journal. */
import type { RunModel, RunPolicy, RunTools, Setup } from '../agent/run.ts'
import type { RunError } from '../protocol/errors.ts'
import type { TaskStart } from '../protocol/events.ts'
import type { ToolMessage, UserMessage } from '../protocol/messages.ts'
import { settled } from './compact.ts'
import type { Recorder } from './recorder.ts'
import type { ReplayedThread } from './replay.ts'
import { type OneRun, type RunOptions, type Shared, Thread, type ThreadOptions } from './thread.ts'

export interface SideOptions {
  /** Of a side conversation to go on with. Default: a new one. */
  id?: string
  /** A new one goes on from the main conversation as it is now, instead of from nothing. */
  branch?: boolean
  /**
   * Of a branch that begins within the last reply of the main conversation: what its calls without a result are answered
   * with there.
   */
  answers?: readonly ToolMessage[]
  /** For whom it is. */
  task?: TaskStart
  /** Replaces the session's tools; what the model is told of them stands in `setup`. */
  tools?: RunTools['list']
  policy?: Partial<RunPolicy>
  /** Another server than the session's. */
  elsewhere?: Pick<Shared, 'backend' | 'state' | 'gaugeFor'> | undefined
  /** What is sent otherwise than in the main conversation; asked for anew whenever that one's setup has changed. */
  setup?(main: Setup): Setup
}

export interface ThreadsOptions extends Shared {
  recorder: Recorder
  main: Thread
  resumed: ReadonlyMap<string, ReplayedThread> | undefined
  warm: ThreadOptions['warm']
  lastUse: ThreadOptions['lastUse']
  fallBack: RunModel['fallBack']
}

export class Threads {
  #options: ThreadsOptions
  #open = new Map<string, SideThread>()

  constructor(options: ThreadsOptions) {
    this.#options = options
  }

  /** Their ids. */
  list(): string[] {
    return [...new Set([...(this.#options.resumed?.keys() ?? []), ...this.#open.keys()])]
  }

  /** Throws when there is no side conversation with the id. */
  open(options: SideOptions = {}): Thread {
    const { recorder, main, resumed, newId, policy, tools } = this.#options
    const known = options.id === undefined ? undefined : this.#open.get(options.id)
    if (known) return known
    const before = options.id === undefined ? undefined : resumed?.get(options.id)
    if (options.id !== undefined && !before) throw new Error(`there is no side conversation ${options.id}`)
    const id = options.id ?? newId()
    const base = !options.branch ? [] : options.answers ? main.history : settled(main.history)
    const record = recorder.thread(id, before?.history ?? [...base])
    const last = base.at(-1)
    if (!before) record.record({ type: 'thread_start', ...(last && { base: last.id }), ...options.task })
    for (const answer of options.answers ?? []) record.record({ type: 'message', ...answer })
    const setup = derived(main, own => told(options.setup?.(own) ?? own, before))
    const thread = new SideThread({
      ...this.#options,
      ...options.elsewhere,
      ...{ record, setup, isBranch: options.branch },
      // Depth one: nobody works for who works for somebody.
      tools: { list: options.tools ?? tools.list, surroundings: { ...tools.surroundings, tasks: undefined } },
      policy: { ...policy, ...options.policy },
      fallBack: error => this.#fallBack(error, setup()),
      // A side conversation has a task, and no person to talk with.
      talk: () => false,
    })
    this.#open.set(id, thread)
    return thread
  }

  /** What still runs is ended. */
  async close(): Promise<void> {
    await Promise.all([...this.#open.values()].map(thread => thread.end()))
  }

  /** What the server refuses here it refuses in the main conversation too: that one's setup changes, and so this one's. */
  #fallBack(error: RunError, setup: Setup | undefined): ReturnType<RunModel['fallBack']> {
    if (setup?.model !== this.#options.main.setup?.model) return undefined
    const changes = this.#options.fallBack(error)
    for (const change of changes ?? []) this.#options.recorder.main.record(change)
    return changes && []
  }
}

/** A conversation that is gone on with is told what it was told before, byte for byte. */
const told = (setup: Setup, before: ReplayedThread | undefined): Setup =>
  before?.prompt ? { ...setup, system: before.prompt.system, wireTools: before.prompt.tools } : setup

/** Made anew only when the main conversation's setup has changed. */
function derived(main: Thread, make: (setup: Setup) => Setup): () => Setup | undefined {
  let made: { of: Setup; setup: Setup } | undefined
  return () => {
    const { setup: of } = main
    if (of && made?.of !== of) made = { of, setup: make(of) }
    return of && made?.setup
  }
}

/** Writes down what it is told before its first run, and ends with the session. */
class SideThread extends Thread {
  #life = new AbortController()
  #running = new Set<Promise<unknown>>()
  #told = ''

  override run(words: UserMessage, options: RunOptions): Promise<OneRun> {
    this.#tell()
    const signal = AbortSignal.any([options.signal, this.#life.signal])
    const running = super.run(words, { ...options, signal })
    this.#running.add(running)
    return running.finally(() => this.#running.delete(running))
  }

  async end(): Promise<void> {
    this.#life.abort('user')
    await Promise.all(this.#running)
    this.close()
  }

  /** So that a resume sends the same bytes. */
  #tell(): void {
    const { record } = this
    const { system, wireTools: tools, model, dialect, context: num_ctx } = this.known()
    const told = JSON.stringify([system, tools, model, dialect.name, num_ctx])
    if (told === this.#told) return
    this.#told = told
    record.record({ type: 'model_change', model, tool_calling: dialect.name, num_ctx })
    record.record({ type: 'prompt', system, tools })
  }
}
