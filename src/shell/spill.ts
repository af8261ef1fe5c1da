/**
 * The file that keeps a long output whole, its secrets masked as on the screen. Its writer is told when to wait, a full disk
 * is no error, and there is an end to how much is kept.
 */
import { randomBytes } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import path from 'node:path'
import { messageOf } from '../text/message-of.ts'
import { createMasker } from '../text/secrets.ts'

/** Bytes that may wait for the disk before the command has to. */
const WAITING_MAX = 1024 * 1024
const MEGABYTE = 1024 * 1024

/** Megabytes that a command's file may take, and all files of a session. */
export interface SpillLimits {
  command: number
  session: number
}

/** What a session's files may still take. */
export class SpillRoom {
  readonly limits: SpillLimits
  #left: number

  constructor(limits: SpillLimits = { command: 64, session: 256 }) {
    this.limits = limits
    this.#left = limits.session * MEGABYTE
  }

  /** → how many of the bytes may be written. */
  take(bytes: number): number {
    const taken = Math.min(bytes, this.#left)
    this.#left -= taken
    return taken
  }
}

export interface SpillOptions {
  directory(): Promise<string>
  /** Takes out of a text what nobody is told. Default: nothing is. */
  mask?: ((text: string) => string) | undefined
  /** What waited has been written. */
  resume(): void
  room: SpillRoom
}

export class Spill {
  #options: SpillOptions
  #masker = createMasker()
  #mask: (text: string) => string
  #left: number
  #waiting: Buffer[] = []
  #size = 0
  #work: Promise<void> | undefined
  #file: FileHandle | undefined
  #path: string | undefined
  #written = 0
  #problem: string | undefined
  /** Megabytes that were too few, and whose. */
  #limit: string | undefined

  constructor(options: SpillOptions) {
    this.#options = options
    this.#mask = options.mask ?? String
    this.#left = options.room.limits.command * MEGABYTE
  }

  /** false: enough for now, wait for `resume`. */
  write(text: string): boolean {
    if (this.#problem !== undefined || this.#limit !== undefined) return true
    return this.#take(this.#mask(this.#masker.push(text)))
  }

  /** Where the file is, and what is missing in it. */
  async end(): Promise<{ path: string | undefined; problem: string | undefined }> {
    this.#take(this.#mask(this.#masker.finish()))
    await this.#work
    await this.#file?.close().catch(error => this.#fail(error))
    return { path: this.#path, problem: this.#problem ?? this.#shortage() }
  }

  #take(text: string): boolean {
    if (text === '' || this.#limit !== undefined || this.#problem !== undefined) return true
    const { room } = this.#options
    const bytes = Buffer.from(text)
    const wanted = Math.min(bytes.length, this.#left)
    const taken = room.take(wanted)
    if (taken < wanted) this.#limit = `${room.limits.session} MB are kept of a session's outputs`
    else if (taken < bytes.length) this.#limit = `${room.limits.command} MB are kept of one output`
    this.#left -= taken
    if (taken === 0) return true
    this.#waiting.push(bytes.subarray(0, taken))
    this.#size += taken
    this.#work ??= this.#write()
    return this.#size < WAITING_MAX
  }

  async #write(): Promise<void> {
    try {
      this.#file ??= await this.#open()
      while (this.#waiting.length > 0) {
        const bytes = Buffer.concat(this.#waiting.splice(0))
        await this.#file.appendFile(bytes)
        this.#written += bytes.length
        this.#size -= bytes.length
      }
    } catch (error) {
      this.#fail(error)
    } finally {
      this.#work = undefined
      this.#options.resume()
    }
  }

  async #open(): Promise<FileHandle> {
    const name = path.join(await this.#options.directory(), `bash-${randomBytes(5).toString('hex')}.txt`)
    const file = await open(name, 'wx', 0o600)
    this.#path = name
    return file
  }

  #fail(error: unknown): void {
    this.#waiting = []
    this.#size = 0
    this.#problem ??= this.#incomplete(messageOf(error))
  }

  #shortage(): string | undefined {
    return this.#limit === undefined ? undefined : this.#incomplete(`at most ${this.#limit}`)
  }

  #incomplete(why: string): string {
    return this.#path === undefined
      ? `The whole output could not be kept (${why}); only its head and tail are here.`
      : `The whole output could not be kept (${why}); ${this.#path} ends after about ${this.#written} bytes.`
  }
}
