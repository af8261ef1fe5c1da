/** The built program on a terminal of its own: what a person types, and what reaches the screen, byte for byte. */
import type { TestContext } from 'node:test'
import { type IPty, spawn } from '@lydell/node-pty'
import { entry, type Program, patience } from './program.ts'

export interface Terminal {
  pty: IPty
  /** Everything that has come, as it came. */
  readonly output: string
  /** Types the text and presses Enter. */
  enter(text: string): void
  /** Presses keys. */
  press(keys: string): void
  /** Resolves when something has come, after what was waited for last, that matches; → from there on. */
  until(wanted: RegExp | string): Promise<string>
  /** The exit code. */
  ended: Promise<number>
}

export interface TerminalOptions {
  args?: readonly string[]
  env?: NodeJS.ProcessEnv
  columns?: number
  rows?: number
}

export const ctrlC = '\x03'
export const ctrlD = '\x04'

export function openTerminal(
  t: TestContext,
  { cwd, env }: Pick<Program, 'cwd' | 'env'>,
  { args = [], env: more = {}, columns = 100, rows = 30 }: TerminalOptions = {},
): Terminal {
  const pty = spawn(process.execPath, [entry, ...args], {
    name: 'xterm-256color',
    cols: columns,
    rows,
    cwd,
    env: { ...env, TERM: 'xterm-256color', ...more } as Record<string, string>,
  })
  let output = ''
  let seen = 0
  let exited = false
  const arrivals = new Set<() => void>()
  const arrived = () => {
    for (const look of arrivals) look()
  }
  pty.onData(piece => {
    output += piece
    arrived()
  })
  const ended = new Promise<number>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`it did not end:\n${output}`)), patience)
    pty.onExit(({ exitCode }) => {
      clearTimeout(timer)
      exited = true
      arrived()
      resolve(exitCode)
    })
  })
  ended.catch(() => {})
  t.after(() => {
    if (!exited) pty.kill('SIGKILL')
  })
  return {
    pty,
    get output() {
      return output
    },
    enter: text => pty.write(`${text}\r`),
    press: keys => pty.write(keys),
    ended,
    until: wanted =>
      new Promise((resolve, reject) => {
        const fail = () => {
          arrivals.delete(look)
          clearTimeout(timer)
          reject(
            new Error(`${wanted} never came; since the last wait:\n${JSON.stringify(output.slice(seen))}`),
          )
        }
        const timer = setTimeout(fail, patience)
        const look = () => {
          const rest = output.slice(seen)
          const found =
            typeof wanted === 'string' ? { 0: wanted, index: rest.indexOf(wanted) } : wanted.exec(rest)
          if (!found || found.index < 0) return exited ? fail() : undefined
          arrivals.delete(look)
          clearTimeout(timer)
          seen += found.index + found[0].length
          resolve(rest)
        }
        arrivals.add(look)
        look()
      }),
  }
}
