/**
 * Reads the files that the person names with `@`, by the session's own read tool and through its permission door, and
 * puts them before the words.
 */
import { constants } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import path from 'node:path'
import { abortable } from '../agent/abortable.ts'
import { turnBudget } from '../agent/act.ts'
import { contextFor, execute } from '../agent/attempt.ts'
import type { RunContext, RunPolicy, RunTools } from '../agent/run.ts'
import { type Mention, type MentionedFile, mentionsOf, withFiles } from '../context/mentions.ts'
import type { SeenFile, UserMessage } from '../protocol/messages.ts'
import type { Said } from '../protocol/sayings.ts'
import { messageOf } from '../text/message-of.ts'
import { maskSecrets } from '../text/secrets.ts'
import { bare } from '../words/sayings/said.ts'
import { told } from '../words/sayings/told.ts'
import type { Notice } from './connection.ts'
import type { Resource, ResourceOf } from './options.ts'

export interface MentionOptions {
  tools: RunTools
  policy: Pick<RunPolicy, 'authorize'>
  freeTokens: RunContext['freeTokens']
  /** The model takes images. */
  sees(): Promise<boolean>
  notice(notice: Notice): void
  /** Default: every word means a file. */
  resource?: ResourceOf
}

/** A regular file that a word means, or a directory that is written with a slash at its end. */
interface Named {
  /** As it was typed. */
  path: string
  /** Device and inode: the same for every path to it. */
  id: string
  /** Changes with its content. */
  version: string
  /** Lines of it: the first and how many. */
  lines?: { offset: number; limit: number }
  isDirectory: boolean
}

/** `asked`: why a tool's call for it would have asked. */
type Read = (MentionedFile & { seen?: SeenFile; asked?: Said }) | Image | LeftOut

/** Base64. */
interface Image {
  image: string
}

interface LeftOut {
  leftOut: Notice
}

/** Reads a file in so many bytes. */
type Reader = (file: Named, room: number) => Promise<Read>

/** With fewer bytes than this left, a file is not begun. */
const leastRoom = 1_024

export class Mentions {
  #parts: MentionOptions
  /** The number of the newest draft: what was begun for an older one is dropped. */
  #latest = 0
  /** Files that drafts have named since the last words were sent, by path, version and room. */
  #drafted = new Map<string, Promise<Read>>()
  /** What is to be said of words that do not stand in the conversation yet. */
  #untold: Notice[] = []

  constructor(parts: MentionOptions) {
    this.#parts = parts
  }

  /**
   * The message as it is sent; `typed` is what of it the person typed. Files that must not or cannot be read are left
   * out, and the person is told by `tell`. When the signal fires, the message stays as it is.
   */
  async asSent(message: UserMessage, typed: string | undefined, signal: AbortSignal): Promise<UserMessage> {
    this.#drafted.clear()
    const mentions = mentionsOf(typed ?? '')
    if (mentions.length === 0) return message
    const reading = this.#read(mentions, (file, room) => read(file, room, { parts: this.#parts, signal }))
      // Behind the files, which are known by their order.
      .then(async reads => [...reads, ...(await this.#resources(mentions, reads, signal))])
    const reads = await abortable(reading, signal).catch((error): Read[] => {
      if (!signal.aborted) throw error
      return []
    })
    for (const { leftOut } of reads.filter(isLeftOut)) this.#untold.push(leftOut)
    const files = inOrder(reads.filter(isFile))
    for (const { path, asked } of files) {
      if (asked) this.#untold.push(told('mention.asked', { path, why: asked }))
    }
    const images = [...(message.images ?? []), ...reads.filter(isImage).map(({ image }) => image)]
    const pictures = images.length > 0 && { images }
    if (files.length === 0) return { ...message, ...pictures }
    const { content, shown = content } = message
    const seen = files.flatMap(file => file.seen ?? [])
    return {
      ...message,
      ...pictures,
      content: withFiles(content, files),
      shown,
      ...(seen.length > 0 && { seen }),
    }
  }

  /** The words stand in the conversation: what is to be said of their files comes below them. */
  tell(): void {
    for (const notice of this.#untold.splice(0)) this.#parts.notice(notice)
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
    const { tools } = this.#parts
    const surroundings = { ...tools.surroundings, files: unseen }
    const parts = { ...this.#parts, tools: { ...tools, surroundings } }
    const reading = this.#read(mentions, (file, room) => {
      const key = `${file.path} ${file.id} ${file.version} ${room}`
      const known = this.#drafted.get(key) ?? read(file, room, { parts, signal })
      this.#drafted.set(key, known)
      return known
    })
    reading.then(
      reads => draft === this.#latest && take(withFiles(text, inOrder(reads.filter(isFile)))),
      () => {}, // The prompt meets the same failure and tells it.
    )
  }

  /**
   * One after the other, each in the room that those before it left: what is typed after a file does not change it.
   */
  async #read(mentions: readonly Mention[], read: Reader): Promise<Read[]> {
    const named = await Promise.all(
      mentions.map(mention => fileOf(mention, this.#parts.tools.surroundings.cwd)),
    )
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

  /** What is named and is not a file, in the room that the files left. */
  async #resources(
    mentions: readonly Mention[],
    files: readonly Read[],
    signal: AbortSignal,
  ): Promise<Read[]> {
    const { resource } = this.#parts
    const reads: Read[] = []
    let room =
      turnBudget(this.#parts) -
      files.filter(isFile).reduce((sum, { text }) => sum + Buffer.byteLength(text), 0)
    for (const mention of resource ? mentions : []) {
      // The shortest: what a sentence adds is no part of an address.
      const path = mention.findLast(word => resource?.(word))
      const found = path === undefined ? undefined : resource?.(path)
      if (!found || path === undefined || files.some(file => isFile(file) && file.path === path)) continue
      const one =
        room < leastRoom ? noRoom({ path }) : await readResource({ path, found, room }, this.#parts, signal)
      if (isFile(one)) room -= Buffer.byteLength(one.text)
      reads.push(one)
    }
    return reads
  }
}

async function readResource(
  { path, found, room }: { path: string; found: Resource; room: number },
  { policy }: MentionOptions,
  signal: AbortSignal,
): Promise<Read> {
  const { decision, why } = await policy.authorize({ tool: found.tool, accesses: [{ unknown: path }] })
  // What would ask has its answer: the person named it.
  if (decision === 'deny') return { leftOut: told('mention.denied', { path, why: bare(why) }) }
  try {
    return { path, text: maskSecrets(await found.read(signal, room)) }
  } catch (error) {
    signal.throwIfAborted()
    return { leftOut: told('mention.failed', { path, output: messageOf(error) }) }
  }
}

const isLeftOut = (one: Read): one is LeftOut => 'leftOut' in one
const isImage = (one: Read): one is Image => 'image' in one
const isFile = (one: Read): one is Exclude<Read, LeftOut | Image> => 'text' in one
/** Directories come after files: what is known of a message's files counts from its beginning. */
const inOrder = <T extends { seen?: SeenFile }>(files: readonly T[]): T[] => [
  ...files.filter(({ seen }) => seen),
  ...files.filter(({ seen }) => !seen),
]
const noRoom = ({ path }: Pick<Named, 'path'>): LeftOut => ({ leftOut: told('mention.no_room', { path }) })

/** What is meant, if it is there: everything else stays a word. `a.ts:10-40` are lines, unless a file is called so. */
async function fileOf(mention: Mention, cwd: string): Promise<Named | undefined> {
  for (const written of mention) {
    const whole = await namedBy(written, cwd)
    if (whole) return whole
    const [, name, first = '', last = first] = /^(.+?):(\d{1,7})(?:-(\d{1,7}))?$/.exec(written) ?? []
    const part = name === undefined ? undefined : await namedBy(name, cwd)
    if (!part || part.isDirectory) continue
    const offset = Math.max(1, Number(first))
    const limit = Math.max(1, Number(last) - offset + 1)
    return { ...part, id: `${part.id}:${offset}:${limit}`, lines: { offset, limit } }
  }
  return undefined
}

async function namedBy(written: string, cwd: string): Promise<Named | undefined> {
  const file = written.startsWith('~/') ? path.join(homedir(), written.slice(1)) : path.resolve(cwd, written)
  const stats = await stat(file).catch(() => undefined)
  const isDirectory = stats?.isDirectory() === true && written.endsWith('/')
  if (!stats || !(stats.isFile() || isDirectory)) return undefined
  const { dev, ino, size, mtimeMs } = stats
  return { path: written, id: `${dev}:${ino}`, version: `${size}:${mtimeMs}`, isDirectory }
}

/** Rejects with the signal's reason, or for bugs of ours. */
async function read(
  { path, lines, isDirectory }: Named,
  room: number,
  { parts, signal }: { parts: MentionOptions; signal: AbortSignal },
): Promise<Read> {
  const none = { leftOut: told('mention.no_tool', { path }) }
  const tool = parts.tools.list.find(({ name }) => name === (isDirectory ? 'ls' : 'read'))
  if (!tool) return none
  const checked = tool.check({ path, ...lines })
  if (!checked.ok) return { leftOut: told('mention.failed', { path, output: checked.problem }) }
  const call = { id: '', name: tool.name, arguments: checked.args }
  const accesses = tool.access(checked.args, parts.tools.surroundings.cwd)
  if (!accesses.every(access => 'read' in access)) return none
  const { decision, why, target } = await parts.policy.authorize({ tool: tool.name, accesses })
  // What would ask has its answer: the person named the file. That does not mean they want its secrets sent.
  if (decision === 'deny') return { leftOut: told('mention.denied', { path, why: bare(why) }) }
  if (!isDirectory && !lines && isPicture(path)) return picture(path, { parts, real: target?.real })
  const context = contextFor(call, { ...parts.tools, signal, budget: room, tell: async () => {} })
  const outcome = await execute(call, tool, { context, permit: { target, showsSecrets: false } })
  signal.throwIfAborted()
  if (outcome.is_error) return { leftOut: told('mention.failed', { path, output: outcome.content }) }
  const { path: shown = path, seen } = (outcome.details ?? {}) as { path?: string; seen?: SeenFile }
  const asked = decision === 'ask' && { asked: bare(why) }
  const named = isDirectory ? shown.replace(/\/?$/, '/') : shown
  return { path: named, text: outcome.content, ...(seen && { seen }), ...asked }
}

const isPicture = (path: string): boolean => /\.(?:png|jpe?g|webp|gif)$/i.test(path)

/** Bytes; a server takes no more for what a model sees of it. */
const mostPicture = 10 * 1024 * 1024

/** `real`: the file that was decided upon. */
async function picture(
  path: string,
  { parts, real }: { parts: MentionOptions; real: string | undefined },
): Promise<Read> {
  if (!(await parts.sees())) return { leftOut: told('mention.no_vision', { path }) }
  if (real === undefined) return { leftOut: told('mention.no_tool', { path }) }
  const handle = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const stats = await handle.stat()
    if (!stats.isFile() || stats.size > mostPicture) return { leftOut: told('mention.no_room', { path }) }
    return { image: (await handle.readFile()).toString('base64') }
  } finally {
    await handle.close()
  }
}

/** For drafts: nothing of them is known to the model. */
const unseen: RunTools['surroundings']['files'] = {
  saw: ({ real, stats }) => ({ path: real, size: stats.size, mtime_ms: stats.mtimeMs, hash: '' }),
  mustKnow() {},
}
