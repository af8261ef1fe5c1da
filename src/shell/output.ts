/**
 * What a command wrote: bytes become text (UTF-8 over chunk borders, what is none U+FFFD, a NUL the visible ␀),
 * shown live, its head and tail kept in bounded memory, and all of it in a file once it is too much.
 */
import { StringDecoder } from 'node:string_decoder'
import { count } from '../text/truncate.ts'
import { Spill, SpillRoom } from './spill.ts'

/** Characters of live output that may wait for a reader before the command has to. */
const SHOWN_MAX = 1024 * 1024

export interface OutputOptions {
  /** Bytes of text that are kept. */
  maxOutput: number
  onOutput?(text: string): Promise<void> | void
  spillDir(): Promise<string>
  /** Takes out of a text what nobody is told. Default: nothing is. */
  mask?: ((text: string) => string) | undefined
  /** What the session may still keep in such files. Default: as much as a new one. */
  room?: SpillRoom
  /** The file, or who is shown the output, has caught up: go on reading. */
  resume(): void
}

export interface CollectedOutput {
  output: string
  total_bytes: number
  spill?: string
  notes: string[]
}

/** The parts of a text of `max` bytes at most, cut at a line's or at least a character's border. */
class HeadAndTail {
  readonly max: number
  #head: Buffer[] = []
  #tail: Buffer[] = []
  #tailSize = 0
  size = 0

  constructor(max: number) {
    this.max = max
  }

  get isCut(): boolean {
    return this.size > this.max
  }

  get head(): readonly Buffer[] {
    return this.#head
  }

  push(bytes: Buffer): void {
    const room = Math.max(0, this.max - this.size)
    this.size += bytes.length
    if (room > 0) this.#head.push(bytes.subarray(0, room))
    if (bytes.length <= room) return
    const rest = bytes.subarray(room)
    this.#tail.push(rest)
    this.#tailSize += rest.length
    // The last piece stays, even where nothing of it will be shown.
    for (let first = this.#tail[0]!; this.#tail.length > 1; first = this.#tail[0]!) {
      if (this.#tailSize - first.length < this.max / 2) break
      this.#tailSize -= first.length
      this.#tail.shift()
    }
  }

  text(notice: (bytes: number) => string): string {
    const start = Buffer.concat(this.#head)
    if (!this.isCut) return start.toString()
    const half = Math.floor(this.max / 2)
    const ends = Buffer.concat([start, ...this.#tail])
    const head = cutEnd(start.subarray(0, half))
    const tail = cutStart(ends.subarray(ends.length - half))
    const lead = head.length === 0 || head.at(-1) === NEWLINE ? '' : '\n'
    return `${head}${lead}${notice(this.size - head.length - tail.length)}\n${tail}`
  }
}

const NEWLINE = 10

function cutEnd(bytes: Buffer): Buffer {
  const line = bytes.lastIndexOf(NEWLINE) + 1
  if (line > bytes.length / 2) return bytes.subarray(0, line)
  let end = bytes.length
  while (end > 0 && isContinuation(bytes[end - 1])) end -= 1
  // Here the last character's first byte is the last one left; a character of one byte was whole.
  return bytes.subarray(0, end > 0 && bytes[end - 1]! >= 0xc0 ? end - 1 : bytes.length)
}

function cutStart(bytes: Buffer): Buffer {
  const line = bytes.indexOf(NEWLINE) + 1
  if (line > 0 && line < bytes.length / 2) return bytes.subarray(line)
  let start = 0
  while (start < bytes.length && isContinuation(bytes[start])) start += 1
  return bytes.subarray(start)
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80
}

export class Output {
  #options: OutputOptions
  #decoder = new StringDecoder('utf8')
  #kept: HeadAndTail
  #spill: Spill | undefined
  #total = 0
  /** Characters that were shown and not taken yet. */
  #shown = 0

  constructor(options: OutputOptions) {
    this.#options = options
    this.#kept = new HeadAndTail(options.maxOutput)
  }

  /** Takes bytes that are only lent. false: the file or the reader is behind, no more until `resume`. */
  push(bytes: Buffer): boolean {
    this.#total += bytes.length
    return this.#add(this.#decoder.write(bytes)) && this.#shown < SHOWN_MAX
  }

  /** Waits for the file. Never rejects: a full disk is a note. */
  async finish(): Promise<CollectedOutput> {
    this.#add(this.#decoder.end())
    const total_bytes = this.#total
    if (this.#spill === undefined) return { output: this.#kept.text(String), total_bytes, notes: [] }
    const { path, problem } = await this.#spill.end()
    const where = path === undefined || problem !== undefined ? '' : `; all of it: ${path}`
    const output = this.#kept.text(bytes => `[… ${count(bytes)} bytes left out${where} …]`)
    const notes = problem === undefined ? [] : [problem]
    return path === undefined ? { output, total_bytes, notes } : { output, total_bytes, spill: path, notes }
  }

  #show(text: string): void {
    const taken = this.#options.onOutput?.(text)
    if (!taken) return
    this.#shown += text.length
    void taken.then(() => {
      const wasBehind = this.#shown >= SHOWN_MAX
      this.#shown -= text.length
      if (wasBehind && this.#shown < SHOWN_MAX) this.#options.resume()
    })
  }

  #add(raw: string): boolean {
    if (raw === '') return true
    const text = raw.includes('\0') ? raw.replaceAll('\0', '␀') : raw
    this.#show(text)
    const bytes = Buffer.from(text)
    this.#kept.push(bytes)
    if (!this.#kept.isCut) return true
    if (this.#spill !== undefined) return this.#spill.write(text)
    const { spillDir: directory, resume, mask, room = new SpillRoom() } = this.#options
    this.#spill = new Spill({ directory, resume, mask, room })
    const before = Buffer.concat(this.#kept.head)
    const overlap = before.length - (this.#kept.size - bytes.length)
    return this.#spill.write(Buffer.concat([before, bytes.subarray(overlap)]).toString())
  }
}
