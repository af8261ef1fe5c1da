/**
 * `gopi --plain`: a conversation line by line, for pipes, screen readers and dumb terminals. No full screen, no cursor
 * movement. On a terminal, words typed during a run step in; from a pipe, one line is one prompt, each after the run
 * before.
 */
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import type { Approval, Approve, RunResult, Session, Verdict } from '../session/session.ts'
import { showDiff, showEvents } from './events.ts'
import { type Paper, paper } from './paper.ts'

/** Milliseconds within which a second Ctrl+C leaves. */
const twice = 2_000

const help = `Type what you want done and press Enter. A line that ends in \\ goes on in the next.
While gopi works: Enter steps in with your words at once · /later TEXT queues them for afterwards
Ctrl+C stops the run, twice leaves · /stop · /quit (or Ctrl+D) · /help`

export interface PlainOptions {
  input: Readable & { isTTY?: boolean }
  output: Writable & { isTTY?: boolean }
  /** Calls back at Ctrl+C; → how to stop listening. */
  onInterrupt(handler: () => void): () => void
  colour: boolean
  showTokens: boolean
}

export class PlainFace {
  #options: PlainOptions
  #paper: Paper
  #approved = new Set<string>()
  /** The question that the next line answers. */
  #question: ((line: string) => void) | undefined

  constructor(options: PlainOptions) {
    this.#options = options
    this.#paper = paper(options.output, { colour: options.colour })
  }

  /** Whether somebody is there to be asked. */
  get interactive(): boolean {
    return this.#options.input.isTTY === true && this.#options.output.isTTY === true
  }

  /** Shows what a call would do and asks y or n. undefined where nobody can be asked. */
  get approve(): Approve {
    return this.interactive ? (approval, signal) => this.#approve(approval, signal) : undefined
  }

  /** The turn limit: go on? Without a person, no. */
  async goOn(turns: number): Promise<boolean> {
    return this.interactive && isYes(await this.#ask(`${turns} turns so far: go on for as many more? (y/n) `))
  }

  /** A yes-or-no question before there is a conversation. */
  async confirm(question: string, signal: AbortSignal): Promise<boolean> {
    return isYes(await this.#ask(question, signal))
  }

  say(text: string): void {
    this.#paper.line(text)
  }

  /** Talks until the input ends or the person leaves. `first`: a prompt to begin with. → the last run's result. */
  async talk(session: Session, first?: string): Promise<RunResult | undefined> {
    const { input, onInterrupt } = this.#options
    const unsubscribe = session.subscribe(showEvents(this.#paper, { approved: this.#approved }))
    for (const words of session.takeUnsent()) this.say(`Not sent last time: ${words}`)
    const talk = new Talk(session, this.#paper, this.#options)
    const lines = createInterface({ input, terminal: false, crlfDelay: Number.POSITIVE_INFINITY })
    const stopListening = onInterrupt(() => talk.interrupt())
    lines.on('line', line => {
      this.#paper.entered()
      const answer = this.#question
      this.#question = undefined
      if (answer) answer(line)
      else talk.line(line)
    })
    lines.on('close', () => {
      this.#question?.('n')
      talk.inputEnded()
    })
    if (first !== undefined) talk.line(first)
    else talk.idle()
    await talk.left
    stopListening()
    lines.close()
    unsubscribe()
    return talk.last
  }

  async #approve({ call, why, preview }: Approval, signal: AbortSignal): Promise<Verdict> {
    const shown = await preview()
    this.#paper.line(`gopi wants to run ${call.name}: ${why}`, 'bold')
    if (shown.type === 'command') this.#paper.line(indent(shown.command))
    else if (shown.type === 'text') this.#paper.line(indent(shown.text))
    else {
      this.#paper.line(`  ${shown.path} +${shown.added} −${shown.removed}`)
      showDiff(this.#paper, shown)
      this.#approved.add(call.id)
    }
    const answer = (
      await this.#ask('Run it? (y = yes, n = no, or tell the model what to do instead) ', signal)
    ).trim()
    if (isYes(answer)) return { allow: true }
    return /^(n|no|)$/i.test(answer) ? { allow: false } : { allow: false, because: answer }
  }

  /** The next line typed, or nothing when the run is ended meanwhile. */
  #ask(question: string, signal?: AbortSignal): Promise<string> {
    this.#paper.ask(question)
    return new Promise(resolve => {
      const cancel = () => {
        this.#question = undefined
        this.#paper.line('')
        resolve('')
      }
      this.#question = line => {
        signal?.removeEventListener('abort', cancel)
        resolve(line)
      }
      signal?.addEventListener('abort', cancel, { once: true })
    })
  }
}

const isYes = (answer: string): boolean => /^(y|yes|是|好)$/i.test(answer.trim())

const indent = (text: string): string => text.replace(/^/gm, '  ')

/** What the lines mean: prompts, steering, commands, and when it is over. */
class Talk {
  readonly left: Promise<void>
  last: RunResult | undefined
  #leave: () => void = () => {}
  #session: Session
  #paper: Paper
  #options: PlainOptions
  #continued = ''
  /** Piped lines wait here for the run before them. */
  #waiting: string[] = []
  #ended = false
  #interrupted = Number.NEGATIVE_INFINITY

  constructor(session: Session, paper: Paper, options: PlainOptions) {
    this.#session = session
    this.#paper = paper
    this.#options = options
    this.left = new Promise(resolve => {
      this.#leave = resolve
    })
  }

  line(line: string): void {
    if (line.endsWith('\\')) {
      this.#continued += `${line.slice(0, -1)}\n`
      return
    }
    const text = (this.#continued + line).trim()
    this.#continued = ''
    if (text === '') this.idle()
    else if (this.#session.isStreaming) this.#during(text)
    else this.#idleLine(text)
  }

  inputEnded(): void {
    this.#ended = true
    if (this.#continued !== '') this.line('')
    if (!this.#session.isStreaming && this.#waiting.length === 0) this.#leave()
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
      this.#paper.line('Ctrl+C again leaves.', 'dim')
      this.idle()
    }
  }

  idle(): void {
    if (this.#options.input.isTTY && !this.#session.isStreaming) this.#paper.ask('> ')
  }

  #during(text: string): void {
    if (!this.#options.input.isTTY) this.#waiting.push(text)
    else if (text === '/stop') this.#session.abort()
    else if (text === '/quit') this.#leave()
    else if (text === '/help') this.#paper.line(help, 'dim')
    else if (text.startsWith('/later '))
      void this.#session.followUp(text.slice('/later '.length)).then(this.#afterRun)
    else void this.#session.steer(text)
  }

  #idleLine(text: string): void {
    const command = /^\/([a-z]+)$/.exec(text)?.[1]
    if (command === 'quit' || command === 'exit') this.#leave()
    else if (command === 'help') this.#again(() => this.#paper.line(help, 'dim'))
    else if (command === 'stop') this.#again(() => this.#paper.line('Nothing is running.', 'dim'))
    else if (command)
      this.#again(() => this.#paper.line(`There is no command /${command}; /help lists them.`, 'red'))
    else void this.#session.prompt(text.replace(/^\/later /, '')).then(this.#afterRun)
  }

  #again(action: () => void): void {
    action()
    this.idle()
  }

  #afterRun = (result: RunResult): void => {
    this.last = result
    if (result.reason === 'aborted') this.#paper.line('Stopped.', 'dim')
    for (const words of result.unsent) this.#paper.line(`Not sent: ${words}`, 'dim')
    if (this.#options.showTokens && result.reason === 'done') this.#tokens()
    const next = this.#waiting.shift()
    if (this.#session.isStreaming) return
    if (next !== undefined) this.#idleLine(next)
    else if (this.#ended) this.#leave()
    else this.idle()
  }

  #tokens(): void {
    const { setup, contextTokens } = this.#session
    if (!setup) return
    const share = Math.round((100 * contextTokens) / setup.num_ctx)
    this.#paper.line(`[context ${contextTokens} of ${setup.num_ctx} tokens, ${share} %]`, 'dim')
  }
}
