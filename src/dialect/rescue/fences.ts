/** Knows, while text passes, whether it stands inside a fenced code block. */

/** A fence line is told from any other by its first characters. */
const MAX_LINE = 40

export class Fences {
  #line = ''
  /** Backticks of the fence that is open; 0 outside. */
  #open = 0
  #closed = false

  /** True when the last fence that was opened is closed again. */
  get closed(): boolean {
    return this.#closed
  }

  feed(char: string): void {
    if (char === '\n') this.#endLine()
    else if (this.#line.length < MAX_LINE) this.#line += char
  }

  #endLine(): void {
    const fence = /^ {0,3}(`{3,})(.*)$/.exec(this.#line)
    this.#line = ''
    const [, ticks = '', rest = ''] = fence ?? []
    if (!fence) return
    if (this.#open === 0) this.#open = ticks.length
    else if (ticks.length >= this.#open && rest.trim() === '') this.#open = 0
    this.#closed = this.#open === 0
  }
}
