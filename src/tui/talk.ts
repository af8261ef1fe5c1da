/** The screen's side of one session: does what keys ask for, shows what happens. */

import type { Change, Desk, Job, Place, Wanted } from '../kit/commands/command.ts'
import type { PermissionMode, SessionEvent } from '../protocol/events.ts'
import type { Usage } from '../protocol/messages.ts'
import { mayAskAgain, neverRun } from '../session/result.ts'
import type { RunResult, Session } from '../session/session.ts'
import { explain } from '../words/explain.ts'
import type { Words } from '../words/words.ts'
import type { App } from './app.ts'
import type { Cell } from './cells/cell.ts'
import { noConversation, withSent } from './conversation.ts'
import { edit, textOf } from './editor/editor.ts'
import { type Acts, act, type Effect } from './effect.ts'
import { happen } from './happen.ts'
import { Held, type HeldWords } from './held.ts'
import { promptLook } from './layout.ts'
import { OwnCommands } from './own-commands.ts'
import { retold } from './retell.ts'
import { Aside, type AsideOptions } from './side/aside.ts'
import { tells } from './telling.ts'

export interface TalkOptions extends AsideOptions {
  /** What one session alone cannot do: lists, files, the terminal. */
  others: (effect: Effect) => void
  /** The git branch now. */
  branch(): string | undefined
  /** The session before this one; undefined: there is none. */
  before(): Promise<{ id: string } | undefined>
  place: Place
  /** A greeting is to come (`greeted`), and tells what was said before. */
  awaitsGreeting?: boolean
}

export class Talk {
  /** Resolves when this talk is over. */
  readonly wanted: Promise<Wanted>
  #app: App
  #session: Session
  #aside: Aside
  #options: TalkOptions
  #end: (wanted: Wanted) => void = () => {}
  #drafted = ''
  #last: RunResult | undefined
  /** What the last run took stands below it, and says with it that it was stopped. */
  #hasSaidEnd = false
  #own: OwnCommands
  #held: Held
  #unsubscribe: () => void
  /** What is to stand below the greeting, which has not come yet. */
  #below: Cell[] | undefined

  constructor(app: App, session: Session, options: TalkOptions) {
    this.#app = app
    this.#session = session
    this.#options = options
    this.#aside = new Aside(app, session, options)
    this.#held = new Held(app)
    this.#own = new OwnCommands(app, {
      happened: event => this.#happened(event),
      isStreaming: () => session.isStreaming,
      over: () => this.#release(),
    })
    this.wanted = new Promise(resolve => (this.#end = resolve))
    if (options.awaitsGreeting) this.#below = []
    this.#unsubscribe = session.subscribe(event => this.#happened(event))
    this.#putBack(session.takeUnsent())
    this.look()
    app.connect(effect => {
      if (!act(this.#acts, effect)) options.others(effect)
    })
  }

  /** What stands above the notices is there: how gopi started is read where one looks, below a long story. */
  greeted(): void {
    const below = this.#below ?? []
    this.#below = undefined
    this.#app.settle(below)
  }

  /** The session is about to close, or the process to end. */
  stop(): void {
    this.#putBack(this.#unheld())
    this.#app.disconnect()
    this.#aside.stop()
    this.#unsubscribe()
  }

  /** Takes from the session what no event tells. */
  look(): void {
    const branch = this.#options.branch()
    const { setup, mode, messages } = this.#session
    const usage = usageIn(messages)
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
    // What a resume mends: the greeting tells it, with the rest of the conversation.
    if (this.#below && event.type === 'message' && event.role === 'tool') return
    let settled: ReturnType<typeof happen>['settled'] = []
    let unsaid = false
    const isFirst = event.type === 'message_start'
    if (event.type === 'phase') this.#app.useMarkdown()
    this.#app.change(
      state => {
        const happened = happen(state, worded(event, this.#app.words), performance.now())
        settled = happened.settled
        unsaid = happened.unsaid
        return happened.state
      },
      { now: isFirst },
    )
    if (unsaid) this.#app.unsay()
    if (event.type === 'notice' && this.#below) this.#below.push(...settled)
    else this.#app.settle(settled)
    if (event.type === 'agent_end') this.#hasSaidEnd = settled.some(({ type }) => type === 'took')
    if (event.type === 'rewind') this.#retell()
    // The run is over, and the person's own command goes on.
    if (event.type === 'phase' && event.phase === 'idle' && this.#own.isRunning)
      this.#happened({ type: 'phase', phase: 'tool' })
    if (event.type === 'model_change' || event.type === 'mode_change' || event.type === 'agent_end')
      this.look()
    this.#aside.happened(event)
  }

  #acts: Acts = {
    prompt: ({ text }) => void this.#begin(text),
    steer: ({ text }) => {
      if (!this.#isHeld({ text })) this.#follow(this.#session.steer(text, { typed: text }))
    },
    follow_up: ({ text }) => this.#followUp(text),
    abort: () => this.#stop(),
    stop: () => {
      if (!this.#session.stepInNow()) this.#stop()
    },
    more_time: () => {
      if (!this.#session.moreTime()) this.#app.hint(this.#app.words.notices.nothingRunning)
    },
    to_background: () => {
      if (!this.#session.toBackground()) this.#app.hint(this.#app.words.notices.nothingRunning)
    },
    take_back: () => this.#takeBack(),
    set_mode: ({ mode }) => this.#setMode(mode),
    set_think: ({ level }) => {
      this.#session.setThink(level)
      this.#app.hint(this.#app.words.notices.thinking(level))
    },
    enough: () => {
      if (!this.#session.enough()) this.#app.hint(this.#app.words.notices.noThought)
    },
    work: ({ job, line }) => void this.#work(job, line),
    shell: ({ line }) =>
      void this.#work(async desk => (await import('../kit/jobs/shell.ts')).shell(desk, line)),
    look_aside: () => void this.#aside.lookWell(),
    changes: () => void this.#aside.showChanges(),
    go_on: () => void this.#goOn(),
    compact: ({ hint }) => void this.#compact(hint),
    draft: () => this.#draft(),
    'new session': wanted => this.#end(wanted),
    model: wanted => this.#end(wanted),
    session: wanted => this.#end(wanted),
    trust: wanted => this.#end(wanted),
    leave: wanted => this.#end(wanted),
    fork: wanted => this.#end(wanted),
  }

  /** What was said here is not left behind by a key. */
  async #goOn(): Promise<void> {
    const before = this.#session.messages.length === 0 ? await this.#options.before() : undefined
    if (before) this.#end({ type: 'session', id: before.id })
    else this.#app.hint(this.#app.words.lists.noSessions)
  }

  /** A bare `c` that is said first goes on with the last session, as the greeting offers: it would be no prompt. */
  async #begin(text: string): Promise<void> {
    const isOffer = text.trim() === 'c' && this.#session.messages.length === 0 && !this.#session.isStreaming
    const before = isOffer ? await this.#options.before() : undefined
    if (before) this.#end({ type: 'session', id: before.id })
    else this.send(text)
  }

  /** Words for the model, from here on a run. `shown`: as they stand in the conversation. */
  send(text: string, shown?: string): void {
    if (this.#isHeld({ text, shown })) return
    // Two Enters in one read: the second finds the run of the first.
    if (this.#session.isStreaming) {
      this.#follow(this.#session.steer(text, { typed: text }))
      return
    }
    this.#app.change(state => ({ ...state, conversation: withSent(state.conversation, shown ?? text) }))
    this.#follow(this.#session.prompt(text, shown === undefined ? { typed: text } : { shown }))
  }

  #followUp(text: string): void {
    if (!this.#isHeld({ text })) this.#follow(this.#session.followUp(text, { typed: text }))
  }

  /** While a command of the person's runs, and the model does not, words wait: it hears with them what came of it. */
  #isHeld(words: HeldWords): boolean {
    const waits = this.#own.isRunning && !this.#session.isStreaming
    if (waits) this.#held.add(words)
    return waits
  }

  /** What waited for a command goes to the model. */
  #release(): void {
    const [first, ...others] = this.#held.takeAll()
    if (first) this.send(first.text, first.shown)
    for (const { text } of others) this.#followUp(text)
  }

  /** What waited for a command, as it was typed. */
  #unheld = (): string[] => this.#held.takeAll().map(({ text, shown = text }) => shown)

  #follow(run: Promise<RunResult>): void {
    run.then(
      result => this.#ended(result),
      error => this.#app.say(explain(this.#app.words, error), 'error'),
    )
  }

  /** Words of the same run share its result; words that were taken back had no run. */
  #ended(result: RunResult): void {
    if (result === this.#last || result === neverRun) return
    this.#last = result
    const { notices } = this.#app.words
    if (result.reason === 'aborted' && !this.#hasSaidEnd) this.#app.say(notices.stopped)
    this.#putBack(result.unsent)
    if (mayAskAgain(result)) this.#app.hint(notices.askAgain('/retry'))
    if (result.reason === 'done' && this.#session.mode === 'plan' && !this.#session.isStreaming)
      void this.#work(async desk => (await import('../kit/jobs/plan.ts')).followPlan(desk, result.text))
    if (!this.#session.isStreaming)
      this.#app.callPerson(result.reason === 'error' ? notices.failed : notices.done)
  }

  /** Words that were not sent come before what is being typed. */
  #putBack(words: readonly string[]): void {
    if (words.length === 0) return
    this.#app.change(
      state => {
        const text = [...words, textOf(state.editor)].filter(part => part.trim() !== '').join('\n')
        const look = promptLook(state, this.#app.words)
        return { ...state, editor: edit(state.editor, { type: 'recall', text }, look) }
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
    const held = last && this.#held.take(last.id)
    const words = held ? (held.shown ?? held.text) : last && this.#session.takeBack(last.id)
    if (words !== undefined) this.#putBack([words])
  }

  /** `line`: how it was typed; it comes back where it is refused. */
  async #work(job: Job, line?: string): Promise<void> {
    try {
      await job(this.#deskFor(line))
    } catch (error) {
      this.#app.say(explain(this.#app.words, error), 'error')
    }
  }

  #deskFor(line: string | undefined): Desk {
    const app = this.#app
    // Nobody has sent a line for it, or they have waited since: by now they may be typing.
    let isSudden = line === undefined
    return {
      ...{ session: this.#session, words: app.words, place: this.#options.place, isTyped: true },
      show: text => app.say(text),
      tells: title => tells(app, title),
      showChanges: changes => app.settle(changes.map(changeCell)),
      say: sentence => app.hint(sentence),
      note: sentence => app.say(sentence),
      refuse: sentence => {
        app.hint(sentence)
        if (line !== undefined && textOf(app.state.editor) === '') this.#putBack([line])
      },
      confirm: async (title, text) => (await app.asking.confirm({ title, text })) === true,
      choose: (title, choices) => app.asking.pick(title, choices, { isSudden }),
      during: (doing, run, thread) => {
        isSudden = true
        const phases = (heard: (event: SessionEvent) => void) =>
          this.#session.subscribe(event => event.thread === thread && heard(event), { threads: true })
        return app.works.during(doing, run, thread === undefined ? undefined : phases)
      },
      prompt: (text, shown) => this.send(text, shown),
      put: text => this.#putBack([text]),
      runs: command => this.#own.begin(command),
      lend: run => app.window.lend(run),
      end: wanted => this.#end(wanted),
    }
  }

  /** Ends the person's own command (words that wait for it come back), else the run, else what a command of gopi's waits for. */
  #stop(): void {
    if (this.#own.stop()) this.#putBack(this.#unheld())
    else if (this.#session.isStreaming || !this.#app.works.stop()) this.#session.abort()
  }

  /** The conversation is another one than before. */
  #retell(): void {
    const session = this.#session
    this.#app.transcript.clear()
    const usage = usageIn(session.messages)
    this.#app.change(({ status: { usage: _, ...status }, ...state }) => ({
      ...{ ...state, conversation: noConversation },
      status: { ...status, ...(usage && { usage }) },
    }))
    this.#app.useMarkdown()
    this.#app.settle(retold(session.messages, reply => session.readable(reply)))
  }

  async #compact(hint: string): Promise<void> {
    const { notices } = this.#app.words
    try {
      const outcome = await this.#app.works.during(notices.compacting, async signal => {
        const worked = await this.#session.compact(hint === '' ? undefined : hint, { signal })
        return worked ? undefined : signal.aborted ? notices.stopped : notices.nothingToCompact
      })
      this.#app.hint(outcome)
    } catch (error) {
      this.#app.say(explain(this.#app.words, error), 'error')
    }
  }

  /** What is being typed may be read by the server ahead; a command, gopi's or the shell's, is not for it. */
  #draft(): void {
    const text = textOf(this.#app.state.editor)
    if (text === this.#drafted || /^[/!]/.test(text)) return
    this.#drafted = text
    this.#session.draft(text, { typed: text })
  }
}

/** What the last reply took. */
const usageIn = (messages: Session['messages']): Usage | undefined =>
  messages.findLast(message => message.role === 'assistant')?.usage

/** What is told, as this person reads it. */
const worded = (event: SessionEvent, { say }: Words): SessionEvent =>
  event.type === 'notice' || event.type === 'error' ? { ...event, message: say(event) } : event

/** As a call that changed the file is shown. */
const changeCell = ({ path, diff }: Change): Cell => ({
  type: 'tool',
  tool: { name: 'diff', arguments: { path }, is_error: false, details: diff, content: diff.diff },
})
