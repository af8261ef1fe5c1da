/** The screen as a value: the transcript above, the prompt and what belongs to it below, whatever is open over them. */
import { cut, displayWidth } from '../text/width.ts'
import type { Words } from '../words/words.ts'
import { completionLines } from './complete/lines.ts'
import { dialogView } from './dialog/lines.ts'
import type { EditorView } from './editor/rows.ts'
import { footerLine } from './footer.ts'
import { type Keymap, keyOf } from './keymap.ts'
import { type Layout, layoutOf } from './layout.ts'
import type { Line } from './line.ts'
import { panelView } from './panel/view.ts'
import { widthOf } from './spans.ts'
import { stageLine } from './stage-line.ts'
import { promptMark, type State } from './state.ts'
import type { Transcript } from './transcript/transcript.ts'
import type { Frame } from './window/window.ts'

export interface ViewLook {
  words: Words
  keymap: Keymap
  /** performance.now(), ms. */
  now: number
  showTokens: boolean
}

export function view(state: State, transcript: Transcript, look: ViewLook): Frame {
  const { words, now } = look
  const { columns: width, unfolded } = state
  const layout = layoutOf(state, words)
  const rows = layout.transcript
  const open = over(state, layout, look)
  // What led to a question stays in sight above it.
  const height = Math.min(rows, open.popup?.top ?? rows)
  const shown = transcript.view({ width, height, look: { unfolded, words, now } })
  const blank = new Array<Line>(rows - shown.lines.length).fill([])
  const above = covered([...shown.lines, ...blank], completionRows(state, look))
  const below = [
    ...queueRows(state, layout.queue, look),
    ...(layout.stage > 0 ? [stageRow(state, { ...look, moreBelow: shown.below })] : []),
    ...(layout.rule > 0 ? [rule(width)] : []),
    ...promptRows(state, layout.prompt, words),
    ...(layout.footer > 0 ? [footerLine(state.status, width, look)] : []),
  ]
  const first = rows + layout.queue + layout.stage + layout.rule
  const { caret } = layout.prompt
  const cursor = open.cursor ?? { row: first + caret.row, column: caret.column + promptMark.length }
  return {
    rows: [...above, ...below].slice(0, state.rows),
    scrolls: { top: 0, bottom: height },
    ...open,
    cursor: { row: Math.min(cursor.row, state.rows - 1), column: Math.min(cursor.column, width - 1) },
  }
}

/** What stands over the rest: a dialog before a panel. */
function over(
  { dialog, panel, columns }: State,
  { popup }: Layout,
  { words, keymap }: ViewLook,
): Pick<Frame, 'popup' | 'cursor'> {
  const look = { columns, rows: popup, words, keymap }
  if (dialog) return dialogView(dialog, look)
  return panel ? panelView(panel, look) : {}
}

function completionRows({ completion, columns: width }: State, { words }: ViewLook): readonly Line[] {
  return completion ? completionLines(completion, { width, words }) : []
}

/** The last rows with others over them. */
function covered(rows: readonly Line[], cover: readonly Line[]): readonly Line[] {
  if (cover.length === 0 || rows.length === 0) return rows
  return [...rows.slice(0, Math.max(0, rows.length - cover.length)), ...cover].slice(-rows.length)
}

function promptRows({ editor, status, columns }: State, { rows }: EditorView, { prompt }: Words): Line[] {
  const placeholder = status.running ? prompt.placeholderRunning : prompt.placeholder
  const room = Math.max(0, columns - promptMark.length)
  return rows.map((row, index) => {
    const mark = index === 0 ? promptMark : ' '.repeat(promptMark.length)
    const text: Line = editor.text === '' ? [{ text: cut(placeholder, room), style: 'muted' }] : row
    return [{ text: mark, style: 'accent' }, ...text]
  })
}

interface StageLook extends ViewLook {
  /** The transcript goes on out of sight. */
  moreBelow: boolean
}

function stageRow(
  { hint, status, columns, dialog }: State,
  { words, keymap, now, moreBelow }: StageLook,
): Line {
  const stopKey = keyOf(keymap, 'stop')
  const line: Line =
    hint !== undefined
      ? [{ text: cut(hint, columns), style: 'warning' }]
      : status.running && !dialog
        ? stageLine(status.phase, columns, { words, now, stopKey })
        : []
  return moreBelow ? besides(line, `↓ ${words.footer.moreBelow(keyOf(keymap, 'bottom'))}`, columns) : line
}

function queueRows({ queue, columns }: State, most: number, { words, keymap }: ViewLook): Line[] {
  const rows = queue.slice(queue.length - most).map(({ content, kind }): Line => {
    const mark = kind === 'steer' ? words.queue.steering : words.queue.followUps(1)
    return [
      { text: cut(`${mark} ${content.replaceAll(/\s+/g, ' ')}`, columns, { mark: '…' }), style: 'muted' },
    ]
  })
  const last = rows.pop()
  return last ? [...rows, besides(last, words.queue.takeBack(keyOf(keymap, 'take_back')), columns)] : rows
}

/** Puts words at the right end of a line, if it leaves room for them. */
function besides(line: Line, words: string, width: number): Line {
  const gap = width - widthOf(line) - displayWidth(words)
  if (gap < 1) return line
  return [...line, { text: ' '.repeat(gap), style: 'plain' }, { text: words, style: 'accent' }]
}

const rule = (width: number): Line => [{ text: '─'.repeat(width), style: 'muted' }]
