/**
 * The one place where something becomes part of a session: a kept event goes to the journal, then into the history,
 * then to the listeners.
 */
import type { RunEvent } from '../agent/run.ts'
import { applyCompaction } from '../context/compaction.ts'
import type { KeptEvent, LiveEvent, Phase, SessionEvent } from '../protocol/events.ts'
import type { Message } from '../protocol/messages.ts'
import type { Journal } from './journal.ts'
import { PartialWriter } from './partial.ts'

export class Recorder {
  readonly history: Message[]
  #journal: Journal
  #listeners = new Set<(event: SessionEvent) => void>()
  #partial: PartialWriter
  #phase: Phase = 'idle'
  #closed = false

  constructor(journal: Journal, history: Message[]) {
    this.#journal = journal
    this.history = history
    this.#partial = new PartialWriter(partial => journal.appendPartial(partial))
  }

  subscribe(listener: (event: SessionEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  take(event: RunEvent): void {
    if (isLive(event)) this.show(event)
    else this.record(event)
  }

  record(event: KeptEvent): void {
    if (this.#closed) return
    const entry = this.#journal.append(event)
    if (event.type === 'message') {
      const { type: _, ...message } = event
      this.history.push(message)
    }
    // With its message, or without one where nothing was said.
    if (event.type === 'turn_end' || (event.type === 'message' && event.role === 'assistant'))
      this.#partial.end()
    if (event.type === 'compaction') {
      this.history.splice(0, this.history.length, ...applyCompaction(this.history, event))
    }
    this.#tell(entry)
  }

  /** Writes down what the history holds already: the mending of a resumed journal. */
  recordRepair(event: KeptEvent): void {
    this.#tell(this.#journal.append(event))
  }

  /** Shows what is not, or not again, written down. */
  show(event: SessionEvent): void {
    if (this.#closed) return
    if (event.type === 'phase') {
      if (event.phase === this.#phase && event.tokens === undefined) return
      this.#phase = event.phase
    }
    if (event.type === 'message_delta') this.#partial.add(event.message_id, event.text)
    this.#tell(event)
  }

  /** Nothing is a part of the session any more: what answers late is not heard. */
  close(): void {
    this.#closed = true
    this.#partial.close()
    this.#journal.close()
  }

  #tell(event: SessionEvent): void {
    for (const listener of this.#listeners) {
      try {
        listener(event)
      } catch (error) {
        // As with an EventTarget: the program hears of its listener's bug, and what is told goes on.
        process.nextTick(() => {
          throw error
        })
      }
    }
  }
}

const live: ReadonlySet<string> = new Set<LiveEvent['type']>([
  'message_start',
  'message_delta',
  'thinking_delta',
  'tool_output',
  'phase',
  'permission_request',
])

const isLive = (event: RunEvent): event is LiveEvent => live.has(event.type)
