/**
 * Reads Markdown line by line and closes a block as soon as no line that may follow can change it. It never closes one
 * too early: where a rule of Markdown is not known here, the block stays open for longer.
 */
import { type Block, type CodeBlock, type Piece, TABLE_ROWS } from './block.ts'
import {
  closesFence,
  columnCount,
  type Fence,
  fenceOf,
  htmlEnd,
  type Item,
  indentation,
  interruptsParagraph,
  isBlank,
  isDelimiter,
  isHeading,
  isHtml,
  isIndentedCode,
  isQuote,
  isRule,
  itemOf,
} from './syntax.ts'

type Kind =
  | { type: 'none' | 'paragraph' | 'quote' }
  | { type: 'html'; end: string | undefined }
  | { type: 'indented'; lines: number }
  | { type: 'fence'; fence: Fence; lines: number; before?: CodeBlock }
  | List
  | { type: 'table'; rows: number; head?: string }

interface List {
  type: 'list'
  bullet: string
  indent: number
  /** Of its first item here; `parted` when there were items before that one. */
  start: number
  parted: boolean
  items: number
  isBlankBefore: boolean
  /** There is something between the items that is neither one of them nor in one of them. */
  isBroken: boolean
  content: number
  fence?: Fence
}

/** What is not closed: whole lines up to `at`, which were looked at, then a line that is not whole yet. */
export interface Rest {
  readonly text: string
  readonly at: number
  readonly kind: Kind
  readonly joined: boolean
}

type Work = { -readonly [Key in keyof Rest]: Rest[Key] } & { closed: Piece[] }

const CODE_LINES = 64
const LIST_ITEMS = 8
const LONGEST = 4_000
const LONGEST_ITEM = 16_000

export const NONE: Kind = { type: 'none' }

/** What there is, with what is new. */
export function read(rest: Rest, delta: string): Work {
  const text = rest.text + delta
  const work: Work = { ...rest, text: text.includes('\r') ? text.replaceAll('\r\n', '\n') : text, closed: [] }
  const lineEnd = (): number => work.text.indexOf('\n', work.at)
  for (let end = lineEnd(); end >= 0; end = lineEnd()) {
    takeLine(work, work.text.slice(work.at, end))
    if (work.at > limitOf(work.kind)) part(work, work.at)
  }
  while (work.text.length - work.at > LONGEST) {
    const blank = work.text.lastIndexOf(' ', work.at + LONGEST)
    part(work, blank > work.at ? blank + 1 : work.at + LONGEST)
  }
  return work
}

const limitOf = ({ type }: Kind): number => (type === 'list' || type === 'table' ? LONGEST_ITEM : LONGEST)

function takeLine(work: Work, line: string): void {
  const { kind } = work
  if (endsBefore(kind, line)) {
    close(work, work.at)
    begin(work, line)
    return
  }
  switch (kind.type) {
    case 'none':
      begin(work, line)
      break
    case 'paragraph':
      takeInParagraph(work, line)
      break
    case 'quote':
      keep(work, line)
      break
    case 'html':
      keep(work, line)
      if (kind.end !== undefined && line.toLowerCase().includes(kind.end)) close(work, work.at)
      break
    case 'indented':
      takeCode(work, line, kind)
      break
    case 'fence':
      if (indentation(line) < 4 && closesFence(line, kind.fence)) {
        close(work, work.at)
        drop(work, line.length + 1)
      } else takeCode(work, line, kind)
      break
    case 'list':
      takeInList(work, line, kind)
      break
    case 'table':
      if (kind.rows >= TABLE_ROWS) part(work, work.at)
      if (work.kind.type === 'table') work.kind = { ...work.kind, rows: work.kind.rows + 1 }
      keep(work, line)
  }
}

/** The block certainly does not go on in such a line, which belongs to the next one. */
function endsBefore(kind: Kind, line: string): boolean {
  switch (kind.type) {
    case 'paragraph':
    case 'table':
      return isBlank(line) || interruptsParagraph(line)
    case 'quote':
      return isBlank(line) || (!isQuote(line) && interruptsParagraph(line))
    case 'html':
      return kind.end === undefined && isBlank(line)
    case 'indented':
      return !isBlank(line) && !isIndentedCode(line)
    case 'list': {
      if (kind.fence || isBlank(line) || indentation(line) >= 2) return false
      const item = itemOf(line)
      if (item) return !isItemOf(kind, item)
      return kind.isBlankBefore || isRule(line) || interruptsParagraph(line)
    }
    default:
      return false
  }
}

const isItemOf = ({ bullet, indent }: List, item: Item): boolean =>
  item.bullet === bullet && item.indent === indent

function keep(work: Work, line: string): void {
  work.at += line.length + 1
}

/** The first line of a block; nothing is open. */
function begin(work: Work, line: string): void {
  keep(work, line)
  const fence = fenceOf(line)
  const item = itemOf(line)
  if (isBlank(line)) {
    drop(work, work.at)
    work.joined = false
  } else if (fence) {
    drop(work, work.at)
    work.kind = { type: 'fence', fence, lines: 0 }
  } else if (isHeading(line) || isRule(line)) close(work, work.at)
  else if (isIndentedCode(line)) work.kind = { type: 'indented', lines: 1 }
  else if (item) {
    const { bullet, indent, content, number: start, text } = item
    const flags = { parted: false, isBlankBefore: false, isBroken: false }
    work.kind = withFence({ type: 'list', bullet, indent, content, start, items: 1, ...flags }, text)
  } else if (isQuote(line)) work.kind = { type: 'quote' }
  else if (isHtml(line)) {
    const end = htmlEnd(line)
    work.kind = { type: 'html', end }
    if (end && line.toLowerCase().includes(end)) close(work, work.at)
  } else work.kind = { type: 'paragraph' }
}

/** The line under a row makes a table of both. */
function takeInParagraph(work: Work, line: string): void {
  if (isDelimiter(line)) {
    const headStart = work.text.lastIndexOf('\n', work.at - 2) + 1
    if (columnCount(work.text.slice(headStart, work.at)) === columnCount(line)) {
      if (headStart > 0) close(work, headStart)
      work.kind = { type: 'table', rows: 0 }
    }
  }
  keep(work, line)
}

function takeCode(work: Work, line: string, kind: Extract<Kind, { type: 'fence' | 'indented' }>): void {
  const lines = kind.lines + 1
  work.kind = { ...kind, lines }
  keep(work, line)
  if (lines >= CODE_LINES) part(work, work.at)
}

function takeInList(work: Work, line: string, kind: List): void {
  const { fence, ...list } = kind
  const item = itemOf(line)
  if (fence) work.kind = closesFence(line, fence) ? list : kind
  else if (isBlank(line)) work.kind = { ...list, isBlankBefore: true }
  else if (item && isItemOf(list, item)) {
    const whole = list.items >= LIST_ITEMS ? partList(work, list, item.number) : list
    const { content, text } = item
    work.kind = withFence({ ...whole, items: whole.items + 1, content, isBlankBefore: false }, text)
  } else {
    const isAside = indentation(line) < list.content && (list.isBlankBefore || item !== undefined)
    const inner = { ...list, isBlankBefore: false, isBroken: list.isBroken || isAside }
    work.kind = withFence(inner, item?.text ?? line.trimStart())
  }
  keep(work, line)
}

function withFence(list: List, text: string): List {
  const fence = fenceOf(text)
  return fence ? { ...list, fence } : list
}

/** Closes the items so far. Numbers go on by counting, except where it may be another list by now. */
function partList(work: Work, list: List, number: number): List {
  const start = list.isBroken ? number : list.start + list.items
  close(work, work.at, { joined: !list.isBroken })
  return { ...list, start, parted: true, items: 0, isBroken: false }
}

/** Closes what is before `end`, though its block goes on. */
function part(work: Work, end: number): void {
  const { kind } = work
  const source = work.text.slice(0, end)
  close(work, end, { joined: true })
  if (kind.type === 'fence') {
    const last = work.closed.at(-1)?.block
    work.kind = { ...kind, lines: 0, ...(last?.type === 'code' && { before: last }) }
  } else if (kind.type === 'indented') work.kind = { type: 'indented', lines: 0 }
  else if (kind.type === 'table') work.kind = { type: 'table', rows: 0, head: kind.head ?? source }
}

/** `joined`: what follows goes on with this block. */
export function close(work: Work, end: number, { joined = false }: { joined?: boolean } = {}): void {
  const block = blockOf(work.kind, work.text.slice(0, end))
  if (block) work.closed.push({ block, joined: work.joined })
  drop(work, end)
  work.joined = joined
  work.kind = NONE
}

function drop(work: Work, end: number): void {
  work.text = work.text.slice(end)
  work.at = Math.max(0, work.at - end)
}

export function blockOf(kind: Kind, text: string): Block | undefined {
  const source = text.trimEnd()
  if (kind.type === 'fence') {
    const { fence, before } = kind
    if (text === '') return undefined
    const code = dedented(text.replace(/\n$/, ''), fence.indent)
    return { type: 'code', language: fence.language, text: code, ...(before && { before }) }
  }
  if (source === '') return undefined
  if (kind.type === 'list' && kind.parted) return { type: 'items', source, start: kind.start }
  if (kind.type === 'table' && kind.head !== undefined) return { type: 'rows', source, head: kind.head }
  return { type: 'markdown', source }
}

function dedented(text: string, indent: number): string {
  return indent === 0 ? text : text.replaceAll(new RegExp(`^ {1,${indent}}`, 'gm'), '')
}
