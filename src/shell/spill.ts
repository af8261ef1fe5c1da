/** The file that keeps a long output whole. Its writer is told when to wait, and a full disk is no error. */
import { randomBytes } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import path from 'node:path'
import { messageOf } from '../text/message-of.ts'

/** Bytes that may wait for the disk before the command has to. */
const WAITING_MAX = 1024 * 1024

export class Spill {
  #directory: () => Promise<string>
  #resume: () => void
  #waiting: Buffer[] = []
  #size = 0
  #work: Promise<void> | undefined
  #file: FileHandle | undefined
  #path: string | undefined
  #written = 0
  #problem: string | undefined

  /** `resume` is called when what waited has been written. */
  constructor(directory: () => Promise<string>, resume: () => void) {
    this.#directory = directory
    this.#resume = resume
  }

  /** false: enough for now, wait for `resume`. */
  write(bytes: Buffer): boolean {
    if (this.#problem !== undefined) return true
    this.#waiting.push(bytes)
    this.#size += bytes.length
    this.#work ??= this.#write()
    return this.#size < WAITING_MAX
  }

  /** Where the file is, and what is missing in it. */
  async end(): Promise<{ path: string | undefined; problem: string | undefined }> {
    await this.#work
    await this.#file?.close().catch(error => this.#fail(error))
    return { path: this.#path, problem: this.#problem }
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
      this.#resume()
    }
  }

  async #open(): Promise<FileHandle> {
    const name = path.join(await this.#directory(), `bash-${randomBytes(5).toString('hex')}.txt`)
    const file = await open(name, 'wx', 0o600)
    this.#path = name
    return file
  }

  #fail(error: unknown): void {
    const why = messageOf(error)
    this.#waiting = []
    this.#size = 0
    this.#problem ??=
      this.#path === undefined
        ? `The whole output could not be kept (${why}); only its head and tail are here.`
        : `The whole output could not be kept (${why}); ${this.#path} ends after about ${this.#written} bytes.`
  }
}
