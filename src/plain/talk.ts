/** What typed lines mean: prompts, steering, commands; and when the conversation is over. */
import { neverRun } from '../session/result.ts'
import type { RunResult, Session } from '../session/session.ts'
import { messageOf } from '../text/message-of.ts'
import type { Words } from '../words/words.ts'
import type { Paper } from './paper.ts'

/** Milliseconds within which a second Ctrl+C leaves. */
const twice = 2_000

export interface TalkLook {
  typed: boolean
  showTokens: boolean
  words: Words
}

export type Wanted = 'nothing' | 'new session'

export class Talk {
  /** Resolves when this conversation is over, with what the person wants next. */
  readonly left: Promise<Wanted>
  last: RunResult | undefined
  #leave: (wanted?: Wanted) => void = () => {}
  #session: Session
  #paper: Paper
  #options: TalkLook
  #words: Words
  #continued = ''
  /** Lines that wait for the run before them. */
  #waiting: string[] = []
  #ended = false
  #hasLeft = false
  #compacting = false
  #interrupted = Number.NEGATIVE_INFINITY

  constructor(session: Session, paper: Paper, options: TalkLook) {
    this.#session = session
    this.#paper = paper
    this.#options = options
    this.#words = options.words
    this.left = new Promise(resolve => {
      this.#leave = (wanted = 'nothing') => {
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
    if (text !== '' && this.#options.typed && this.#session.isStreaming) this.#during(text)
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

  /** Ctrl+C: stops the run, or leaves at the second time. */
  interrupt(): void {
    const now = performance.now()
    const again = now - this.#interrupted < twice
    this.#interrupted = now
    if (again) this.#leave()
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

  /** Takes the lines that wait until one of them starts a run; without any it is the person's turn. */
  #next(): void {
    while (!this.#session.isStreaming && !this.#hasLeft && !this.#compacting) {
      const line = this.#waiting.shift()
      if (line === undefined) {
        if (this.#ended) this.#leave()
        else this.idle()
        return
      }
      if (!this.#isCommand(line)) {
        const words = line.replace(/^\/later\s+/, '')
        void this.#session.prompt(words, { typed: words }).then(this.#afterRun)
      }
    }
  }

  #during(text: string): void {
    const later = /^\/later\s+(.*)$/s.exec(text)?.[1]
    if (later !== undefined) void this.#session.followUp(later, { typed: later }).then(this.#afterRun)
    else if (!this.#isCommand(text)) void this.#session.steer(text, { typed: text }).then(this.#afterRun)
  }

  /** Does what a line with a command alone says. A path such as /etc/hosts is none. */
  #isCommand(text: string): boolean {
    const hint = /^\/compact(?:\s+(.*))?$/s.exec(text)
    const mode = /^\/mode(?:\s+(.*))?$/s.exec(text)
    const command = hint ? 'compact' : mode ? 'mode' : /^\/([a-z]+)$/.exec(text)?.[1]
    if (command === undefined) return false
    const { notices, plain } = this.#words
    if (command === 'quit' || command === 'exit') this.#leave()
    else if (command === 'clear') this.#leave('new session')
    else if (command === 'compact') void this.#compact(hint?.[1])
    else if (command === 'mode') this.#setMode(mode?.[1]?.trim() || this.#session.mode)
    else if (command === 'help') this.#paper.line(plain.help, 'dim')
    else if (command === 'later') this.#paper.line(notices.laterNeedsWords, 'red')
    else if (command !== 'stop') this.#paper.line(notices.noSuchCommand(`/${command}`, undefined), 'red')
    else if (this.#session.isStreaming) this.#session.abort()
    else this.#paper.line(notices.nothingRunning, 'dim')
    return true
  }

  #setMode(name: string): void {
    const { modes, notices, listed } = this.#words
    if (!isMode(name, modes)) {
      this.#paper.line(notices.noSuchMode(name, listed(Object.keys(modes))), 'red')
      return
    }
    this.#session.setMode(name)
    this.#paper.line(notices.mode(modes[name].name, modes[name].does), 'dim')
  }

  async #compact(hint: string | undefined): Promise<void> {
    if (this.#session.isStreaming) {
      this.#paper.line(this.#words.notices.notWhileRunning('/compact'), 'red')
      return
    }
    this.#compacting = true
    try {
      const worked = await this.#session.compact(hint)
      if (!worked) this.#paper.line(this.#words.notices.nothingToCompact, 'dim')
    } catch (error) {
      this.#paper.line(messageOf(error), 'red')
    }
    this.#compacting = false
    this.#next()
  }

  /** Words of the same run share its result; words that were taken back had no run of their own. */
  #afterRun = (result: RunResult): void => {
    if (result === this.last || result === neverRun) return
    this.last = result
    const { notices } = this.#words
    if (result.reason === 'aborted') this.#paper.line(notices.stopped, 'dim')
    for (const unsent of result.unsent) this.#paper.line(notices.notSent(unsent), 'dim')
    if (this.#options.showTokens && result.reason === 'done') this.#tokens()
    this.#next()
  }

  #tokens(): void {
    const { setup, contextTokens } = this.#session
    if (!setup) return
    const share = Math.round((100 * contextTokens) / setup.limit)
    this.#paper.line(this.#words.plain.context(contextTokens, setup.limit, share), 'dim')
  }
}

const isMode = <M extends string>(name: string, modes: Readonly<Record<M, unknown>>): name is M =>
  Object.hasOwn(modes, name)
