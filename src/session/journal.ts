/**
 * The session's append-only JSONL file. An entry is written before anybody is shown it. When the disk fails, entries
 * wait in memory, in order, and go out with the next one that can be written, or at the end; when the file is gone,
 * replaced or cut short, it is written anew: nothing is lost while gopi lives.
 */
import {
  closeSync,
  fstatSync,
  fsync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  type Stats,
  statSync,
  writeSync,
} from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import path from 'node:path'
import type { Entry, KeptEvent, PartialEntry } from '../protocol/events.ts'
import type { Told } from '../protocol/sayings.ts'
import { told } from '../words/sayings/told.ts'

export interface Journal {
  /** The file, or undefined while nothing is kept on disk. */
  readonly file: string | undefined
  /** Stamps and writes an entry. Never throws for the disk: trouble is told once, to `onTrouble`. */
  append(event: KeptEvent): Entry
  /** A piece of a reply in progress; only a crash makes anybody read it. */
  appendPartial(partial: PartialEntry): void
  /** Every entry so far is on disk (fsync) when it resolves. → the file. Rejects when the disk refuses. */
  save(): Promise<string>
  close(): void
  /** Hears once of each time the disk begins to refuse entries, and when the file had to be written anew. */
  onTrouble: (trouble: Told) => void
  /** What the session knows, for a file that has lost it: entries that replay to that. */
  recall: () => readonly KeptEvent[]
}

/** Entries with which there is something to keep. */
const begins: ReadonlySet<string> = new Set<KeptEvent['type']>(['agent_start', 'compaction', 'rewind'])

/** And those that a session which is gone on with is to keep. */
const resumes: ReadonlySet<string> = new Set<KeptEvent['type']>(['name', 'agent_change'])

/** Bytes that are copied at once. */
const chunk = 1024 * 1024

/**
 * Keeps the journal in a file, which is made (0600, its directories 0700) with the first run: a session in which
 * nothing was asked leaves none, so that the next start does not go on with an empty one.
 */
export class FileJournal implements Journal {
  readonly file: string
  #begun = false
  #handle: number | undefined
  /** Of the open file, as far as it is known: others may add to it, never take away. */
  #known: Pick<Stats, 'dev' | 'ino' | 'size'> = { dev: 0, ino: 0, size: 0 }
  /** Lines, and how much of each is written already: more than nothing only of the first. */
  #waiting: { line: Buffer; written: number }[] = []
  onTrouble: Journal['onTrouble'] = () => {}
  recall: Journal['recall'] = () => []
  #troubled = false
  #toldLoss = false

  /** `bytes`: what was read of it, where the session is resumed. */
  constructor(file: string, bytes = 0) {
    this.file = file
    this.#known.size = bytes
  }

  append(event: KeptEvent): Entry {
    const entry = stamp(event)
    // A resumed session may be summarised before anything else is asked of it.
    this.#begun ||= begins.has(event.type) || (resumes.has(event.type) && this.#known.size > 0)
    this.#write(entry)
    return entry
  }

  appendPartial(partial: PartialEntry): void {
    this.#write(partial)
  }

  async save(): Promise<string> {
    this.#flush()
    const handle = this.#handle
    if (handle !== undefined) {
      await new Promise<void>((resolve, reject) =>
        fsync(handle, error => (error ? reject(error) : resolve())),
      )
    }
    return this.file
  }

  close(): void {
    this.#tryToFlush()
    if (this.#handle !== undefined) closeSync(this.#handle)
    this.#handle = undefined
    // What is closed writes no more.
    this.#begun = false
  }

  #write(entry: object): void {
    this.#waiting.push({ line: lineOf(entry), written: 0 })
    this.#tryToFlush()
  }

  #tryToFlush(): void {
    if (!this.#begun) return
    try {
      this.#flush()
      this.#troubled = false
    } catch (error) {
      if (!this.#troubled) this.onTrouble(told('disk', { problem: (error as Error).message }))
      this.#troubled = true
    }
  }

  /** A write may take a part only (a full disk); what is left goes first next time, so that no line is torn. */
  #flush(): void {
    if (this.#waiting.length === 0) return
    if (this.#handle === undefined) this.#open()
    else if (!this.#isThere()) this.#mend(this.#handle)
    for (let next = this.#waiting[0]; next; next = this.#waiting[0]) {
      next.written += this.#put(next.line.subarray(next.written))
      if (next.written >= next.line.length) this.#waiting.shift()
    }
  }

  /** Begins to append; a torn last line of an earlier crash is ended first. */
  #open(): void {
    mkdirSync(path.dirname(this.file), { recursive: true, mode: 0o700 })
    const wanted = this.#known.size
    this.#take(openSync(this.file, 'a+', 0o600))
    this.#endLine()
    if (this.#known.size < wanted) this.#tellAnew()
  }

  #take(handle: number): void {
    this.#handle = handle
    const { dev, ino, size } = fstatSync(handle)
    this.#known = { dev, ino, size }
  }

  #endLine(): void {
    const { size } = this.#known
    const last = Buffer.alloc(1)
    if (this.#handle === undefined || size === 0) return
    if (readSync(this.#handle, last, 0, 1, size - 1) === 1 && last[0] !== 0x0a) this.#put(Buffer.from('\n'))
  }

  #put(bytes: Uint8Array): number {
    if (this.#handle === undefined) return 0
    const written = writeSync(this.#handle, bytes)
    this.#known.size += written
    return written
  }

  /** Nobody has removed, renamed, replaced or cut the file since we wrote to it. */
  #isThere(): boolean {
    const now = statsOf(this.file)
    const { dev, ino, size } = this.#known
    return now !== undefined && now.ino === ino && now.dev === dev && now.size >= size
  }

  /**
   * The open file is read even where its name is gone; what was cut off it is told anew. Nobody sees half of the new
   * file: it takes its name when it is whole.
   */
  #mend(old: number): void {
    const wanted = this.#known.size
    const { size, ino } = fstatSync(old)
    const isElsewhere = statsOf(this.file)?.ino !== ino
    let fresh = old
    if (isElsewhere) {
      mkdirSync(path.dirname(this.file), { recursive: true, mode: 0o700 })
      const beside = `${this.file}.new`
      fresh = openSync(beside, 'w+', 0o600)
      try {
        copyAll(old, fresh)
        closeSync(fresh)
        fresh = openSync(beside, 'a+', 0o600)
        renameSync(beside, this.file)
      } catch (error) {
        closeSync(fresh)
        throw error
      }
      closeSync(old)
    }
    this.#take(fresh)
    if (size < wanted) this.#tellAnew()
    else this.#tellLoss()
  }

  /** What is cut off goes first, then what waits, whole: what is there twice counts once. */
  #tellAnew(): void {
    this.#endLine()
    for (const line of this.#waiting) line.written = 0
    this.#waiting.unshift(...this.recall().map(event => ({ line: lineOf(stamp(event)), written: 0 })))
    this.#tellLoss()
  }

  #tellLoss(): void {
    if (!this.#toldLoss) this.onTrouble(told('disk.lost', { file: this.file }))
    this.#toldLoss = true
  }
}

/** undefined: nothing that can be looked at. */
function statsOf(file: string): Stats | undefined {
  try {
    return statSync(file)
  } catch {
    return undefined
  }
}

const lineOf = (entry: object): Buffer => Buffer.from(`${JSON.stringify(entry)}\n`)

function copyAll(from: number, to: number): void {
  const buffer = Buffer.alloc(chunk)
  for (let at = 0; ; ) {
    const read = readSync(from, buffer, 0, chunk, at)
    if (read === 0) return
    for (let done = 0; done < read; ) done += writeSync(to, buffer, done, read - done)
    at += read
  }
}

/** Keeps the entries in memory; `save` writes them to the file, which from then on counts as the session's. */
export class MemoryJournal implements Journal {
  file: string | undefined
  onTrouble: Journal['onTrouble'] = () => {}
  recall: Journal['recall'] = () => []
  #target: string
  #lines: string[] = []

  constructor(target: string) {
    this.#target = target
  }

  append(event: KeptEvent): Entry {
    const entry = stamp(event)
    this.#lines.push(JSON.stringify(entry))
    return entry
  }

  appendPartial(): void {}

  async save(): Promise<string> {
    await mkdir(path.dirname(this.#target), { recursive: true, mode: 0o700 })
    const handle = await open(this.#target, 'w', 0o600)
    try {
      await handle.writeFile(`${this.#lines.join('\n')}\n`)
      await handle.sync()
    } finally {
      await handle.close()
    }
    this.file = this.#target
    return this.file
  }

  close(): void {}
}

/** The first field says what it is, the last when. */
const stamp = (event: KeptEvent): Entry => ({ ...event, timestamp: new Date().toISOString() })
