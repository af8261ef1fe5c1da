/** A panel as it is drawn: over the transcript, just above the prompt. */
import type { Command } from '../../kit/commands/command.ts'
import type { Words } from '../../words/words.ts'
import { COLUMNS_FOR_SIDES, changeLines } from '../cells/diff.ts'
import { textLines } from '../cells/text.ts'
import { helpLines } from '../help.ts'
import { type Keymap, keyOf } from '../keymap.ts'
import { leftOf } from '../layout.ts'
import type { Line } from '../line.ts'
import { pickerCaret, pickerLines } from '../list/picker-lines.ts'
import type { Markdown } from '../markdown/markdown.ts'
import { widthOf } from '../spans.ts'
import type { Frame } from '../window/window.ts'
import type { Panel } from './panel.ts'

export interface PanelLook {
  columns: number
  /** Of them beside the conversation. */
  besides?: number
  /** Rows that it may cover. */
  rows: number
  commands: readonly Command[]
  words: Words
  keymap: Keymap
  /** Absent: code has no colours. */
  markdown?: Markdown | undefined
}

/** What of a panel is within its border. */
export interface Room {
  width: number
  height: number
}

const widest = 100

/** Changes are shown as wide as the screen is. */
export function panelRoom(
  { columns, rows }: { columns: number; rows: number },
  type?: Panel['type'] | undefined,
): Room {
  const most = type === 'diff' ? columns : widest
  return { width: Math.max(1, Math.min(columns, most) - 4), height: Math.max(1, rows - 2) }
}

/** The first line of what is only read when it is scrolled to its end. */
export function lastTop(
  panel: Read,
  { width, height }: Room,
  look: Pick<PanelLook, 'columns' | 'commands' | 'words' | 'keymap'>,
): number {
  return Math.max(0, readLines(panel, width, look).length - Math.max(1, height - 1))
}

type Read = Extract<Panel, { type: 'help' | 'diff' }>

const readLines = (
  panel: Read,
  width: number,
  look: Pick<PanelLook, 'columns' | 'commands' | 'words' | 'keymap' | 'markdown'>,
): Line[] =>
  panel.type === 'help'
    ? helpLines({ ...look, width })
    : changeLines(panel.diff, width, {
        ...{ path: panel.path, markdown: look.markdown, isWide: look.columns >= COLUMNS_FOR_SIDES },
      })

export function panelView(panel: Panel, look: PanelLook): Pick<Frame, 'popup' | 'cursor'> {
  const { words } = look
  const room = panelRoom(look, panel.type)
  switch (panel.type) {
    case 'list':
    case 'palette':
    case 'history': {
      const { picker } = panel
      const isSudden = panel.type === 'list' && panel.isSudden
      const lines = pickerLines(picker, { ...room, words, keys: listKeys(look), isSudden })
      return popup(lines, {
        ...{ look, title: picker.title },
        ...(!isSudden && { caret: pickerCaret(picker, room) }),
      })
    }
    case 'help':
      return popup(readRows(panel, room, look), { look, title: words.help.title })
    case 'diff':
      return popup(readRows(panel, room, look), { look, title: panel.path, type: panel.type })
    case 'find':
      return searching(words.search.find, panel.query, { look, hint: findHint(panel, look) })
  }
}

function findHint({ found }: Extract<Panel, { type: 'find' }>, { words, keymap }: PanelLook): string {
  const { search } = words
  if (found === 'nothing') return search.notFound
  const keys = {
    older: keyOf(keymap, 'list_choose'),
    newer: keyOf(keymap, 'newline'),
    close: keyOf(keymap, 'list_close'),
  }
  return found ? `${search.found(found)} · ${search.keys(keys)}` : search.keys(keys)
}

interface PopupOptions {
  look: PanelLook
  title?: string
  /** Where something is typed: the column in the first line. */
  caret?: number
  type?: Panel['type']
}

function popup(
  lines: readonly Line[],
  { look, title, caret, type }: PopupOptions,
): Pick<Frame, 'popup' | 'cursor'> {
  const room = panelRoom(look, type)
  const width = room.width + 4
  const visible = lines.slice(0, room.height)
  const height = visible.length + 2
  const top = Math.max(0, look.rows - height)
  const left = leftOf(width, look)
  const padded = visible.map((line): Line => [{ text: ' ', style: 'plain' }, ...line])
  return {
    popup: { top, left, width, height, lines: padded, frame: 'plain', ...(title !== undefined && { title }) },
    ...(caret !== undefined && { cursor: { row: top + 1, column: left + 2 + caret } }),
  }
}

/** A search: what is looked for, seen at its end, and a hint. */
function searching(label: string, query: string, { look, hint }: { look: PanelLook; hint: string }) {
  const { width } = panelRoom(look)
  const [line = []] = textLines(label + query, width - 1, { style: 'plain' }).slice(-1)
  const caret = widthOf(line)
  return popup([line, ...textLines(hint, width, { style: 'muted' })], { look, caret })
}

function readRows(panel: Read, { width, height }: Room, look: PanelLook): Line[] {
  const { words } = look
  const shown = Math.max(1, height - 1)
  const hint = words.help.scroll({
    up: keyOf(look.keymap, 'list_up'),
    down: keyOf(look.keymap, 'list_down'),
    close: keyOf(look.keymap, 'list_close'),
  })
  return [
    ...readLines(panel, width, look).slice(panel.top, panel.top + shown),
    ...textLines(hint, width, { style: 'muted' }).slice(0, 1),
  ]
}

const listKeys = (look: PanelLook) => ({
  choose: keyOf(look.keymap, 'list_choose'),
  close: keyOf(look.keymap, 'list_close'),
})
