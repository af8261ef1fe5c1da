/** The project's files, read in the background the first time that one is asked for. */
import { setImmediate as breathe } from 'node:timers/promises'
import { sanitize } from '../../text/sanitize.ts'
import { Haystack } from '../fuzzy.ts'

/** The paths of the project's files, relative to its directory, with `/`, in pieces of any size. */
export type ListFiles = (signal: AbortSignal) => AsyncIterable<readonly string[]>

/** A name with something in it that no key types, and no terminal may be sent, is not offered. */
const isTypeable = (path: string): boolean => !/[\n\t]/.test(path) && sanitize(path) === path

/** Milliseconds that are worked at a stretch: a key waits no longer. */
const STRETCH = 4
/** Paths that are prepared before the clock is looked at again. */
const SLICE = 250
/** The list is read again when it is asked for after so many milliseconds, and so many times what reading took. */
const FRESH = 10_000
const FRESH_TIMES = 20

export class FileIndex {
  #listFiles: ListFiles
  #onRead: () => void
  #files = new Haystack()
  #reading: AbortController | undefined
  #freshUntil = Number.NEGATIVE_INFINITY
  #isWhole = false

  /** `onRead`: more files are known, or all of them. */
  constructor(listFiles: ListFiles, { onRead }: { onRead: () => void }) {
    this.#listFiles = listFiles
    this.#onRead = onRead
  }

  /** The files that are known now. */
  get files(): Haystack {
    return this.#files
  }

  /** So many files are known and more are to come; undefined: that is all. */
  get reading(): number | undefined {
    return this.#isWhole ? undefined : this.#files.size
  }

  /** Reads the list, unless that was done a moment ago. Until a new one is whole the old one is searched. */
  refresh(): void {
    const begun = performance.now()
    if (this.#reading || begun < this.#freshUntil) return
    const reading = new AbortController()
    this.#reading = reading
    void this.#read(reading.signal).finally(() => {
      this.#reading = undefined
      const now = performance.now()
      this.#freshUntil = now + Math.max(FRESH, FRESH_TIMES * (now - begun))
      this.#isWhole = true
      if (!reading.signal.aborted) this.#onRead()
    })
  }

  close(): void {
    this.#reading?.abort()
  }

  async #read(signal: AbortSignal): Promise<void> {
    const files = this.#isWhole ? new Haystack() : this.#files
    let begun = performance.now()
    try {
      for await (const paths of this.#listFiles(signal)) {
        for (let at = 0; at < paths.length; at += SLICE) {
          files.add(paths.slice(at, at + SLICE).filter(isTypeable))
          if (performance.now() - begun < STRETCH) continue
          if (files === this.#files) this.#onRead()
          await breathe()
          begun = performance.now()
        }
        if (signal.aborted) return
      }
    } catch {
      // What could be read is offered; that a directory went away meanwhile is nothing to trouble a person with.
    }
    if (!signal.aborted) this.#files = files
  }
}
