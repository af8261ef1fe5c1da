/** Every end of the process that it can see: the terminal is given back first, then what runs may end, then it exits. */
import { writeSync } from 'node:fs'
import { sanitize } from '../../text/sanitize.ts'
import { isSystemError, ownFailure } from '../../words/own-failure.ts'
import type { Gone } from './window.ts'

export interface Ending {
  process: NodeJS.Process
  /** Gives the terminal back, and resolves when nothing of it can come any more. May be called again. */
  restore(): Promise<void>
  /** The same at once: the process exits. */
  restoreNow(): void
  onGone(why: Gone): Promise<void> | void
  /** Another program has the terminal, or had it just now: Ctrl+C and Ctrl+\ are meant for that. */
  isLent(): boolean
}

const CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129, SIGQUIT: 131, failure: 1 } as const

/** Milliseconds that `onGone` may take. */
const PATIENCE = 1_500

export interface Watch {
  /** Ends the process as the signal would. */
  end(why: Gone): void
  stop(): void
}

export function watchEnding({ process, restore, restoreNow, onGone, isLent }: Ending): Watch {
  let isEnding = false

  function end(why: Gone): void {
    if (isEnding) {
      // Whoever asks twice does not want to wait. A terminal that goes away is told in several ways.
      if (why !== 'SIGHUP') exit(why)
      return
    }
    isEnding = true
    const restored = restore()
    const timer = setTimeout(() => exit(why), PATIENCE)
    Promise.resolve()
      .then(() => onGone(why))
      .catch(error => tell(error))
      .then(() => restored)
      .finally(() => {
        clearTimeout(timer)
        exit(why)
      })
  }

  function exit(why: Gone): void {
    process.exitCode = CODES[why]
    if (why !== 'SIGHUP') process.exit()
    // Node 20 aborts when it exits by itself and the terminal is gone.
    process.removeAllListeners('SIGHUP')
    process.kill(process.pid, 'SIGHUP')
  }

  function fail(error: unknown): void {
    void restore()
    tell(error)
    end('failure')
  }

  const signals = (['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const).map(signal => {
    const isKey = signal === 'SIGINT' || signal === 'SIGQUIT'
    return [signal, () => (isKey && isLent() ? undefined : end(signal))] as const
  })
  for (const [signal, listener] of signals) process.on(signal, listener)
  process.on('uncaughtException', fail)
  process.on('unhandledRejection', fail)
  process.on('exit', restoreNow)

  return {
    end,
    stop() {
      for (const [signal, listener] of signals) process.off(signal, listener)
      process.off('uncaughtException', fail)
      process.off('unhandledRejection', fail)
      process.off('exit', restoreNow)
    },
  }
}

/** To stderr, which may be the terminal that has just been given back. */
function tell(error: unknown): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  const sentence = isSystemError(error) ? `gopi: ${ownFailure(error).message}` : text
  try {
    writeSync(2, `${sanitize(sentence)}\n`)
  } catch {
    // Nobody is there to read it.
  }
}
