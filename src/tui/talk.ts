/** The screen's side of one session: does what keys ask for, shows what happens. */
import type { PermissionMode, SessionEvent } from '../protocol/events.ts'
import { neverRun } from '../session/result.ts'
import type { RunResult, Session } from '../session/session.ts'
import { messageOf } from '../text/message-of.ts'
import type { App } from './app.ts'
import { withSent } from './conversation.ts'
import { edit, textOf } from './editor/editor.ts'
import { type Acts, act, type Effect } from './effect.ts'
import { happen } from './happen.ts'
import { promptLook } from './layout.ts'

/** Why a talk ends: what comes next. */
export type Wanted =
  | { type: 'leave' }
  | { type: 'new session' }
  | { type: 'model'; name: string }
  | { type: 'session'; id: string }

export interface TalkOptions {
  /** What one session alone cannot do: lists, files, the terminal. */
  others: (effect: Effect) => void
  /** The git branch now. */
  branch(): string | undefined
}

export class Talk {
  /** Resolves when this talk is over. */
  readonly wanted: Promise<Wanted>
  #app: App
  #session: Session
  #options: TalkOptions
  #end: (wanted: Wanted) => void = () => {}
  #drafted = ''
  #last: RunResult | undefined
  #unsubscribe: () => void

  constructor(app: App, session: Session, options: TalkOptions) {
    this.#app = app
    this.#session = session
    this.#options = options
    this.wanted = new Promise(resolve => (this.#end = resolve))
    this.#unsubscribe = session.subscribe(event => this.#happened(event))
    this.#putBack(session.takeUnsent())
    this.look()
    app.connect(effect => {
      if (!act(this.#acts, effect)) options.others(effect)
    })
  }

  /** The session is about to close, or the process to end. */
  stop(): void {
    this.#app.disconnect()
    this.#unsubscribe()
  }

  /** Takes from the session what no event tells. */
  look(): void {
    const branch = this.#options.branch()
    const { setup, mode, messages } = this.#session
    const usage = messages.findLast(message => message.role === 'assistant')?.usage
    this.#app.change(({ status: { branch: _, ...status }, ...state }) => ({
      ...state,
      status: {
        ...status,
        mode,
        ...(usage && !status.usage && { usage }),
        ...(setup && { model: setup.model, dialect: setup.dialect.name, limit: setup.limit }),
        ...(branch !== undefined && { branch }),
      },
    }))
  }

  #happened(event: SessionEvent): void {
    let settled: ReturnType<typeof happen>['settled'] = []
    const isFirst = event.type === 'message_start'
    if (event.type === 'phase') this.#app.useMarkdown()
    this.#app.change(
      state => {
        const happened = happen(state, event, performance.now())
        settled = happened.settled
        return happened.state
      },
      { now: isFirst },
    )
    this.#app.settle(settled)
    if (event.type === 'model_change' || event.type === 'mode_change' || event.type === 'agent_end')
      this.look()
  }

  #acts: Acts = {
    prompt: ({ text }) => this.send(text),
    steer: ({ text }) => this.#follow(this.#session.steer(text, { typed: text })),
    follow_up: ({ text }) => this.#follow(this.#session.followUp(text, { typed: text })),
    abort: () => this.#session.abort(),
    stop: () => {
      if (!this.#session.stepInNow()) this.#session.abort()
    },
    take_back: () => this.#takeBack(),
    set_mode: ({ mode }) => this.#setMode(mode),
    compact: ({ hint }) => void this.#compact(hint),
    draft: () => this.#draft(),
    new_session: () => this.#end({ type: 'new session' }),
    use_model: ({ name }) => this.#end({ type: 'model', name }),
    resume: ({ id }) => this.#end({ type: 'session', id }),
    leave: () => this.#end({ type: 'leave' }),
  }

  /** Words for the model, from here on a run. */
  send(text: string): void {
    // Two Enters in one read: the second finds the run of the first.
    if (this.#session.isStreaming) {
      this.#follow(this.#session.steer(text, { typed: text }))
      return
    }
    this.#app.change(state => ({ ...state, conversation: withSent(state.conversation, text) }))
    this.#follow(this.#session.prompt(text, { typed: text }))
  }

  #follow(run: Promise<RunResult>): void {
    run.then(
      result => this.#ended(result),
      error => this.#app.say(messageOf(error), 'error'),
    )
  }

  /** Words of the same run share its result; words that were taken back had no run. */
  #ended(result: RunResult): void {
    if (result === this.#last || result === neverRun) return
    this.#last = result
    const { notices } = this.#app.words
    if (result.reason === 'aborted') this.#app.say(notices.stopped)
    this.#putBack(result.unsent)
    if (!this.#session.isStreaming)
      this.#app.callPerson(result.reason === 'error' ? notices.failed : notices.done)
  }

  /** Words that were not sent stand before what is being typed. */
  #putBack(words: readonly string[]): void {
    if (words.length === 0) return
    this.#app.change(
      state => {
        const text = [...words, textOf(state.editor)].filter(part => part.trim() !== '').join('\n')
        const look = promptLook(state, this.#app.words)
        return { ...state, editor: edit(state.editor, { type: 'replace', text }, look) }
      },
      { now: true },
    )
  }

  #setMode(mode: PermissionMode): void {
    this.#session.setMode(mode)
    const { notices, modes } = this.#app.words
    this.#app.hint(notices.mode(modes[mode].name, modes[mode].does))
  }

  #takeBack(): void {
    const last = this.#app.state.queue.at(-1)
    const words = last && this.#session.takeBack(last.id)
    if (words !== undefined) this.#putBack([words])
  }

  async #compact(hint: string): Promise<void> {
    const { notices } = this.#app.words
    this.#app.hint(notices.compacting)
    try {
      const worked = await this.#session.compact(hint === '' ? undefined : hint)
      this.#app.hint(worked ? undefined : notices.nothingToCompact)
    } catch (error) {
      this.#app.say(messageOf(error), 'error')
    }
  }

  /** What is being typed may be read by the server ahead; a command is not for it. */
  #draft(): void {
    const text = textOf(this.#app.state.editor)
    if (text === this.#drafted || text.startsWith('/')) return
    this.#drafted = text
    this.#session.draft(text, { typed: text })
  }
}
