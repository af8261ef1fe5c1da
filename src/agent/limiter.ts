export interface Limiter {
  enter(): Promise<void>
  /** Whoever waits first takes the place. */
  leave(): void
}

/** At most `size` tasks at once, as it is when one comes; the others wait in the order in which they came. */
export function limiter(size: number | (() => number)): Limiter {
  const most = typeof size === 'number' ? () => size : size
  let running = 0
  const waiting: (() => void)[] = []
  return {
    async enter() {
      if (running >= most()) await new Promise<void>(resolve => waiting.push(resolve))
      else running++
    },
    leave() {
      const next = waiting.shift()
      if (next) next()
      else running--
    },
  }
}
