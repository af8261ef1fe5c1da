/**
 * For a model that follows no dialect: a conversation. Nothing in a reply is a call but whole files in code blocks that
 * name their path, and those are only ever offered.
 */
import type { WireTool } from '../protocol/wire.ts'
import type { Dialect, ParsedCall } from './dialect.ts'
import { type Show, StreamedReply, type TextReader } from './reply.ts'

/** The conversation so far stays as the model's dialect writes it. */
export const talk = (dialect: Dialect): Dialect => ({
  ...dialect,
  request: () => ({}),
  parser: tools => new StreamedReply([], show => new TalkReader(show, tools)),
})

class TalkReader implements TextReader {
  readonly problem = undefined
  readonly done = false
  readonly surplus = 0
  readonly #show: Show
  readonly #writes: boolean
  #text = ''
  #calls: ParsedCall[] = []

  constructor(show: Show, tools: readonly WireTool[]) {
    this.#show = show
    this.#writes = tools.some(tool => tool.function.name === 'write')
  }

  get calls(): readonly ParsedCall[] {
    return this.#calls
  }

  feed(char: string): void {
    this.#text += char
    this.#show('text', char)
  }

  finish(end: 'stop' | 'length' | 'cut'): void {
    if (end === 'stop' && this.#writes) this.#calls = writesIn(this.#text)
  }

  release(): void {}
}

const FENCE = /^(`{3,}|~{3,})([^`]{0,200})$/
/** A path has a directory or an ending, and stands alone but for what emphasises it. */
const PATH =
  /^(?:[#*>\s]{0,8})(?:(?:file|path|文件|路径)\s?[:：]\s*)?[*`"']{0,3}([\w./@+-]*[./][\w./@+-]+)[*`"']{0,3}\s?[:：]?[*`]{0,3}$/i
const INFO_PATH = /(?:^|[\s:="'])([\w./@+-]*[./][\w./@+-]+)["']?\s*$/

/** Whole files: a code block whose first line, or the line before it, names a path. A block that nothing closes is none. */
function writesIn(text: string): ParsedCall[] {
  const calls: ParsedCall[] = []
  let open: { ticks: string; path: string | undefined; lines: string[] } | undefined
  let before = ''
  for (const line of text.split('\n')) {
    if (open) {
      if (line.trimEnd() !== open.ticks) open.lines.push(line)
      else {
        const { path, lines } = open
        const content = lines.map(line => `${line}\n`).join('')
        const from = { from: 'text', text: content, own: false, before: true, after: true } as const
        if (path !== undefined) calls.push({ name: 'write', arguments: { path, content }, from })
        open = undefined
        before = ''
      }
      continue
    }
    const [, ticks, info = ''] = FENCE.exec(line.trimEnd()) ?? []
    if (ticks !== undefined)
      open = { ticks, path: INFO_PATH.exec(info)?.[1] ?? PATH.exec(before)?.[1], lines: [] }
    else if (line.trim() !== '') before = line.trim()
  }
  return calls
}
