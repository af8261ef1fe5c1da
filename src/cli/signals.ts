/** What the person's and the system's signals mean. */

export interface Interrupts {
  /** Ctrl+C. Returns how to stop listening. */
  onInterrupt(handler: () => void): () => void
  /** Terminal gone, or asked to end: called once, at the first of these signals. → 128 + its number. */
  onEnd(handler: (code: number) => void): void
}

const ends = { SIGTERM: 143, SIGHUP: 129 } as const

export function listenForSignals(): Interrupts {
  return {
    onInterrupt(handler) {
      process.on('SIGINT', handler)
      return () => process.off('SIGINT', handler)
    },
    onEnd(handler) {
      for (const [signal, code] of Object.entries(ends)) process.once(signal, () => handler(code))
    },
  }
}
