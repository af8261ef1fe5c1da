/** What typed lines mean: prompts, steering, commands; and when the conversation is over. */
import type { Command, Desk, Host, Place, Purpose, Running, Wanted } from '../kit/commands/command.ts'
import { helpText, obey, offered } from '../kit/commands/obey.ts'
import type { SessionEvent } from '../protocol/events.ts'
import { mayAskAgain, neverRun } from '../session/result.ts'
import type { RunResult, Session } from '../session/session.ts'
import { clipboardSequence } from '../text/clipboard.ts'
import { explain } from '../words/explain.ts'
import type { Words } from '../words/words.ts'
import { showDiff } from './events.ts'
import type { Paper } from './paper.ts'
import { tellWaits } from './waits.ts'

/** Milliseconds within which a second Ctrl+C leaves. */
const twice = 2_000

export interface TalkLook {
  typed: boolean
  showTokens: boolean
  words: Words
  commands: readonly Command[]
  choices: Choices
  /** What doctor finds. */
  examine(): Promise<string>
  place: Place
  /** Questions to whoever types. */
  confirm(question: string): Promise<boolean>
  choose(question: string, choices: readonly string[]): Promise<number>
  /** To the clipboard. `sequence`: what tells the terminal. Default: there is no terminal. */
  copy?(text: string, sequence: string): void
  /** Says what goes on while nothing comes. Default: nobody does. */
  tellWait?: ((line: string) => void) | undefined
}

/** What there is to choose from, as lines; a sentence if there is nothing. */
export type Choices = (purpose: Purpose) => Promise<string>

type PlainHost = Host & Required<Pick<Host, 'prompt'>>

export class Talk {
  /** Resolves when this conversation is over, with what the person wants next. */
  readonly left: Promise<Wanted>
  last: RunResult | undefined
  #end: (wanted: Wanted) => void = () => {}
  #session: Session
  #paper: Paper
  #options: TalkLook
  #words: Words
  #host: PlainHost
  #continued = ''
  /** Lines that wait for the run before them. */
  #waiting: string[] = []
  #ended = false
  #hasLeft = false
  #busy = false
  /** Ends the person's own command. */
  #command: AbortController | undefined
  #interrupted = Number.NEGATIVE_INFINITY

  constructor(session: Session, paper: Paper, options: TalkLook) {
    this.#session = session
    this.#paper = paper
    this.#options = options
    this.#words = options.words
    this.#host = this.#hostOf(session, options)
    this.left = new Promise(resolve => {
      this.#end = wanted => {
        this.#hasLeft = true
        resolve(wanted)
      }
    })
  }

  line(line: string): void {
    if (line.endsWith('\\')) {
      this.#continued += `${line.slice(0, -1)}\n`
      return
    }
    const text = (this.#continued + line).trim()
    this.#continued = ''
    if (text !== '' && this.#options.typed && this.#session.isStreaming) this.#take(text)
    else {
      if (text !== '') this.#waiting.push(text)
      this.#next()
    }
  }

  /** Lines that nobody has looked at yet: they belong to the next conversation. */
  takeWaiting(): string[] {
    return this.#waiting.splice(0)
  }

  inputEnded(): void {
    this.#ended = true
    this.line('')
  }

  /** Ctrl+C: stops the run, or leaves the second time. */
  interrupt(): void {
    const now = performance.now()
    const again = now - this.#interrupted < twice
    this.#interrupted = now
    if (again) this.#end({ type: 'leave' })
    else if (this.#command) this.#command.abort('user')
    else if (this.#session.isStreaming) this.#session.abort()
    else {
      this.#paper.line('')
      this.#paper.line(this.#words.notices.leaveAgain('Ctrl+C'), 'dim')
      this.idle()
    }
  }

  /** Nothing runs: the person's turn. */
  idle(): void {
    if (this.#options.typed) this.#paper.ask('> ')
  }

  /** Takes the lines that wait until one of them starts a run; when there are none it is the person's turn. */
  #next(): void {
    while (!this.#session.isStreaming && !this.#hasLeft && !this.#busy) {
      const line = this.#waiting.shift()
      if (line === undefined) {
        if (this.#ended) this.#end({ type: 'leave' })
        else this.idle()
        return
      }
      this.#take(line)
    }
  }

  /** A command, or words for the model: they step into the run if there is one. */
  #take(text: string): void {
    if (text.startsWith('!')) void this.#wait(this.#shell(text))
    else if (!obey(text, this.#options.commands, this.#host)) this.#host.prompt(text)
  }

  async #shell(line: string): Promise<void> {
    const { shell } = await import('../kit/jobs/shell.ts')
    await shell(this.#desk, line)
  }

  #hostOf(session: Session, { words, choices, commands, examine, copy }: TalkLook): PlainHost {
    const say = (sentence: string) => this.#paper.line(sentence, 'dim')
    const { notices, modes, plain } = words
    const sayMode = () => say(notices.mode(modes[session.mode].name, modes[session.mode].does))
    return {
      words,
      get running() {
        return session.isStreaming
      },
      say,
      refuse: sentence => this.#paper.line(sentence, 'red'),
      help: () => say(`${plain.help}\n${helpText(offered(commands, this.#host), words)}`),
      list: purpose => {
        if (purpose === 'mode') sayMode()
        else void this.#wait(choices(purpose).then(say))
      },
      prompt: text => void session.steer(text, { typed: text }).then(this.#afterRun, closed),
      later: text => void session.followUp(text, { typed: text }).then(this.#afterRun, closed),
      stop: () => session.abort(),
      compact: hint =>
        void this.#wait(
          this.#during(notices.compacting, async signal => {
            const worked = await session.compact(hint === '' ? undefined : hint, { signal })
            if (!worked) say(signal.aborted ? notices.stopped : notices.nothingToCompact)
          }),
        ),
      mode: mode => {
        session.setMode(mode)
        sayMode()
      },
      think: level => {
        session.setThink(level)
        say(notices.thinking(level))
      },
      ...(copy && { copy: () => say(this.#copied(copy)) }),
      examine: () => void this.#wait(examine().then(say)),
      end: wanted => this.#end(wanted),
      work: job => void this.#wait(job(this.#desk)),
    }
  }

  /** The last answer. → what came of it, in words. */
  #copied(copy: NonNullable<TalkLook['copy']>): string {
    const { notices } = this.#words
    const replies = this.#session.messages.filter(message => message.role === 'assistant')
    const text = replies.map(reply => this.#session.readable(reply).trim()).findLast(said => said !== '')
    const sequence = text === undefined ? undefined : clipboardSequence(text)
    if (text === undefined) return notices.nothingToCopy
    if (sequence === undefined) return notices.copyTooLong('100 KB')
    copy(text, sequence)
    return notices.copied(text.length)
  }

  get #desk(): Desk {
    const { typed, words, place, confirm, choose } = this.#options
    const show = (text: string) => this.#paper.line(text)
    return {
      ...{ session: this.#session, words, place, isTyped: typed, show },
      tells: title => {
        show(`${title}\n`)
        return { add: piece => this.#paper.stream(piece), end: () => this.#paper.endStream() }
      },
      showChanges: changes => {
        for (const { path, diff } of changes) {
          show(`${path}  +${diff.added} −${diff.removed}`)
          showDiff(this.#paper, diff)
        }
      },
      say: sentence => this.#paper.line(sentence, 'dim'),
      note: sentence => this.#paper.line(sentence, 'dim'),
      refuse: sentence => this.#paper.line(sentence, 'red'),
      async confirm(title, text) {
        show(text)
        return !typed || confirm(`${title} ${words.plain.yesOrNo} `)
      },
      async choose(title, choices) {
        const lines = choices.map(({ label, detail }) => (detail ? `${label}  ${detail}` : label))
        if (typed) return choices[await choose(`${title} `, lines)]?.id
        show([title, ...lines.map((line, at) => `${at + 1}  ${line}`)].join('\n'))
        return undefined
      },
      prompt: (text, shown) =>
        void this.#session.prompt(text, shown === undefined ? {} : { shown }).then(this.#afterRun, closed),
      during: (doing, run, thread) => this.#during(doing, run, thread),
      runs: () => this.#runs(),
      lend: typed ? run => run() : undefined,
      put: text => show(words.doing.wasTyped(text)),
      end: wanted => this.#end(wanted),
    }
  }

  /** Ctrl+C ends it. `thread`: what its server does is told. */
  async #during<T>(doing: string, run: (signal: AbortSignal) => Promise<T>, thread?: string): Promise<T> {
    const controller = new AbortController()
    this.#command = controller
    this.#paper.line(doing, 'dim')
    const { tellWait, words } = this.#options
    const waits = tellWait && tellWaits(tellWait, words)
    waits?.begin(doing.replace(/ *…+$/, ''))
    const heard = (event: SessionEvent) => {
      if (event.thread === thread) waits?.listen(event)
    }
    const deaf = waits && thread !== undefined && this.#session.subscribe(heard, { threads: true })
    return run(controller.signal).finally(() => {
      this.#command = undefined
      waits?.stop()
      if (deaf) deaf()
    })
  }

  /** Its output as it comes; Ctrl+C ends it. */
  #runs(): Running {
    const controller = new AbortController()
    this.#command = controller
    let said = ''
    return {
      signal: controller.signal,
      onOutput: text => {
        said += text
        this.#paper.stream(text)
      },
      end: ran => {
        this.#command = undefined
        this.#paper.endStream()
        if (ran && said.trim() === '') this.#paper.line(ran.content, ran.is_error ? 'red' : 'dim')
      },
    }
  }

  /** Lines wait meanwhile. */
  async #wait(work: Promise<void>): Promise<void> {
    this.#busy = true
    await work.catch(error => this.#paper.line(explain(this.#options.words, error), 'red'))
    this.#busy = false
    this.#next()
  }

  /** Words of the same run share its result; words that were taken back had no run of their own. */
  #afterRun = (result: RunResult): void => {
    if (result === this.last || result === neverRun) return
    this.last = result
    const { notices } = this.#words
    if (result.reason === 'aborted') this.#paper.line(notices.stopped, 'dim')
    if (mayAskAgain(result) && this.#options.typed) this.#paper.line(notices.askAgain('/retry'), 'dim')
    for (const unsent of result.unsent) this.#paper.line(notices.notSent(unsent), 'dim')
    if (this.#options.showTokens && result.reason === 'done') this.#tokens()
    const { typed } = this.#options
    if (typed && result.reason === 'done' && this.#session.mode === 'plan' && !this.#session.isStreaming)
      return void this.#wait(this.#follow(result.text))
    this.#next()
  }

  /** A plan is there: it is carried out, or not. */
  async #follow(plan: string): Promise<void> {
    const { followPlan } = await import('../kit/jobs/plan.ts')
    await followPlan(this.#desk, plan)
  }

  #tokens(): void {
    const { setup, contextTokens } = this.#session
    if (!setup) return
    const share = Math.round((100 * contextTokens) / setup.limit)
    this.#paper.line(this.#words.plain.context(contextTokens, setup.limit, share), 'dim')
  }
}

/** The session was closed meanwhile: nobody is left to answer to. */
const closed = () => {}
