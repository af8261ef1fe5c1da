/** Stopping and going on, as the shell's job control wants it (Ctrl+Z, `fg`). */

export interface Job {
  process: NodeJS.Process
  /** Gives the terminal back before the job stops, and calls `then`. */
  leave(then: () => void): void
  /** Takes it again: the job goes on, or somebody else may have changed the terminal's modes. */
  enter(): void
  /** Another program has the terminal: it is stopped with it, and nothing is to be given back. */
  isLent(): boolean
}

/** Milliseconds after which a job that should have stopped is still running: there is no shell that could go on with it. */
const STOPPED_AT_ONCE = 50

export interface JobControl {
  /** Stops the job; it goes on when it is continued, or at once when nobody could do that. */
  suspend(): void
  stop(): void
}

export function watchJob({ process, leave, enter, isLent }: Job): JobControl {
  let timer: NodeJS.Timeout | undefined

  function suspend(): void {
    if (isLent()) {
      process.kill(process.pid, 'SIGSTOP')
      return
    }
    leave(() => {
      process.off('SIGTSTP', suspend)
      // The whole group: what has started gopi stops with it.
      process.kill(0, 'SIGTSTP')
      timer = setTimeout(goOn, STOPPED_AT_ONCE)
    })
  }

  function goOn(): void {
    clearTimeout(timer)
    process.off('SIGTSTP', suspend)
    process.on('SIGTSTP', suspend)
    if (!isLent()) enter()
  }

  process.on('SIGTSTP', suspend)
  process.on('SIGCONT', goOn)
  return {
    suspend,
    stop() {
      clearTimeout(timer)
      process.off('SIGTSTP', suspend)
      process.off('SIGCONT', goOn)
    },
  }
}
