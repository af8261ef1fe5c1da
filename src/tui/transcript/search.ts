/** Looking for a text in cells: first in their sources, then in the lines of those that may hold it. */
import { type LineWords, toolLine } from '../../text/tool-line.ts'
import type { Cell } from '../cells/cell.ts'
import type { Line, Span, Style } from '../line.ts'
import { textOfLine } from '../spans.ts'

export interface Query {
  /** False only where the text is certainly not in what is drawn from this source. */
  mayStandIn(source: string): boolean
  /** Matches in rows that are joined by newlines, broken lines included. */
  readonly pattern: RegExp
}

/** Undefined for a text of nothing but spaces. */
export function queryOf(text: string): Query | undefined {
  const sought = text.trim()
  if (sought === '') return undefined
  const flags = sought === sought.toLowerCase() ? 'iu' : 'u'
  const characters = [...sought]
  const letters = characters.filter(character => /[\p{L}\p{N}]/u.test(character))
  // The marks of Markdown may be anywhere, even within a word.
  const source = new RegExp(letters.join('[^\\p{L}\\p{N}]*'), flags)
  const shown = characters.map(character =>
    /\s/.test(character) ? String.raw`[\s│]+` : character.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&'),
  )
  return {
    mayStandIn: text => source.test(text),
    pattern: new RegExp(shown.join(String.raw`(?:\n[ │]*)?`), `g${flags}`),
  }
}

/** The text that a cell is drawn from. */
export function sourceOf(cell: Cell, words: LineWords): string {
  switch (cell.type) {
    case 'welcome':
      return JSON.stringify(cell)
    case 'user':
    case 'thinking':
      return cell.text
    case 'reply':
      return cell.block.type === 'code' ? cell.block.text : cell.block.source
    case 'running':
      return `${cell.tool.name} ${JSON.stringify(cell.tool.arguments)}\n${cell.tool.output}`
    case 'tool':
      return `${toolLine(cell.tool, words)}\n${cell.tool.content}\n${JSON.stringify(cell.tool.details ?? '')}`
    case 'notice':
      return cell.message
    case 'compaction':
      return cell.summary
    case 'took':
      return ''
    default: {
      const unknown: never = cell
      return unknown
    }
  }
}

interface Match {
  /** The row in which it begins. */
  line: number
  parts: readonly Part[]
}

interface Part {
  line: number
  start: number
  end: number
}

/** In the order of the rows. */
export function findIn(rows: readonly Line[], { pattern }: Query): Match[] {
  const texts = rows.map(textOfLine)
  const found: Match[] = []
  let line = 0
  let lineStart = 0
  for (const { index, 0: match } of texts.join('\n').matchAll(pattern)) {
    while (index > lineStart + (texts[line]?.length ?? 0)) lineStart += (texts[line++]?.length ?? 0) + 1
    found.push({ line, parts: partsOf(match, { line, start: index - lineStart }) })
  }
  return found
}

/** A match that goes on in the next row begins there after the indent. */
function partsOf(match: string, { line, start }: { line: number; start: number }): Part[] {
  return match.split('\n').map((text, index) => {
    const indent = index === 0 ? 0 : text.length - text.replace(/^[ │]+/, '').length
    const first = index === 0 ? start : indent
    return { line: line + index, start: first, end: first + text.length - indent }
  })
}

/** The same rows, with every match marked; `current` is the how many-th of them was looked for last. */
export function markMatches(
  rows: readonly Line[],
  query: Query,
  current: number | undefined,
): readonly Line[] {
  const matches = findIn(rows, query)
  if (matches.length === 0) return rows
  const marked = [...rows]
  for (const [nth, { parts }] of matches.entries()) {
    const style = nth === current ? 'selected' : 'match'
    for (const { line, start, end } of parts) {
      const row = marked[line]
      if (row) marked[line] = withStyle(row, { start, end, style })
    }
  }
  return marked
}

function withStyle(line: Line, { start, end, style }: { start: number; end: number; style: Style }): Line {
  const spans: Span[] = []
  let at = 0
  for (const span of line) {
    const [from, to] = [clamp(start - at, span.text), clamp(end - at, span.text)]
    const pieces = [
      { ...span, text: span.text.slice(0, from) },
      { ...span, text: span.text.slice(from, to), style },
      { ...span, text: span.text.slice(to) },
    ]
    spans.push(...pieces.filter(({ text }) => text !== ''))
    at += span.text.length
  }
  return spans
}

const clamp = (offset: number, text: string): number => Math.min(Math.max(0, offset), text.length)
