/**
 * Reads the files that the person names with `@`, by the session's own read tool and through its permission door, and
 * puts them before the words.
 */
import { stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import path from 'node:path'
import { abortable } from '../agent/abortable.ts'
import { turnBudget } from '../agent/act.ts'
import { contextFor, execute, type ToolParts } from '../agent/attempt.ts'
import type { RunParts } from '../agent/run.ts'
import { type Mention, type MentionedFile, mentionsOf, withFiles } from '../context/mentions.ts'
import type { SeenFile, UserMessage } from '../protocol/messages.ts'
import type { Notice } from './connection.ts'

export interface MentionParts extends ToolParts, Pick<RunParts, 'tools' | 'decide' | 'freeTokens'> {
  notice(notice: Notice): void
}

/** A regular file that a word means. */
interface Named {
  /** As it was typed. */
  path: string
  /** Device and inode: the same for every path to it. */
  id: string
  /** Changes with its content. */
  version: string
}

/** `asked`: why a tool's call for it would have asked. */
type Read = (MentionedFile & { seen?: SeenFile; asked?: string }) | LeftOut

interface LeftOut {
  path: string
  why: string
}

/** Reads a file in so many bytes. */
type Reader = (file: Named, room: number) => Promise<Read>

/** Bytes below which a file is not begun. */
const leastRoom = 1_024

export class Mentions {
  #parts: MentionParts
  /** The number of the newest draft: what was begun for an older one is dropped. */
  #latest = 0
  /** Files that drafts have named since the last words were sent, by path, version and room. */
  #drafted = new Map<string, Promise<Read>>()

  constructor(parts: MentionParts) {
    this.#parts = parts
  }

  /**
   * The message as it is sent; `typed` is what of it the person typed. Files that must not or cannot be read are left
   * out, and the person is told. When the signal fires, the message stays as it is.
   */
  async asSent(message: UserMessage, typed: string | undefined, signal: AbortSignal): Promise<UserMessage> {
    this.#drafted.clear()
    const mentions = mentionsOf(typed ?? '')
    if (mentions.length === 0) return message
    const reading = this.#read(mentions, (file, room) => read(file, room, { parts: this.#parts, signal }))
    const reads = await abortable(reading, signal).catch((error): Read[] => {
      if (!signal.aborted) throw error
      return []
    })
    for (const { path, why } of reads.filter(isLeftOut)) {
      this.#parts.notice({ code: 'mention', message: `@${path} was left out: ${why.replace(/\.?$/, '.')}` })
    }
    const files = reads.filter(isFile)
    for (const { path, asked } of files) {
      if (asked)
        this.#parts.notice({ code: 'mention', message: `@${path} is in: ${asked.replace(/\.?$/, '.')}` })
    }
    if (files.length === 0) return message
    const { content, shown = content } = message
    const seen = files.flatMap(file => file.seen ?? [])
    return { ...message, content: withFiles(content, files), shown, ...(seen.length > 0 && { seen }) }
  }

  /**
   * Calls `take` with the draft as it would be sent: at once where no file is named, and never when another draft comes
   * first. The model has seen nothing of it.
   */
  draft(text: string, typed: string | undefined, take: (content: string) => void): void {
    const draft = ++this.#latest
    const mentions = mentionsOf(typed ?? '')
    if (mentions.length === 0) {
      take(text)
      return
    }
    const { signal } = new AbortController()
    const parts = { ...this.#parts, files: unseen }
    const reading = this.#read(mentions, (file, room) => {
      const key = `${file.path} ${file.version} ${room}`
      const known = this.#drafted.get(key) ?? read(file, room, { parts, signal })
      this.#drafted.set(key, known)
      return known
    })
    reading.then(
      reads => draft === this.#latest && take(withFiles(text, reads.filter(isFile))),
      () => {}, // The prompt meets the same failure and tells it.
    )
  }

  /**
   * One after the other, each in the room that those before it left: what is typed behind a file changes nothing of it.
   */
  async #read(mentions: readonly Mention[], read: Reader): Promise<Read[]> {
    const named = await Promise.all(mentions.map(mention => fileOf(mention, this.#parts.cwd)))
    const reads: Read[] = []
    const known = new Set<string>()
    let room = turnBudget(this.#parts)
    for (const file of named) {
      if (!file || known.has(file.id)) continue
      known.add(file.id)
      const one = room < leastRoom ? noRoom(file) : await read(file, room)
      if (isFile(one)) room -= Buffer.byteLength(one.text)
      reads.push(one)
    }
    return reads
  }
}

const isLeftOut = (one: Read): one is LeftOut => 'why' in one
const isFile = (one: Read): one is Exclude<Read, LeftOut> => 'text' in one
const noRoom = ({ path }: Named): LeftOut => ({ path, why: 'the context has no room for it' })

/** The regular file that is meant, if there is one: everything else stays a word. */
async function fileOf(mention: Mention, cwd: string): Promise<Named | undefined> {
  for (const written of mention) {
    const file = written.startsWith('~/')
      ? path.join(homedir(), written.slice(1))
      : path.resolve(cwd, written)
    const stats = await stat(file).catch(() => undefined)
    if (!stats?.isFile()) continue
    const { dev, ino, size, mtimeMs } = stats
    return { path: written, id: `${dev}:${ino}`, version: `${size}:${mtimeMs}` }
  }
  return undefined
}

/** Rejects with the signal's reason, or for bugs of ours. */
async function read(
  { path }: Named,
  room: number,
  { parts, signal }: { parts: MentionParts; signal: AbortSignal },
): Promise<Read> {
  const tool = parts.tools.find(({ name, kind }) => name === 'read' && kind === 'read')
  if (!tool) return { path, why: 'this session has no tool that reads files' }
  const checked = tool.check({ path })
  if (!checked.ok) return { path, why: checked.problem }
  const call = { id: '', name: tool.name, arguments: checked.args }
  const { decision, why, target } = await parts.decide(call, tool)
  // What would ask has its answer: the person named the file. That is no wish to see its secrets sent.
  if (decision === 'deny') return { path, why }
  const context = contextFor(call, { parts, signal, budget: room, tell: async () => {} })
  const outcome = await execute(call, tool, { context, permit: { target, showsSecrets: false } })
  signal.throwIfAborted()
  if (outcome.is_error) return { path, why: outcome.content }
  const { path: shown = path, seen } = (outcome.details ?? {}) as { path?: string; seen?: SeenFile }
  const asked = decision === 'ask' && { asked: why }
  return { path: shown, text: outcome.content, ...(seen && { seen }), ...asked }
}

/** For drafts: nothing of them is known to the model. */
const unseen: ToolParts['files'] = {
  saw: ({ real, stats }) => ({ path: real, size: stats.size, mtime_ms: stats.mtimeMs, hash: '' }),
  mustKnow() {},
}
