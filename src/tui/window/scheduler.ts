/** When a frame is drawn: soon, but not for every token. With nothing to draw there is no timer. */

/**
 * Milliseconds between two frames while text streams. A reader does not tell 30 a second from 60, and each costs the same
 * however little it brings: half as many take little more than half of the processor's time, and fewer bytes.
 */
export const FRAME = 33
/** Milliseconds between two ticks of what moves by itself. */
const TICK = 250

export interface Scheduler {
  /** Something has changed: at most one frame in 33 ms. */
  request(): void
  /** The person waits for it (a key, the first token): after what this turn of the event loop still brings. */
  now(): void
  /** While on, a frame is drawn four times a second: a spinner, an elapsed time. */
  tick(on: boolean): void
  stop(): void
}

export function createScheduler(draw: () => void): Scheduler {
  let immediate: NodeJS.Immediate | undefined
  let timer: NodeJS.Timeout | undefined
  let ticking: NodeJS.Timeout | undefined
  let last = Number.NEGATIVE_INFINITY

  function frame(): void {
    last = performance.now()
    draw()
  }

  function now(): void {
    clearTimeout(timer)
    timer = undefined
    immediate ??= setImmediate(() => {
      immediate = undefined
      frame()
    })
  }

  function request(): void {
    if (immediate || timer) return
    const wait = FRAME - (performance.now() - last)
    if (wait <= 0) now()
    else {
      timer = setTimeout(() => {
        timer = undefined
        frame()
      }, wait)
    }
  }

  function tick(on: boolean): void {
    if (on) ticking ??= setInterval(request, TICK)
    else {
      clearInterval(ticking)
      ticking = undefined
    }
  }

  return {
    request,
    now,
    tick,
    stop() {
      clearTimeout(timer)
      clearImmediate(immediate)
      tick(false)
    },
  }
}
