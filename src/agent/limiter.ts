export interface Limiter {
  enter(): Promise<void>
  /** Whoever waits first takes the place. */
  leave(): void
}

/** At most `size` tasks at once; the others wait in the order in which they came. */
export function limiter(size: number): Limiter {
  let running = 0
  const waiting: (() => void)[] = []
  return {
    async enter() {
      if (running >= size) await new Promise<void>(resolve => waiting.push(resolve))
      else running++
    },
    leave() {
      const next = waiting.shift()
      if (next) next()
      else running--
    },
  }
}
