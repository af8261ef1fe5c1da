/** How long a command may run, and what ends the waiting for it before its own end. */
/** setTimeout takes no more. */
const LONGEST_MS = 2 ** 31 - 1

/** The command is to be ended, or left to itself in the background. */
export type Cut = { type: 'cut'; why: 'timeout' | 'aborted' } | { type: 'sent' }

export interface LimitOptions {
  signal: AbortSignal
  /** Milliseconds until the command's whole process tree is ended. */
  timeout: number
  /** Told when the command begins, and when it is given more time: milliseconds from its beginning. */
  onLimit?(ms: number): void
}

export interface Limits {
  /** Says when the command has to be cut. */
  cut: Promise<Cut>
  /** Milliseconds that it has in all. */
  readonly timeout: number
  /** As much time again. */
  extend(): void
  /** Nobody waits for it any more. */
  send(): void
  /** That is of no interest any more. */
  release(): void
}

export function limit({ signal, timeout, onLimit }: LimitOptions, closing: AbortSignal): Limits {
  const began = performance.now()
  let all = Math.min(timeout, LONGEST_MS)
  let timer: NodeJS.Timeout | undefined
  let release = () => {}
  let resolve: (cut: Cut) => void = () => {}
  const wait = () => {
    clearTimeout(timer)
    timer = setTimeout(() => resolve({ type: 'cut', why: 'timeout' }), began + all - performance.now())
    onLimit?.(all)
  }
  const cut = new Promise<Cut>(done => {
    resolve = done
    const abort = () => resolve({ type: 'cut', why: 'aborted' })
    for (const reason of [signal, closing]) reason.addEventListener('abort', abort)
    release = () => {
      clearTimeout(timer)
      for (const reason of [signal, closing]) reason.removeEventListener('abort', abort)
    }
  })
  wait()
  return {
    cut,
    get timeout() {
      return all
    },
    extend() {
      all = Math.min(all + timeout, LONGEST_MS)
      wait()
    },
    send: () => resolve({ type: 'sent' }),
    release: () => release(),
  }
}
