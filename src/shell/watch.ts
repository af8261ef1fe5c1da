/**
 * An eye on what is protected and made in the sandbox that can change the project: during each command there, and as long
 * as something of it lives on. What is made outside meanwhile somebody wants to be there.
 */
export interface WatchOptions {
  /** Takes what is there for granted. The answer puts aside what has come since: a sentence for each. */
  look(): () => string[]
  /** Something of the commands in there lives on. */
  isAlive(): Promise<boolean>
}

/** Milliseconds between two looks at what lives on. */
const LOOK_MS = 250

export class Watch {
  #options: WatchOptions
  /** undefined: nothing is in there that could make anything. */
  #asks: (() => string[]) | undefined
  #found: string[] = []
  #timer: NodeJS.Timeout | undefined

  constructor(options: WatchOptions) {
    this.#options = options
  }

  /** A command begins, `inside` or not. The answer, asked when it has ended: what was found until then. */
  begin(inside: boolean): () => string[] {
    this.look()
    if (inside || this.#asks) this.#asks = this.#options.look()
    return () => {
      if (inside) this.look()
      else if (this.#asks) this.#asks = this.#options.look()
      if (this.#asks) this.#follow(this.#asks)
      return this.#found.splice(0)
    }
  }

  look(): void {
    clearTimeout(this.#timer)
    this.#found.push(...(this.#asks?.() ?? []))
  }

  #follow(asks: () => string[]): void {
    this.#timer = setTimeout(async () => {
      const isAlive = await this.#options.isAlive()
      // Another command has begun.
      if (this.#asks !== asks) return
      this.look()
      if (isAlive) this.#follow(asks)
      else this.#asks = undefined
    }, LOOK_MS).unref()
  }
}
