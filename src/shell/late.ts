/** The last words of background processes, written after the command that started them had its result. */
import { StringDecoder } from 'node:string_decoder'
import type { Channel } from './channel.ts'

/** Characters that are kept until the next result takes them. */
const KEPT_MAX = 2000

export class LateOutput {
  readonly command: string
  #channel: Channel
  #decoder = new StringDecoder('utf8')
  #text = ''

  constructor(command: string, channel: Channel) {
    this.command = command
    this.#channel = channel
    channel.leave()
    channel.listen(bytes => {
      const text = this.#text + this.#decoder.write(bytes).replaceAll('\0', '␀')
      this.#text = text.length > KEPT_MAX ? `…${text.slice(-KEPT_MAX)}` : text
      return true
    })
  }

  /** Nobody writes any more, and nothing is left to be told. */
  get isOver(): boolean {
    return !this.#channel.isOpen && this.#text === ''
  }

  /** What was written since the last time. */
  take(): string {
    const text = this.#text
    this.#text = ''
    return text
  }
}
