/**
 * What became of the person's files in this session: by tools, by commands, by what was undone. Before a file is changed its
 * content is kept, so that it can be brought back.
 */
import { statSync } from 'node:fs'
import type { FileMove, KeptEvent, SessionEvent } from '../protocol/events.ts'
import type { SeenFile } from '../protocol/messages.ts'
import { hashOf, type OldContents, present } from './old-contents.ts'
import type { ChangeEvent } from './replay.ts'

/** A file as the model saw it last; `text` where it is still known. */
export interface KnownFile {
  path: string
  size: number
  mtime_ms: number
  text?: string
}

export interface ChangesOptions {
  old: OldContents
  record(event: KeptEvent): void
  /** The files that the model knows. */
  known(): Iterable<KnownFile>
  /** The model knows these files alone. */
  remember?(seen: readonly SeenFile[]): void
  /** Files of the project that changed since then (ms since 1970), real paths; `more` are not named. */
  changedSince(since: number, signal: AbortSignal): Promise<{ paths: string[]; more: number }>
  /** Of a resumed journal. */
  before?: readonly ChangeEvent[] | undefined
}

/** Milliseconds by which a file system's clock may be behind. */
const clockSlack = 20

type Watched = KnownFile & { text: string }

export class Changes {
  #options: ChangesOptions
  #events: ChangeEvent[]
  /** When the first command of the run began that may have changed something. */
  #since: number | undefined
  #looking: { controller: AbortController; done: Promise<void> } | undefined
  /** What a command was found to have left of a file that the model knows. */
  #left = new Map<string, Watched>()

  constructor(options: ChangesOptions) {
    this.#options = options
    this.#events = [...(options.before ?? [])]
  }

  get old(): OldContents {
    return this.#options.old
  }

  /** Everything that happened, in order. */
  get events(): readonly ChangeEvent[] {
    return this.#events
  }

  /** Hears what the session records. */
  listen(event: SessionEvent): void {
    switch (event.type) {
      case 'message':
        if (event.role === 'user') this.#events.push({ type: 'prompt', id: event.id })
        break
      case 'file_change':
      case 'command_changes':
      case 'rewind':
        this.#events.push(event)
        break
      case 'agent_start':
        this.#looking?.controller.abort()
        break
      case 'agent_end':
        this.#lookAround()
        break
    }
  }

  /** Keeps what a file holds that is about to be changed, as an editor has it if it is `held`. → to be called with what it holds then. */
  async beforeWrite(real: string, held?: string): Promise<(after: string) => void> {
    const saved = await present(real)
    const content = held === undefined ? undefined : Buffer.from(held)
    const now = saved && content ? { ...saved, content, hash: hashOf(content) } : saved
    const isKept = now ? await this.#options.old.keep(now.hash, now.content) : now === null
    return after =>
      this.#options.record({
        ...{ type: 'file_change', by: 'tool', path: real, after: hashOf(Buffer.from(after)) },
        ...(isKept && { before: now?.hash ?? null }),
        ...(now && { mode: now.mode }),
      })
  }

  /** A command begins that may change something. → to be called when it has ended: what it did to known files is kept. */
  beforeCommand(): () => Promise<void> {
    const since = Date.now() - clockSlack
    this.#since ??= since
    const watched = this.#unchanged()
    return async () => {
      for (const file of watched) if (!isSame(file)) await this.#changedByCommand(file)
    }
  }

  close(): void {
    this.#looking?.controller.abort()
  }

  /** What the model was shown in what is gone it has not seen. */
  recollect(seen: readonly SeenFile[]): void {
    this.#options.remember?.(seen)
  }

  /** Resolves when it is known what the last run's commands changed. */
  async settled(): Promise<void> {
    await this.#looking?.done
  }

  /** The known files whose text is known as it is now. */
  #unchanged(): Watched[] {
    const all = new Map<string, Watched>()
    for (const { path, size, mtime_ms, text } of this.#options.known())
      if (text !== undefined) all.set(path, { path, size, mtime_ms, text })
    for (const left of this.#left.values()) {
      const known = all.get(left.path)
      if (known && known.mtime_ms < left.mtime_ms) all.set(left.path, left)
    }
    return [...all.values()].filter(isSame)
  }

  async #changedByCommand({ path, text }: Watched): Promise<void> {
    const { old, record } = this.#options
    const now = await present(path)
    const content = Buffer.from(text)
    const before = hashOf(content)
    if (now === undefined || now?.hash === before) return
    const isKept = await old.keep(before, content)
    const after = now?.hash ?? null
    record({ type: 'file_change', by: 'command', path, ...(isKept && { before }), after })
    const stats = now && statSync(path, { throwIfNoEntry: false })
    if (stats)
      this.#left.set(path, {
        ...{ path, size: stats.size, mtime_ms: stats.mtimeMs, text: now.content.toString() },
      })
  }

  /** After a run in which commands ran: what else of the project has changed cannot be brought back, and is named. */
  #lookAround(): void {
    const since = this.#since
    this.#since = undefined
    if (since === undefined) return
    const controller = new AbortController()
    this.#looking = { controller, done: this.#findOthers(since, controller.signal) }
  }

  async #findOthers(since: number, signal: AbortSignal): Promise<void> {
    const found = await this.#options.changedSince(since, signal).catch(() => undefined)
    if (!found || signal.aborted) return
    const known = new Set(movesIn(this.#events).map(({ path }) => path))
    const paths = found.paths.filter(file => !known.has(file))
    const { more } = found
    if (paths.length + more > 0) this.#options.record({ type: 'command_changes', paths, more })
  }
}

function isSame({ path, size, mtime_ms }: KnownFile): boolean {
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats !== undefined && stats.size === size && stats.mtimeMs === mtime_ms
}

/** Every change of a file in order. */
export const movesIn = (events: readonly ChangeEvent[]): FileMove[] =>
  events.flatMap((event): readonly FileMove[] => {
    if (event.type === 'file_change') return [event]
    return event.type === 'rewind' ? event.files : []
  })
