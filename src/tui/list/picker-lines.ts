/** A picker as lines: what is typed, the items around the selected one, a hint. */
import { cut, displayWidth, graphemeEnd } from '../../text/width.ts'
import type { Words } from '../../words/words.ts'
import { placesOf } from '../fuzzy.ts'
import type { Line, Span } from '../line.ts'
import { marked } from './marked.ts'
import { type Picker, type PickerItem, selectedItem, textsWith } from './picker.ts'

export interface PickerLook {
  /** Columns, and rows at most. */
  width: number
  height: number
  words: Words
  /** Nothing is typed in it. */
  isSudden?: boolean | undefined
  /** The keys that choose and close, as they are printed. */
  keys: { choose: string; close: string }
}

const PROMPT = '› '
const CURRENT = '● '

/** At most `height` lines, none wider than `width`; the first one is what is typed. */
export function pickerLines(picker: Picker, look: PickerLook): Line[] {
  const { width, height, words, keys } = look
  const rows = pickerRows(picker, height)
  const { shown, at } = picker
  const top = Math.max(0, Math.min(at - Math.floor(rows / 2), shown.length - rows))
  const visible = shown.slice(top, top + rows)
  const labels = Math.max(0, ...visible.map(({ label }) => displayWidth(label)))
  const share = visible.some(({ detail }) => detail !== undefined) ? 0.6 : 1
  const columns = { width, label: Math.min(labels, Math.max(12, Math.floor((width - 2) * share))) }
  const items = visible.map((item, index) =>
    itemLine(item, { picker, columns, isSelected: top + index === at }),
  )
  if (items.length === 0) {
    const note = picker.items.length === 0 ? (picker.empty ?? words.lists.nothing) : words.lists.nothing
    items.push([{ text: cut(`  ${note}`, width), style: 'muted' }])
  }
  const hidden = shown.length - visible.length
  const hint = [words.lists.hint(keys), ...(hidden > 0 ? [words.lists.moreItems(hidden)] : [])].join(' · ')
  const lines = [queryLine(picker, look), ...items]
  if (hasPreview(picker, height)) lines.push(...previewLines(picker, width))
  if (hasHint(height)) lines.push([{ text: cut(hint, width, { mark: '…' }), style: 'muted' }])
  return lines.slice(0, height)
}

/** How many items are shown in so many rows. */
export function pickerRows(picker: Pick<Picker, 'items'>, height: number): number {
  const preview = hasPreview(picker, height) ? PREVIEW_ROWS : 0
  return Math.max(1, height - (hasHint(height) ? 2 : 1) - preview)
}

const hasHint = (height: number): boolean => height >= 5

const PREVIEW_ROWS = 3

const hasPreview = ({ items }: Pick<Picker, 'items'>, height: number): boolean =>
  height >= 10 && items.some(({ texts }) => texts !== undefined)

/** Of the selected item what is looked for, else its last texts. */
function previewLines(picker: Picker, width: number): Line[] {
  const item = selectedItem(picker)
  if (!item) return []
  const found = picker.query.trim() === '' ? [] : textsWith(item, picker.query)
  const texts = (found.length > 0 ? found : (item.texts ?? [])).slice(-PREVIEW_ROWS)
  return Array.from({ length: PREVIEW_ROWS }, (_, index): Line => {
    const text = texts[index]
    return text === undefined ? [] : [{ text: cut(`  › ${text}`, width, { mark: '…' }), style: 'muted' }]
  })
}

/** The column of the caret in the first line. */
export function pickerCaret({ query }: Picker, { width }: { width: number }): number {
  return Math.min(displayWidth(PROMPT) + displayWidth(query), width - 1)
}

function queryLine({ query }: Picker, { width, words, isSudden }: PickerLook): Line {
  if (isSudden) return [{ text: cut(words.lists.typed, width), style: 'muted' }]
  const room = Math.max(0, width - displayWidth(PROMPT))
  const typed: Span =
    query === ''
      ? { text: cut(words.lists.filter, room), style: 'muted' }
      : { text: endOf(query, room - 1), style: 'plain' }
  return [{ text: PROMPT, style: 'accent' }, typed]
}

/** What is typed is seen at its end. */
function endOf(text: string, width: number): string {
  let start = 0
  while (start < text.length && displayWidth(text.slice(start)) > width) start = graphemeEnd(text, start)
  return text.slice(start)
}

interface ItemLook {
  picker: Picker
  columns: { width: number; label: number }
  isSelected: boolean
}

function itemLine(item: PickerItem, { picker, columns, isSelected }: ItemLook): Line {
  const { width, label: labelColumns } = columns
  const mark = item.id === picker.current ? CURRENT : '  '
  const label = cut(item.label, Math.min(labelColumns, width - 2), { mark: '…' })
  const gap = ' '.repeat(Math.max(0, labelColumns - displayWidth(label)) + 2)
  const room = width - 2 - displayWidth(label) - gap.length
  const detail = item.detail !== undefined && room > 3 ? cut(item.detail, room, { mark: '…' }) : ''
  if (isSelected) {
    const text = cut(`${mark}${label}${detail === '' ? '' : gap + detail}`, width)
    return [{ text: text + ' '.repeat(Math.max(0, width - displayWidth(text))), style: 'selected' }]
  }
  const line: Span[] = [{ text: cut(mark, width), style: 'accent' }]
  line.push(...marked(label, { places: placesOf(picker.query.trim(), item.label), style: 'plain' }))
  if (detail !== '') line.push({ text: gap + detail, style: 'muted' })
  return line
}
