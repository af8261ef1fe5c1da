/** How long a person pauses while typing: into that must fit what the server is asked to read meanwhile. */

/** Milliseconds without a key that are a pause. */
export const pauseBegins = 150
/** Of so many pauses the length is remembered. */
const window = 15
/** Milliseconds that a pause lasts, until this person's are known. */
const usual = 1_000

export class Pauses {
  #last: number | undefined
  /** The newest last. */
  #lengths: number[] = []

  /** A key was pressed. Times are milliseconds of a clock that never goes back. */
  key(now: number): void {
    const gap = now - (this.#last ?? now)
    this.#last = now
    if (gap < pauseBegins) return
    this.#lengths.push(gap)
    if (this.#lengths.length > window) this.#lengths.shift()
  }

  /** The words were sent, which ends a pause, too. What comes before the next ones are begun is none. */
  sent(now: number): void {
    this.key(now)
    this.#last = undefined
  }

  /** Milliseconds that a pause is likely to go on when it has lasted `so` long: as those did that were longer. */
  rest(so: number): number {
    const longer = this.#lengths.filter(length => length > so).sort((a, b) => a - b)
    const likely = longer[longer.length >> 1] ?? Math.max(usual, 2 * so)
    return likely - so
  }
}
