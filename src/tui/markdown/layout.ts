/** The lines of a block in a width. None is wider, except a wide character where there is only one column. */
import type { Line } from '../line.ts'
import { widthOf, wrapSpans } from '../spans.ts'
import type { Part } from './parts.ts'
import { tableLines } from './table.ts'

export function layOut(parts: readonly Part[], width: number): Line[] {
  return parts.flatMap(part => linesOf(part, width))
}

function linesOf(part: Part, width: number): Line[] {
  switch (part.type) {
    case 'line':
      return wrapSpans(part.line, width)
    case 'gap':
      return [[]]
    case 'rule':
      return [[{ text: '─'.repeat(width), style: 'muted' }]]
    case 'indent':
      return indentedLines(part, width)
    case 'verbatim':
      return part.lines.flatMap(line => wrapSpans(line, width))
    case 'table':
      return tableLines(part.table, width)
  }
}

/** The text keeps this much, and at least half, however deep it is indented. */
const TEXT_COLUMNS = 4

function indentedLines({ first, rest, parts }: Extract<Part, { type: 'indent' }>, width: number): Line[] {
  const room = Math.max(0, Math.min(Math.floor(width / 2), width - TEXT_COLUMNS))
  const indent = Math.min(room, Math.max(widthOf(first), widthOf(rest)))
  const [before, under] = [lastColumns(first, indent), lastColumns(rest, indent)]
  const lines = layOut(parts, width - indent)
  if (lines.length === 0) return [before]
  return lines.map((line, index) => [...(index === 0 ? before : under), ...line])
}

/** Indents are of narrow characters. Of what is too wide the outer part is left out. */
function lastColumns(indent: Line, columns: number): Line {
  let left = columns
  return indent
    .toReversed()
    .map(span => {
      const text = left === 0 ? '' : span.text.slice(-left)
      left -= text.length
      return { ...span, text }
    })
    .toReversed()
    .filter(({ text }) => text !== '')
}
