/**
 * The session's append-only JSONL file. An entry is written before anybody is shown it. When the disk fails, entries
 * wait in memory, in order, and go out with the next one that can be written: nothing is lost while gopi lives.
 */
import { closeSync, fstatSync, fsync, mkdirSync, openSync, readSync, writeSync } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import path from 'node:path'
import type { Entry, KeptEvent, PartialEntry } from '../protocol/events.ts'

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
}

/**
 * Keeps the journal in a file, which is made (0600, its directories 0700) with the first run: a session in which
 * nothing was asked leaves none, so that the next start does not go on with an empty one.
 */
export class FileJournal implements Journal {
  readonly file: string
  #begun = false
  #handle: number | undefined
  #waiting = Buffer.alloc(0)
  #onTrouble: (error: Error) => void
  #troubled = false

  constructor(file: string, { onTrouble }: { onTrouble: (error: Error) => void }) {
    this.file = file
    this.#onTrouble = onTrouble
  }

  append(event: KeptEvent): Entry {
    const entry = stamp(event)
    this.#begun ||= event.type === 'agent_start'
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
    if (this.#handle !== undefined) closeSync(this.#handle)
    this.#handle = undefined
  }

  #write(entry: object): void {
    this.#waiting = Buffer.concat([this.#waiting, Buffer.from(`${JSON.stringify(entry)}\n`)])
    if (!this.#begun) return
    try {
      this.#flush()
      this.#troubled = false
    } catch (error) {
      if (!this.#troubled) this.#onTrouble(error as Error)
      this.#troubled = true
    }
  }

  /** A write may take a part only (a full disk); what is left goes first next time, so that no line is torn. */
  #flush(): void {
    this.#handle ??= openJournal(this.file)
    while (this.#waiting.length > 0) {
      const written = writeSync(this.#handle, this.#waiting)
      this.#waiting = this.#waiting.subarray(written)
    }
  }
}

/** Opens for appending; a torn last line of an earlier crash is ended first. */
function openJournal(file: string): number {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  const handle = openSync(file, 'a+', 0o600)
  const { size } = fstatSync(handle)
  const last = Buffer.alloc(1)
  if (size > 0 && readSync(handle, last, 0, 1, size - 1) === 1 && last[0] !== 0x0a) writeSync(handle, '\n')
  return handle
}

/** Keeps the entries in memory; `save` writes them to the file, which from then on counts as the session's. */
export class MemoryJournal implements Journal {
  file: string | undefined
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
