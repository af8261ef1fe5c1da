/** A command of the session's bash that the person sent to the background. That bash is its own from then on. */
import { StringDecoder } from 'node:string_decoder'
import type { Bash, Death } from './bash.ts'
import { type Channel, settle } from './channel.ts'
import type { Frame } from './framing.ts'
import { GRACE_MS } from './lineage.ts'
import { Ongoing } from './ongoing.ts'

export interface SentOptions {
  bash: Bash
  channel: Channel
  /** When it began, of `performance.now()`. */
  since: number
  /** How it ends. */
  own: Promise<{ type: 'frame'; frame: Frame } | { type: 'death'; death: Death }>
  /** What it should not have made, asked once it has ended. */
  made(): string[]
}

export class Sent extends Ongoing {
  override readonly isSent = true
  #options: SentOptions

  constructor(command: string, options: SentOptions) {
    super(command, options.since)
    this.#options = options
    const { channel } = options
    const decoder = new StringDecoder('utf8')
    channel.listen(bytes => {
      this.wrote(decoder.write(bytes).replaceAll('\0', '␀'))
      return true
    })
    void this.#watch()
  }

  get pid(): number | undefined {
    return this.#options.bash.pid
  }

  kill(): Promise<void> {
    const { bash, since } = this.#options
    return bash.endCommand(since, { grace: GRACE_MS }).then(() => this.over)
  }

  async #watch(): Promise<void> {
    const { own, channel, made } = this.#options
    const ending = await own
    if (await settle(channel)) channel.leave()
    const code = ending.type === 'frame' ? ending.frame.status : ending.death.code
    const signal = ending.type === 'death' ? ending.death.signal : undefined
    const how = code === undefined ? `ended by ${signal ?? 'its shell'}` : `exit code ${code}`
    this.end([how, ...made()].join('\n'), code)
  }
}
