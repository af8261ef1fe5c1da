/** What typed lines mean: prompts, steering, commands; and when the conversation is over. */
import type { RunResult, Session } from '../session/session.ts'
import type { Paper } from './paper.ts'

/** Milliseconds within which a second Ctrl+C leaves. */
const twice = 2_000

const help = `Type what you want done and press Enter. A line that ends in \\ goes on in the next.
While gopi works: Enter steps in with your words at once · /later TEXT queues them for afterwards
Ctrl+C stops the run, twice leaves · /stop · /quit (or Ctrl+D) · /help`

export class Talk {
  readonly left: Promise<void>
  last: RunResult | undefined
  #leave: () => void = () => {}
  #session: Session
  #paper: Paper
  #options: { typed: boolean; showTokens: boolean }
  #continued = ''
  /** Piped lines wait here for the run before them. */
  #waiting: string[] = []
  #ended = false
  #interrupted = Number.NEGATIVE_INFINITY

  constructor(session: Session, paper: Paper, options: { typed: boolean; showTokens: boolean }) {
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
    if (this.#options.typed && !this.#session.isStreaming) this.#paper.ask('> ')
  }

  #during(text: string): void {
    if (!this.#options.typed) this.#waiting.push(text)
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
