/**
 * Words that wait: to step into the run that is going, or for its end; and who waits for the run that they end up in.
 */
import { Steering, type Words } from '../agent/steering.ts'
import type { KeptEvent } from '../protocol/events.ts'
import type { UserMessage } from '../protocol/messages.ts'
import { neverRun, type RunResult } from './result.ts'

export class Waiting {
  /** The words that step in, for the loop to take. */
  readonly steering = new Steering()
  #record: (event: KeptEvent) => void
  #followUps: Words[] = []
  /** By the words' id. */
  #hearers = new Map<string, (result: RunResult) => void>()

  constructor(record: (event: KeptEvent) => void) {
    this.#record = record
  }

  get followUps(): readonly Words[] {
    return this.#followUps
  }

  /** → the result of the run that the words end up in. */
  steer(words: Words): Promise<RunResult> {
    this.#record({ type: 'steer', id: words.id, content: words.content })
    const result = this.#resultOf(words)
    this.steering.push(words)
    return result
  }

  /** → the result of the run that the words start. */
  followUp(words: Words): Promise<RunResult> {
    this.#record({ type: 'follow_up', id: words.id, content: words.content })
    this.#followUps.push(words)
    return this.#resultOf(words)
  }

  /** Words go back to the person. undefined: they wait no longer. */
  takeBack(id: string): string | undefined {
    const index = this.#followUps.findIndex(words => words.id === id)
    const words = index < 0 ? this.steering.take(id) : this.#followUps.splice(index, 1)[0]
    return words && this.#giveBack(words)
  }

  /** All of them go back to the person. */
  takeAllBack(): string[] {
    return [...this.steering.takeAll(), ...this.#followUps.splice(0)].map(words => this.#giveBack(words))
  }

  /** A run has ended: what stepped into it has its result, and what came too late for that is the first to go on. */
  runEnded(result: RunResult): void {
    this.#followUps.unshift(...this.steering.takeAll())
    const waiting = new Set(this.#followUps.map(({ id }) => id))
    for (const id of this.#hearers.keys()) if (!waiting.has(id)) this.#tell(id, result)
  }

  /** The words that start the next run. */
  next(): Words | undefined {
    return this.#followUps.shift()
  }

  #giveBack({ id, content }: Words): string {
    this.#record({ type: 'queue_removed', id })
    this.#tell(id, neverRun)
    return content
  }

  #resultOf({ id }: Words): Promise<RunResult> {
    return new Promise(resolve => this.#hearers.set(id, resolve))
  }

  #tell(id: string, result: RunResult): void {
    this.#hearers.get(id)?.(result)
    this.#hearers.delete(id)
  }
}

export const asMessage = ({ id, content, images }: Words): UserMessage => ({
  ...{ id, role: 'user', content },
  ...(images && { images }),
})
