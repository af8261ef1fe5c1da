/** A completion as lines, for the rows above the prompt. */
import { reveal } from '../../text/sanitize.ts'
import { cut, displayWidth, graphemeEnd } from '../../text/width.ts'
import type { Words } from '../../words/words.ts'
import type { Line, Span } from '../line.ts'
import { marked } from '../list/marked.ts'
import { textOfLine, widthOf } from '../spans.ts'
import type { Completion, CompletionItem, CompletionKind } from './completion.ts'

export const MOST_ROWS = 8

const SIGNS: Record<CompletionKind, string> = { file: '@', command: '/', argument: '', path: '' }

/** At most eight lines, none wider than `width`; none when there is nothing to choose from or to wait for. */
export function completionLines(
  { kind, items, at, reading }: Completion,
  { width, words }: { width: number; words: Words },
): Line[] {
  const rows = reading === undefined ? MOST_ROWS : MOST_ROWS - 1
  const top = Math.max(0, Math.min(at - Math.floor(rows / 2), items.length - rows))
  const visible = items.slice(top, top + rows)
  const values = Math.max(0, ...visible.map(({ value }) => displayWidth(value)))
  const look = { sign: SIGNS[kind], width, column: Math.min(values, Math.floor(width * 0.5)) }
  const hidden = items.length - visible.length
  const more = hidden > 0 ? words.lists.moreItems(hidden) : ''
  const lines = visible.map((item, index) => {
    const isSelected = top + index === at
    const isLast = index === visible.length - 1
    return isLast && more !== ''
      ? lastLine(item, { ...look, isSelected }, more)
      : itemLine(item, { ...look, isSelected })
  })
  if (reading === undefined) return lines
  return [...lines, [{ text: cut(`  ${words.lists.indexing(reading)}`, width), style: 'muted' }]]
}

/** How many more there are stands at its right end. */
function lastLine(item: CompletionItem, look: ItemLook, more: string): Line {
  const width = look.width - displayWidth(more) - 2
  if (width < LEAST_COLUMNS) return itemLine(item, look)
  const line = itemLine(item, { ...look, width, column: Math.min(look.column, width) })
  const gap = ' '.repeat(look.width - widthOf(line) - displayWidth(more))
  return look.isSelected
    ? [...line, { text: gap + more, style: 'selected' }]
    : [...line, { text: gap, style: 'plain' }, { text: more, style: 'muted' }]
}

/** Of an entry that shares its row. */
const LEAST_COLUMNS = 12

interface ItemLook {
  sign: string
  width: number
  /** Where details begin, counted from the start of the value. */
  column: number
  isSelected: boolean
}

function itemLine(item: CompletionItem, { sign, width, column, isSelected }: ItemLook): Line {
  const lead = `${isSelected ? '›' : ' '} ${sign}`
  const hasDetail = item.detail !== undefined
  const room = Math.max(0, width - lead.length)
  // A path with something invisible in its name is shown as it is; then nothing in it is marked.
  const value = reveal(item.value).replaceAll(/[\n\t]/g, ' ')
  const places = value === item.value ? item.places : []
  const spans = marked(value, { places, style: 'plain' })
  const shown = hasDetail ? cutEnd(spans, Math.min(column, room)) : cutStart(spans, room)
  const used = widthOf(shown)
  const gap = ' '.repeat(Math.max(0, column - used) + 2)
  const detail = hasDetail ? cut(gap + item.detail, Math.max(0, room - used), { mark: '…' }) : ''
  const line: Span[] = [{ text: cut(lead, width), style: isSelected ? 'accent' : 'muted' }, ...shown]
  if (detail !== '') line.push({ text: detail, style: 'muted' })
  if (!isSelected) return line
  const text = textOfLine(line)
  return [{ text: text + ' '.repeat(Math.max(0, width - displayWidth(text))), style: 'selected' }]
}

function cutEnd(spans: readonly Span[], width: number): Span[] {
  const whole = textOfLine(spans)
  if (displayWidth(whole) <= width) return [...spans]
  return [{ text: cut(whole, width, { mark: '…' }), style: 'plain' }]
}

/** Of a long path the end counts. */
function cutStart(spans: readonly Span[], width: number): Span[] {
  const whole = textOfLine(spans)
  if (displayWidth(whole) <= width) return [...spans]
  let start = 0
  while (start < whole.length && displayWidth(whole.slice(start)) > width - 1)
    start = graphemeEnd(whole, start)
  return width < 1 ? [] : [{ text: `…${whole.slice(start)}`, style: 'plain' }]
}
