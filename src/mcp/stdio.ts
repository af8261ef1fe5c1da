/**
 * A server that is a program, spoken to by lines on its standard input and output. It runs in a process group of its own
 * that ends with gopi: a shell beside it waits on a pipe which gopi alone holds, and when that closes, for whatever reason,
 * it ends the group.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import {
  type JSONRPCMessage,
  ReadBuffer,
  serializeMessage,
  type Transport,
} from '@modelcontextprotocol/client'

export interface Launch {
  command: string
  args: readonly string[]
  cwd: string
  env: Readonly<Record<string, string>>
}

/** One message has at most so many bytes. */
export const LONGEST_MESSAGE = 10 * 1024 * 1024
/** Characters of what it last wrote to stderr: why it ended. */
const LAST_WORDS = 500
/** Milliseconds for a server to end by itself when its input closes, and again when it is asked to by a signal. */
const GRACE = 500

/** Fd 3 is the pipe that gopi holds. The shell that becomes the server must not hold it, nor the one that waits the others. */
const WATCHED = `(trap '' TERM HUP INT; read -r _ <&3; sleep 0.5; kill -TERM 0; sleep 0.5; kill -KILL 0) </dev/null >/dev/null 2>&1 &
exec 3<&-; exec "$@"`

export class ProgramTransport implements Transport {
  onclose: Transport['onclose']
  onerror: Transport['onerror']
  onmessage: Transport['onmessage']
  /** The end of what it wrote to stderr. */
  lastWords = ''
  #launch: Launch
  #child: ChildProcess | undefined
  #buffer = new ReadBuffer({ maxBufferSize: LONGEST_MESSAGE })
  #ended: Promise<void> = Promise.resolve()
  #isClosed = false

  constructor(launch: Launch) {
    this.#launch = launch
  }

  async start(): Promise<void> {
    const { command, args, cwd, env } = this.#launch
    const child = spawn('/bin/sh', ['-c', WATCHED, 'sh', command, ...args], {
      ...{ cwd, env, detached: true },
      stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    })
    this.#child = child
    for (const stream of child.stdio) stream?.on('error', () => {}) // It has ended: `exit` tells.
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.lastWords = (this.lastWords + text).slice(-LAST_WORDS)
    })
    child.stdout?.on('data', (bytes: Buffer) => this.#read(bytes))
    this.#ended = new Promise(resolve => child.once('close', () => resolve()))
    child.once('exit', () => void this.#exited())
    await new Promise<void>((resolve, reject) => child.once('spawn', resolve).once('error', reject))
  }

  send(message: JSONRPCMessage): Promise<void> {
    const input = this.#child?.stdin
    if (!input?.writable) return Promise.reject(new Error('the server has ended'))
    return new Promise((resolve, reject) =>
      input.write(serializeMessage(message), error => (error ? reject(error) : resolve())),
    )
  }

  /** The group is gone when it resolves. */
  async close(): Promise<void> {
    const child = this.#child
    if (!child) return
    child.stdin?.end()
    await this.#endedWithin(GRACE)
    this.#signal('SIGTERM')
    await this.#endedWithin(GRACE)
    this.#signal('SIGKILL')
    await this.#endedWithin(GRACE)
    this.#closed()
  }

  /** Its last words may still be on their way. */
  async #exited(): Promise<void> {
    this.#signal('SIGKILL')
    await this.#endedWithin(GRACE)
    this.#closed()
  }

  #closed(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    // What it started and left behind goes too.
    this.#signal('SIGKILL')
    for (const stream of this.#child?.stdio ?? []) stream?.destroy()
    this.onclose?.()
  }

  async #endedWithin(milliseconds: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<void>(resolve => (timer = setTimeout(resolve, milliseconds)))
    await Promise.race([this.#ended, late])
    clearTimeout(timer)
  }

  #signal(name: NodeJS.Signals): void {
    try {
      if (this.#child?.pid !== undefined) process.kill(-this.#child.pid, name)
    } catch {
      // Nobody of the group is left.
    }
  }

  #read(bytes: Buffer): void {
    try {
      this.#buffer.append(bytes)
    } catch (error) {
      this.lastWords = `it sent more than ${LONGEST_MESSAGE / 1024 / 1024} MB in one message`
      this.onerror?.(error as Error)
      this.#closed()
      return
    }
    for (;;) {
      try {
        const message = this.#buffer.readMessage()
        if (message === null) return
        this.onmessage?.(message)
      } catch (error) {
        // A line that is JSON and no message.
        this.onerror?.(error as Error)
      }
    }
  }
}
