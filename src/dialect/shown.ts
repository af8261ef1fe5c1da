/** What a reply has shown: collected for the face that is being told, and for the message that is kept. */
import type { Shown } from './dialect.ts'

export class ShownSoFar {
  text = ''
  thinking = ''
  #fresh: Shown[] = []

  add(type: 'text' | 'thinking', text: string): void {
    if (text === '') return
    this[type] += text
    const last = this.#fresh.at(-1)
    if (last?.type === type) last.text += text
    else this.#fresh.push({ type, text })
  }

  /** What was shown as the answer was a thought. */
  unsay(): void {
    if (this.text === '') return
    this.thinking += this.text.replace(/\s*<\/think>\s*$/, '')
    this.text = ''
    this.#fresh.push({ type: 'unsaid', text: '' })
  }

  /** What has been added since the last time. */
  take(): Shown[] {
    return this.#fresh.splice(0)
  }
}
