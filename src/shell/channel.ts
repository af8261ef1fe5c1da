/**
 * One named pipe that carries the output of one command at a time. Named, because Node can only give a child
 * sockets, and `echo x >/dev/stderr` fails on a socket.
 *
 * Gopi holds a writing end of its own so that the pipe does not end between commands. When a command has ended
 * that end is closed for a moment: a read that says “end” then proves that nobody else has the pipe open and it
 * can serve the next command. Otherwise a background process has it: the pipe stays with that process, is read
 * on (a full pipe would stop it, a closed one kill it), and the next command gets another one.
 */
import { closeSync, constants, existsSync, fstatSync, openSync, readSync } from 'node:fs'
import { type ConnectOpts, Socket, type SocketConstructorOpts } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

const { O_RDONLY, O_WRONLY, O_NONBLOCK, O_NOFOLLOW } = constants

/** Takes bytes that are only lent. false: no more until `resume`. */
export type Receive = (bytes: Buffer) => boolean

/** More than a pipe can hold: all that was written before a command's end is within this many bytes. */
const PIPE_MAX = 1024 * 1024

/** Only a pipe: a command can write where it lies, and put a link to a file there that it may not read itself. */
function openPipe(path: string, flags: number): number {
  const fd = openSync(path, flags | O_NONBLOCK | O_NOFOLLOW)
  if (fstatSync(fd).isFIFO()) return fd
  closeSync(fd)
  throw new Error(`${path} is no pipe`)
}

export class Channel {
  readonly path: string
  #buffer = Buffer.allocUnsafe(64 * 1024)
  #receive: Receive = () => true
  #reader: number
  #writer: number | undefined
  #socket: Socket

  /** Opens an existing named pipe; throws when it is not there. */
  constructor(path: string) {
    this.path = path
    this.#reader = openPipe(path, O_RDONLY)
    this.#writer = openPipe(path, O_WRONLY)
    const options: SocketConstructorOpts & ConnectOpts = {
      fd: this.#reader,
      readable: true,
      writable: false,
      onread: { buffer: this.#buffer, callback: size => this.#receive(this.#buffer.subarray(0, size)) },
    }
    this.#socket = new Socket(options)
    this.#socket.on('error', () => this.close())
    this.#socket.unref()
  }

  get isOpen(): boolean {
    return !this.#socket.destroyed
  }

  /** False when the file is gone (somebody cleaned up /tmp): bash could not open it. */
  get usable(): boolean {
    return this.#writer !== undefined && existsSync(this.path)
  }

  listen(receive: Receive): void {
    this.#receive = receive
    this.resume()
  }

  resume(): void {
    this.#socket.resume()
  }

  /** Hands over what is in the pipe now. True: a process still has it open, and more may come. */
  drain(): boolean {
    if (this.#writer === undefined) return false
    closeSync(this.#writer)
    this.#writer = undefined
    const isHeld = this.#readAll()
    // Before Node looks again and takes the pipe for ended.
    if (existsSync(this.path)) this.#writer = openPipe(this.path, O_WRONLY)
    return isHeld
  }

  /** Leaves the pipe to those who have it open: it is read on, and closed with the last of them. */
  leave(): void {
    if (this.#writer !== undefined) closeSync(this.#writer)
    this.#writer = undefined
  }

  close(): void {
    this.leave()
    this.#socket.destroy()
  }

  #readAll(): boolean {
    for (let total = 0; total < PIPE_MAX; ) {
      const size = this.#read()
      if (size === undefined) return true
      if (size === 0) return false
      this.#receive(this.#buffer.subarray(0, size))
      total += size
    }
    return true
  }

  /** 0: everybody has closed it. undefined: empty for now. */
  #read(): number | undefined {
    try {
      return readSync(this.#reader, this.#buffer)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return undefined
      throw error
    }
  }
}

/**
 * Milliseconds that background processes get to let go of a command's output: freshly forked they have it open
 * until their own redirections are made, and what a short-lived one says belongs to the command.
 */
const SETTLE_MS = 20

/** Hands over the rest of a command's output. True: some process keeps it open. */
export async function settle(channel: Channel): Promise<boolean> {
  for (const start = performance.now(); channel.drain(); await sleep(2)) {
    if (performance.now() - start > SETTLE_MS) return true
  }
  return false
}
