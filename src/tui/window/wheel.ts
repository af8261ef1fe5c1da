/**
 * A turned wheel, where the mouse is off: terminals then send arrow keys instead (alternate scroll), several in one go or
 * one after the other. A person's finger sends one, and takes longer for the next.
 */
import type { Input } from '../input.ts'

/** Arrows that most terminals send for one notch. */
const NOTCH = 3
/** Milliseconds within which equal arrows are a wheel's. */
const TOGETHER = 60

type Direction = -1 | 1

export interface WheelOptions {
  give(inputs: readonly Input[]): void
  /** An arrow there would bring back an earlier prompt: it waits until it is known whether it is a wheel's. */
  isHeld(direction: Direction): boolean
}

/** Tells the wheel from keys, over several reads. */
export class Wheel {
  #options: WheelOptions
  /** An arrow that may be the first of a wheel's. */
  #held: { input: Input; direction: Direction; timer: NodeJS.Timeout } | undefined
  /** The last arrow of a wheel, of performance.now(), and how many of them have come since its last notch. */
  #turned = { direction: 1 as Direction, at: Number.NEGATIVE_INFINITY, rest: 0 }

  constructor(options: WheelOptions) {
    this.#options = options
  }

  take(inputs: readonly Input[]): void {
    const out: Input[] = []
    for (const input of wheelFromArrows(inputs)) {
      const direction = directionOf(input)
      if (direction === undefined) {
        out.push(...this.#release(), input)
        if (input.type === 'wheel') this.#turns(input.direction)
      } else out.push(...this.#arrow(input, direction))
    }
    if (out.length > 0) this.#options.give(out)
  }

  stop(): void {
    clearTimeout(this.#held?.timer)
    this.#held = undefined
  }

  #arrow(input: Input, direction: Direction): Input[] {
    if (this.#held?.direction === direction) {
      this.stop()
      this.#turns(direction)
      return [notch(direction)]
    }
    const before = this.#release()
    const { direction: last, at } = this.#turned
    if (before.length === 0 && last === direction && performance.now() - at < TOGETHER) {
      this.#turned.at = performance.now()
      if (++this.#turned.rest < NOTCH) return []
      this.#turned.rest = 0
      return [notch(direction)]
    }
    if (!this.#options.isHeld(direction)) return [...before, input]
    const timer = setTimeout(() => this.#options.give(this.#release()), TOGETHER)
    this.#held = { input, direction, timer }
    return before
  }

  #turns(direction: Direction): void {
    this.#turned = { direction, at: performance.now(), rest: 0 }
  }

  #release(): Input[] {
    const held = this.#held
    this.stop()
    return held ? [held.input] : []
  }
}

const notch = (direction: Direction): Input => ({ type: 'wheel', direction, column: 0, row: 0 })

/** Two and more equal arrows in one read are notches of the wheel. */
function wheelFromArrows(inputs: readonly Input[]): readonly Input[] {
  const out: Input[] = []
  for (let at = 0; at < inputs.length; ) {
    const direction = directionOf(inputs[at])
    let end = at + 1
    while (direction !== undefined && directionOf(inputs[end]) === direction) end++
    if (direction === undefined || end === at + 1) out.push(...inputs.slice(at, end))
    else {
      const notches = Math.max(1, Math.round((end - at) / NOTCH))
      for (let count = 0; count < notches; count++) out.push(notch(direction))
    }
    at = end
  }
  return out
}

function directionOf(input: Input | undefined): Direction | undefined {
  if (input?.type !== 'key' || input.ctrl || input.alt || input.shift) return undefined
  return input.name === 'up' ? -1 : input.name === 'down' ? 1 : undefined
}
