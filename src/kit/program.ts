/** Runs somebody's program with JSON on its standard input, in a process group of its own, which ends with the time it has. */
import { spawn } from 'node:child_process'

export interface Program {
  /** A program with its arguments. */
  argv: readonly [string, ...string[]]
  cwd: string
  env: NodeJS.ProcessEnv
  input: string
  /** Milliseconds. */
  timeout: number
  signal?: AbortSignal | undefined
  /** A line of standard output, as soon as it is whole. */
  onLine?(line: string): void
}

export interface Ended {
  /** `failed`: it could not be started, or a signal ended it. */
  how: 'exit' | 'timeout' | 'aborted' | 'too_much' | 'failed'
  code: number
  stdout: string
  stderr: string
  /** Milliseconds. */
  ms: number
}

/** Characters of output that are read at most. */
const MOST_OUTPUT = 1_000_000
/** Milliseconds in which what it wrote before it ended arrives; what it left running may hold the pipe for ever. */
const LATE = 200

/** Never rejects. */
export function runProgram({ argv, cwd, env, input, timeout, signal, onLine }: Program): Promise<Ended> {
  const began = performance.now()
  const [file, ...args] = argv
  return new Promise(resolve => {
    let [stdout, stderr, line] = ['', '', '']
    const child = spawn(file, args, { cwd, env, detached: true, stdio: 'pipe' })
    const end = (how: Ended['how'], code = -1) => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
      if (how !== 'exit') killGroup(child.pid)
      for (const stream of child.stdio) stream?.destroy()
      if (line !== '') onLine?.(line)
      line = ''
      resolve({ how, code, stdout, stderr, ms: Math.round(performance.now() - began) })
    }
    const abort = () => end('aborted')
    const timer = setTimeout(() => end('timeout'), timeout)
    for (const stream of child.stdio) stream?.on('error', () => {}) // Whoever reads nothing closes it.
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text
      if (stdout.length > MOST_OUTPUT) end('too_much')
      else if (onLine) {
        const lines = (line + text).split('\n')
        line = lines.pop() ?? ''
        for (const one of lines) onLine(one)
      }
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr = (stderr + text).slice(-MOST_OUTPUT)
    })
    child.once('error', error => {
      stderr = error.message
      end('failed')
    })
    child.once('exit', code => {
      const done = () => end(code === null ? 'failed' : 'exit', code ?? -1)
      child.once('close', done)
      setTimeout(done, LATE).unref()
    })
    if (signal?.aborted) abort()
    else signal?.addEventListener('abort', abort, { once: true })
    child.stdin.end(input)
  })
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}
