/**
 * What the model knows of files: an existing file is changed only by who has seen it as it is, so that nothing that the
 * person wrote meanwhile is lost.
 */
import { createHash } from 'node:crypto'
import { type Stats, statSync } from 'node:fs'
import { ToolError } from '../protocol/errors.ts'
import type { SeenFile } from '../protocol/messages.ts'
import { diffLines } from '../text/diff.ts'
import { count } from '../text/truncate.ts'
import { decodeUtf8 } from './plain-text.ts'

export interface KnownFile {
  /** The real path. */
  real: string
  stats: Pick<Stats, 'size' | 'mtimeMs'>
  /** undefined: too big to be looked at; then size and time of the last change must do. */
  content: Buffer | string | undefined
}

export interface KnownFiles {
  /** The model has seen the file, or has written it. → what the result's details keep of it, for a resume. */
  saw(file: KnownFile, options?: { written?: boolean }): SeenFile
  /**
   * Throws a `ToolError` unless the model has seen the file as it is now; where it changed since, the error carries the
   * changed lines, and the model has seen it then.
   */
  mustKnow(file: KnownFile & { shown: string }): void
}

/** Bigger files are told apart by size and time alone. */
export const maxHashed = 8 * 1024 * 1024
/** Texts that are kept to say what changed: of one file, and of all. */
const maxKept = 1024 * 1024
const maxKeptInAll = 16 * 1024 * 1024
/** Lines that a refusal carries. */
const maxLines = 100

interface Known extends SeenFile {
  text?: string
}

export class FileLedger implements KnownFiles {
  #known = new Map<string, Known>()
  #kept = 0

  /** `before`: what a resumed session had seen, the oldest first. */
  constructor(before: readonly SeenFile[] = []) {
    for (const seen of before) this.#known.set(seen.path, seen)
  }

  saw({ real, stats, content }: KnownFile, { written = false }: { written?: boolean } = {}): SeenFile {
    const before = this.#known.get(real)
    const seen: SeenFile = {
      path: real,
      size: stats.size,
      mtime_ms: stats.mtimeMs,
      hash: content === undefined ? '' : hashOf(content),
      ...((written || before?.written) && { written: true }),
    }
    this.#forgetText(before)
    const text = content === undefined || content.length > maxKept ? undefined : textOf(content)
    // The one seen last comes last.
    this.#known.delete(real)
    this.#known.set(real, { ...seen, ...(text !== undefined && { text }) })
    this.#kept += text?.length ?? 0
    for (const known of this.#known.values()) {
      if (this.#kept <= maxKeptInAll) break
      this.#forgetText(known)
    }
    return seen
  }

  mustKnow(file: KnownFile & { shown: string }): void {
    const { real, shown, stats, content } = file
    const known = this.#known.get(real)
    if (!known) {
      if (stats.size === 0) return
      throw new ToolError(`${shown} was not read in this session; read it before changing it.`)
    }
    if (isSame(known, file)) return
    const { text } = known
    const now = content === undefined ? undefined : textOf(content)
    const seen = this.saw(file)
    const what = now === undefined ? '' : `\n${changedLines(text, now)}`
    throw new ToolError(
      `${shown} has changed since you saw it, so nothing was written. Look at it as it is now, then try again.${what}`,
      { path: shown, seen },
    )
  }

  /** Whether this session wrote the file (a real path), and nobody has changed it since. */
  wrote(real: string): boolean {
    const known = this.#known.get(real)
    const stats = known?.written ? statSync(real, { throwIfNoEntry: false }) : undefined
    return stats !== undefined && stats.size === known?.size && stats.mtimeMs === known.mtime_ms
  }

  /** What is known of files, with the text where it was kept. */
  known(): Iterable<SeenFile & { text?: string }> {
    return this.#known.values()
  }

  /** The model remembers these and no others. */
  remember(seen: readonly SeenFile[]): void {
    const texts = new Map([...this.#known].map(([file, known]) => [file, known]))
    this.#known = new Map(
      seen.map(file => {
        const known = texts.get(file.path)
        return [file.path, known?.hash === file.hash ? known : file]
      }),
    )
    this.#kept = [...this.#known.values()].reduce((sum, { text }) => sum + (text?.length ?? 0), 0)
  }

  #forgetText(known: Known | undefined): void {
    this.#kept -= known?.text?.length ?? 0
    delete known?.text
  }
}

function isSame(known: SeenFile, { stats, content }: KnownFile): boolean {
  return content === undefined || known.hash === ''
    ? stats.size === known.size && stats.mtimeMs === known.mtime_ms
    : hashOf(content) === known.hash
}

const hashOf = (content: Buffer | string): string =>
  createHash('sha256').update(content).digest('base64url').slice(0, 22)

const textOf = (content: Buffer | string): string | undefined =>
  typeof content === 'string' ? content : decodeUtf8(content)

/** As a diff where the old text is known, else the beginning of the new one. */
function changedLines(before: string | undefined, now: string): string {
  const lines =
    before === undefined
      ? now
          .replace(/\n$/, '')
          .split('\n')
          .map((line, at) => `${at + 1}\t${line}`)
      : diffLines(before, now).diff.trimEnd().split('\n')
  const more = lines.length - maxLines
  return [
    ...lines.slice(0, maxLines),
    ...(more > 0 ? [`… ${count(more)} more lines; read the file.`] : []),
  ].join('\n')
}
