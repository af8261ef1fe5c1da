import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { displayWidth } from '../../../src/text/width.ts'
import { withSent } from '../../../src/tui/conversation.ts'
import { layoutOf } from '../../../src/tui/layout.ts'
import { createPicker } from '../../../src/tui/list/picker.ts'
import { listPanel } from '../../../src/tui/panel/open.ts'
import type { Panel } from '../../../src/tui/panel/panel.ts'
import type { State, Waiting } from '../../../src/tui/state.ts'
import { Transcript } from '../../../src/tui/transcript/transcript.ts'
import { view } from '../../../src/tui/view.ts'
import type { Frame } from '../../../src/tui/window/window.ts'
import { ZH } from '../../../src/words/zh.ts'
import { approvalOf, commands, keymap, keys, later, lineText, running, stateOf, words } from './states.ts'

function transcriptOf(...texts: string[]): Transcript {
  const transcript = new Transcript()
  transcript.append(...texts.map(text => ({ type: 'user', text }) as const))
  return transcript
}

const frameOf = (state: State, transcript = new Transcript(), catalogue = words, more = {}): Frame =>
  view(state, transcript, {
    commands,
    words: catalogue,
    keymap,
    now: later,
    showTokens: true,
    keyHints: false,
    ...more,
  })

const rowsOf = (frame: Frame) => frame.rows.map(row => lineText(row).trimEnd())

const waiting: Waiting[] = [
  { id: '1', kind: 'steer', content: 'stop\nthat' },
  { id: '2', kind: 'follow_up', content: 'and then' },
]
const typed = (text: string, more: Partial<State> = {}) => keys(stateOf(more), text).state

describe('the screen', () => {
  it('at rest', () => {
    const state = stateOf({ columns: 60, rows: 8 })
    const frame = frameOf(state, transcriptOf('hello'))
    assert.deepEqual(rowsOf(frame), [
      '› hello',
      '',
      '',
      '',
      '',
      '─'.repeat(60),
      '› Say what you want done; @ names a file, / a command',
      'ask · ~/work',
    ])
    assert.deepEqual(frame.cursor, { row: 6, column: 2 })
    assert.deepEqual(frame.scrolls, { top: 0, bottom: 4 })
  })

  it('while it runs, with words that wait', () => {
    const state = { ...running(typed('ab\x1b\r日本', { columns: 64, rows: 14 })), queue: waiting }
    const frame = frameOf({ ...state, conversation: withSent(state.conversation, 'x') })
    assert.deepEqual(rowsOf(frame).slice(-8), [
      '',
      'Steps in: stop that',
      'Afterwards: and then              Alt+Up takes the last one back',
      '⠋ writing · 16 min 40 s · Esc stops',
      '─'.repeat(64),
      '› ab',
      '  日本',
      'ask · ~/work',
    ])
    assert.deepEqual(frame.cursor, { row: 12, column: 6 })
  })

  it('shows the newest of many words that wait', () => {
    const queue = Array.from(
      { length: 9 },
      (_, n): Waiting => ({ id: `${n}`, kind: 'steer', content: `${n}` }),
    )
    const rows = rowsOf(frameOf({ ...running(stateOf({ rows: 20 })), queue }))
    assert.deepEqual(
      rows.filter(row => row.startsWith('Steps in:')).map(row => row.slice(0, 11)),
      ['Steps in: 6', 'Steps in: 7', 'Steps in: 8'],
    )
  })

  it('says that there is more below, beside what happens or alone', () => {
    const transcript = transcriptOf(...Array.from({ length: 30 }, (_, n) => `line ${n}`))
    const state = stateOf({ columns: 80, rows: 12 })
    frameOf(state, transcript)
    transcript.scroll(-10)
    const note = '↓ more below · Ctrl+End goes to the end'
    assert.equal(rowsOf(frameOf(state, transcript)).at(-4)?.trim(), note)
    assert.match(
      rowsOf(frameOf(running(state), transcript)).at(-4) ?? '',
      /^⠋ writing · .* · Esc stops {5,}↓ more/,
    )
    // It matters more than the keys, of which those are left out that have no room beside it.
    const hinted = rowsOf(frameOf(state, transcript, words, { keyHints: true })).at(-4)
    assert.equal(hinted, `Ctrl+P everything · / commands${' '.repeat(11)}${note}`)
  })

  it('stays where it was scrolled to in another width, on a blank row too', () => {
    for (const rows of [-10, -11]) {
      const transcript = transcriptOf(...Array.from({ length: 30 }, (_, n) => `line ${n}`))
      frameOf(stateOf({ rows: 12 }), transcript)
      transcript.scroll(rows)
      const before = rowsOf(frameOf(stateOf({ rows: 12 }), transcript)).slice(0, 8)
      for (const columns of [70, 60, 80])
        assert.deepEqual(rowsOf(frameOf(stateOf({ rows: 12, columns }), transcript)).slice(0, 8), before)
    }
  })

  it('keeps a hint until the next key', () => {
    const state = { ...stateOf(), hint: 'Press Ctrl+C again to leave.' }
    assert.equal(rowsOf(frameOf(state)).at(-4), 'Press Ctrl+C again to leave.')
    assert.equal(keys(state, 'x').state.hint, undefined)
  })

  it('keeps what led to a question in sight above it', () => {
    const transcript = transcriptOf(...Array.from({ length: 30 }, (_, n) => `line ${n}`))
    const frame = frameOf(stateOf({ rows: 24, dialog: approvalOf() }), transcript)
    assert.ok(frame.popup)
    assert.equal(rowsOf(frame)[frame.popup.top - 1], '› line 29')
    assert.equal(frame.popup.top + frame.popup.height, 20)
  })

  it('does not move while a person is asked', () => {
    const asking = { ...running(stateOf()), dialog: approvalOf() }
    assert.equal(rowsOf(frameOf(asking)).at(-4), '')
  })

  it('has a prompt that grows to a third of the screen, with the caret in sight', () => {
    const text = Array.from({ length: 20 }, (_, n) => `row ${n}`).join('\x1b\r')
    const state = typed(text, { rows: 24 })
    const { prompt, transcript } = layoutOf(state, words)
    assert.equal(prompt.rows.length, 8)
    assert.equal(transcript, 24 - 8 - 3)
    const frame = frameOf(state)
    assert.equal(rowsOf(frame)[frame.cursor?.row ?? -1], '  row 19')
  })

  it('fits any size from 1×1 up, whatever is open, and the cursor stays on it', () => {
    const list: Panel = listPanel('model', {
      items: Array.from({ length: 30 }, (_, n) => ({ id: `m${n}`, label: `model ${n}`, detail: '日本語' })),
      current: 'm3',
      empty: 'none',
      words,
    })
    const panels: Panel[] = [
      list,
      { type: 'help', top: 0 },
      { type: 'find', query: '日本語の長い検索文字列' },
    ]
    const base = {
      ...running(typed('日本語 and more words that need rows\x1b\rsecond')),
      queue: waiting,
    }
    const states: State[] = [
      stateOf(),
      base,
      { ...base, hint: '提示'.repeat(40) },
      { ...base, dialog: approvalOf() },
      { ...base, dialog: { ...approvalOf(), stage: 'reason' } },
      ...panels.map(panel => ({ ...base, panel })),
      { ...base, panel: { type: 'history', picker: createPicker({ title: '历史', items: [] }) } },
    ]
    const transcript = transcriptOf(...Array.from({ length: 10 }, (_, n) => `日本 line ${n}`))
    for (const catalogue of [words, ZH])
      for (const state of states)
        for (const columns of [1, 2, 7, 12, 40, 131])
          for (const rows of [1, 2, 3, 4, 5, 7, 9, 12, 24]) {
            const place = `${columns}×${rows} ${state.panel?.type ?? state.dialog?.type ?? 'chat'}`
            const frame = frameOf({ ...state, columns, rows }, transcript, catalogue)
            assert.equal(frame.rows.length, rows, place)
            assert.ok(frame.cursor && frame.cursor.row < rows && frame.cursor.column < columns, place)
            assert.ok((frame.scrolls?.bottom ?? 0) <= rows, place)
            if (columns >= 8)
              for (const row of frame.rows)
                assert.ok(displayWidth(lineText(row)) <= columns, `${place}: ${lineText(row)}`)
            const { popup } = frame
            if (!popup || rows < 3 || columns < 8) continue
            assert.ok(
              popup.top >= 0 && popup.top + popup.height <= rows,
              `${place}: ${popup.top} ${popup.height}`,
            )
            assert.ok(popup.left >= 0 && popup.left + popup.width <= columns, place)
            for (const line of popup.lines)
              assert.ok(displayWidth(lineText(line)) <= popup.width - 2, `${place}: ${lineText(line)}`)
          }
  })
})
