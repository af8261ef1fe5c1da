/** The screen as a value: the transcript above, the prompt and what belongs to it below, whatever is open over them. */
import type { Command } from '../kit/commands/command.ts'
import { cut, displayWidth } from '../text/width.ts'
import type { Words } from '../words/words.ts'
import { ownerOf } from './asked.ts'
import { completionLines } from './complete/lines.ts'
import { isOwnAlone, longestRunning, tasksIn } from './conversation.ts'
import { dialogView } from './dialog/lines.ts'
import type { EditorView } from './editor/rows.ts'
import { footerLine } from './footer.ts'
import { hintLine } from './hints.ts'
import { type Keymap, keyOf } from './keymap.ts'
import { type Layout, layoutOf } from './layout.ts'
import type { Line } from './line.ts'
import type { Markdown } from './markdown/markdown.ts'
import { panelView } from './panel/view.ts'
import { isPoint, markSelection } from './selection.ts'
import { sideLines } from './side/lines.ts'
import { type Side, sideWidth } from './side/side.ts'
import { widthOf } from './spans.ts'
import { stageLine, workLine } from './stage-line.ts'
import { isBusy, promptMark, type State } from './state.ts'
import type { Transcript } from './transcript/transcript.ts'
import type { Frame } from './window/window.ts'

export interface ViewLook {
  commands: readonly Command[]
  words: Words
  keymap: Keymap
  /** performance.now(), ms. */
  now: number
  showTokens: boolean
  /** The keys that fit the moment are shown. */
  keyHints: boolean
}

export function view(state: State, transcript: Transcript, look: ViewLook): Frame {
  const { words, now } = look
  const { columns: width, unfolded } = state
  const layout = layoutOf(state, words)
  const rows = layout.transcript
  const open = over(state, layout, { ...look, markdown: transcript.markdown })
  const owner = ownerOf(state, now)
  // What led to a question stays in sight above it.
  const height = Math.min(rows, open.popup?.top ?? rows)
  const transcriptLook = {
    unfolded,
    words,
    now,
    unfoldKey: keyOf(look.keymap, 'unfold'),
    showTokens: look.showTokens,
  }
  const besides = sideWidth(state)
  const shown = transcript.view({ width: width - besides, height, look: transcriptLook })
  const blank = new Array<Line>(rows - shown.lines.length).fill([])
  const above = covered([...shown.lines, ...blank], completionRows(state, width - besides, look))
  const below = [
    ...queueRows(state, layout.queue, look),
    ...(layout.stage > 0 ? [stageRow(state, { ...look, moreBelow: shown.below })] : []),
    ...(layout.rule > 0 ? [ruleRow(width, layout.prompt, words)] : []),
    ...promptRows(state, layout.prompt, words).map(row => (owner ? dimmed(row) : row)),
    ...(layout.footer > 0 ? [footerLine(state.status, width, look)] : []),
  ]
  const all = [...above, ...below].slice(0, state.rows)
  const first = rows + layout.queue + layout.stage + layout.rule
  const { caret } = layout.prompt
  const inPrompt = { row: first + caret.row, column: caret.column + promptMark.length }
  const cursor = open.cursor ?? (owner ? undefined : inPrompt)
  return {
    ...(besides > 0 && { aside: { column: width - besides, lines: asideLines(state, rows, look) } }),
    rows: state.selection && !isPoint(state.selection) ? markSelection(all, state.selection) : all,
    scrolls: { top: 0, bottom: height },
    ...open,
    ...(cursor && {
      cursor: { row: Math.min(cursor.row, state.rows - 1), column: Math.min(cursor.column, width - 1) },
    }),
  }
}

const EDGE: Line = [{ text: ' │ ', style: 'muted' }]

/** The side column as it was drawn last: the same lines while nothing in it changes. */
const drawn = new WeakMap<Side, { like: string; lines: readonly Line[] }>()

function asideLines(state: State, height: number, { words, keymap }: ViewLook): readonly Line[] {
  const { side, status, conversation } = state
  if (!side) return []
  const { model, dialect, limit, usage, phase } = status
  const tasks = tasksIn(conversation, words)
  const changesKey = keyOf(keymap, 'changes')
  const width = sideWidth(state) - widthOf(EDGE)
  const asks = state.dialog !== undefined
  const told = [words.side.context, asks, model, dialect, limit, usage?.context_tokens, phase.name]
  const like = JSON.stringify([width, height, changesKey, tasks, told])
  const before = drawn.get(side)
  if (before?.like === like) return before.lines
  const lines = sideLines(side, { width, height, words, status, asks, tasks, changesKey })
  const edged = Array.from({ length: height }, (_, row) => {
    const line = lines[row]
    return line && line.length > 0 ? [...EDGE, ...line] : EDGE
  })
  drawn.set(side, { like, lines: edged })
  return edged
}

/** Who types now types elsewhere. */
const dimmed = (line: Line): Line => line.map(({ text }) => ({ text, style: 'muted' }))

/** What covers the rest: a dialog before a panel. */
function over(
  state: State,
  { popup }: Layout,
  { commands, words, keymap, now, markdown }: ViewLook & { markdown: Markdown | undefined },
): Pick<Frame, 'popup' | 'cursor'> {
  const { dialog, panel, columns } = state
  const look = { columns, besides: sideWidth(state), rows: popup, commands, words, keymap }
  if (dialog) return dialogView(dialog, { ...look, markdown, isAwake: ownerOf(state, now) !== undefined })
  return panel ? panelView(panel, { ...look, markdown }) : {}
}

function completionRows({ completion }: State, width: number, { words }: ViewLook): readonly Line[] {
  return completion ? completionLines(completion, { width, words }) : []
}

/** The last rows with others over them. */
function covered(rows: readonly Line[], cover: readonly Line[]): readonly Line[] {
  if (cover.length === 0 || rows.length === 0) return rows
  return [...rows.slice(0, Math.max(0, rows.length - cover.length)), ...cover].slice(-rows.length)
}

function promptRows(
  { editor, status, dialog, columns, conversation }: State,
  { rows }: EditorView,
  { prompt }: Words,
): Line[] {
  const placeholder = dialog
    ? prompt.placeholderAsked
    : !status.running
      ? prompt.placeholder
      : isOwnAlone(conversation)
        ? prompt.placeholderCommand
        : prompt.placeholderRunning
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

function stageRow(state: State, { words, keymap, now, moreBelow, keyHints }: StageLook): Line {
  const { hint, status, columns, dialog, conversation, works } = state
  const work = works.at(-1)
  const stage = {
    ...{ words, now, stopKey: keyOf(keymap, 'stop'), moreTimeKey: keyOf(keymap, 'more_time') },
    backgroundKey: keyOf(keymap, 'to_background'),
    enoughKey: keyOf(keymap, 'enough'),
    ...{ callsComeWhole: status.dialect === 'native', call: longestRunning(conversation) },
  }
  const more = moreBelow ? `↓ ${words.footer.moreBelow(keyOf(keymap, 'bottom'))}` : ''
  const free = more === '' ? columns : Math.max(0, columns - displayWidth(more) - 2)
  // What goes on is said at any rate.
  const room = Math.max(Math.ceil(columns / 2), free)
  const line: Line =
    hint !== undefined
      ? [{ text: cut(hint, columns), style: 'warning' }]
      : status.running && !dialog
        ? stageLine(status.phase, room, stage)
        : work && !dialog
          ? workLine(work, room, stage)
          : isBusy(state) || !keyHints
            ? []
            : hintLine(state, free, { words, keymap })
  return more === '' ? line : besides(line, more, columns)
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

/** Above the prompt; it says how much of a long one is out of sight. */
function ruleRow(width: number, { above, below }: EditorView, { prompt }: Words): Line {
  const hidden = [above > 0 ? prompt.above(above) : '', below > 0 ? prompt.below(below) : '']
  const told = hidden.filter(words => words !== '').join(' · ')
  const rest = width - displayWidth(told) - 4
  if (told === '' || rest < 0) return [{ text: '─'.repeat(width), style: 'muted' }]
  return [
    { text: '── ', style: 'muted' },
    { text: told, style: 'accent' },
    { text: ` ${'─'.repeat(rest)}`, style: 'muted' },
  ]
}
