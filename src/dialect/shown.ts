/** What a reply has shown: collected for the face that is being told, and for the message that is kept. */
import type { Shown } from './dialect.ts'
import { LongText } from './long-text.ts'

export class ShownSoFar {
  readonly #all = { text: new LongText(), thinking: new LongText() }
  #fresh: Shown[] = []

  get text(): string {
    return this.#all.text.toString()
  }

  get thinking(): string {
    return this.#all.thinking.toString()
  }

  add(type: 'text' | 'thinking', text: string): void {
    if (text === '') return
    this.#all[type].add(text)
    const last = this.#fresh.at(-1)
    if (last?.type === type) last.text += text
    else this.#fresh.push({ type, text })
  }

  /** What was shown as the answer was a thought. */
  unsay(): void {
    const { text, thinking } = this.#all
    if (text.length === 0) return
    thinking.add(text.toString().replace(/\s*<\/think>\s*$/, ''))
    text.clear()
    this.#fresh.push({ type: 'unsaid', text: '' })
  }

  /** What has been added since the last time. */
  take(): Shown[] {
    return this.#fresh.splice(0)
  }
}
