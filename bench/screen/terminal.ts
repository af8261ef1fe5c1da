/** A pseudo-terminal for a bench: what comes out of it, and when. */
import { type IPty, spawn } from '@lydell/node-pty'

export interface Screen {
  pid: number
  /** Bytes that have come so far. */
  readonly bytes: number
  write(keys: string): void
  /** Resolves with the time (performance.now()) at which what came since the call matches. */
  shows(what: RegExp): Promise<number>
  ended: Promise<void>
  kill(): void
}

export interface ScreenOptions {
  args: readonly string[]
  cwd: string
  env: NodeJS.ProcessEnv
  columns?: number
  rows?: number
}

/** Runs this Node on a terminal of its own. */
export function openScreen({ args, cwd, env, columns = 120, rows = 40 }: ScreenOptions): Screen {
  const pty: IPty = spawn(process.execPath, [...args], {
    cols: columns,
    rows,
    cwd,
    env: env as Record<string, string>,
  })
  let bytes = 0
  let output = ''
  const listeners = new Set<() => void>()
  pty.onData(piece => {
    bytes += Buffer.byteLength(piece)
    output = (output + piece).slice(-200_000)
    for (const listener of listeners) listener()
  })
  const ended = new Promise<void>(resolve => pty.onExit(() => resolve()))
  return {
    pid: pty.pid,
    get bytes() {
      return bytes
    },
    write: keys => pty.write(keys),
    shows(what) {
      output = ''
      return new Promise((resolve, reject) => {
        const look = () => {
          if (!what.test(output)) return
          listeners.delete(look)
          resolve(performance.now())
        }
        listeners.add(look)
        void ended.then(() => reject(new Error(`it ended before ${what} came: ${output.slice(-2_000)}`)))
      })
    },
    ended,
    kill: () => pty.kill('SIGKILL'),
  }
}
