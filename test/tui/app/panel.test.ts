import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Purpose } from '../../../src/kit/commands/command.ts'
import { modeItems } from '../../../src/tui/list/items.ts'
import { listPanel, relist } from '../../../src/tui/panel/open.ts'
import type { Panel } from '../../../src/tui/panel/panel.ts'
import { panelView } from '../../../src/tui/panel/view.ts'
import type { State } from '../../../src/tui/state.ts'
import { asked, commands, keymap, keys, lineText, running, stateOf, words } from './states.ts'

const [esc, enter, up, down, pageDown] = ['\x1b', '\r', '\x1b[A', '\x1b[B', '\x1b[6~']
const [ctrlC, ctrlF, ctrlR, ctrlU, backspace] = ['\x03', '\x06', '\x12', '\x15', '\x7f']

const items = ['qwen3:8b', 'llama3', 'qwen2.5-coder'].map(id => ({ id, label: id, detail: '' }))
const listOf = (purpose: Purpose, more: object = {}): Panel =>
  listPanel(purpose, { items, empty: 'none here', words, ...more })
const withPanel = (panel: Panel, more: Partial<State> = {}) => ({ ...stateOf(more), panel })

function shown({ panel, columns }: State, rows = 20) {
  assert.ok(panel)
  const { popup, cursor } = panelView(panel, { columns, rows, commands, words, keymap })
  return { popup, cursor, lines: (popup?.lines ?? []).map(line => lineText(line).trimEnd()) }
}

describe('a list', () => {
  const rows: [purpose: Purpose, bytes: string, effect: object | undefined, isOpen: boolean][] = [
    ['model', enter, { type: 'model', name: 'qwen3:8b' }, false],
    ['model', `${down}${enter}`, { type: 'model', name: 'llama3' }, false],
    ['model', `coder${enter}`, { type: 'model', name: 'qwen2.5-coder' }, false],
    ['model', `coder${ctrlU}${enter}`, { type: 'model', name: 'qwen3:8b' }, false],
    ['model', `llx${backspace}${enter}`, { type: 'model', name: 'llama3' }, false],
    ['session', enter, { type: 'session', id: 'qwen3:8b' }, false],
    ['theme', enter, { type: 'use_theme', name: 'qwen3:8b' }, false],
    ['model', `zzz${enter}`, undefined, true],
    ['model', esc, { type: 'unlist', purpose: 'model' }, false],
    ['session', ctrlC, { type: 'unlist', purpose: 'session' }, false],
    ['model', 'ql', undefined, true],
  ]
  for (const [purpose, bytes, effect, isOpen] of rows) {
    it(`of ${purpose}s: ${JSON.stringify(bytes)}`, () => {
      const step = keys(withPanel(listOf(purpose)), bytes)
      assert.deepEqual(asked(step), effect ? [effect] : [])
      assert.equal(step.state.panel !== undefined, isOpen)
      assert.equal(step.state.editor.text, '')
    })
  }

  it('of modes chooses one', () => {
    const state = withPanel(listOf('mode', { items: modeItems(words), current: 'ask' }))
    assert.match(shown(state).lines.join('\n'), /ask +reads freely/)
    assert.deepEqual(asked(keys(state, `plan${enter}`)), [{ type: 'set_mode', mode: 'plan' }])
  })

  it('says why it is empty, and is filled when the items have come', () => {
    const state = withPanel(listOf('model', { items: [], empty: 'loading …' }))
    assert.match(shown(state).lines.join('\n'), /loading …/)
    const filled = relist(state, 'model', { items, empty: 'none' })
    assert.match(shown(filled).lines.join('\n'), /llama3/)
    assert.equal(relist(state, 'session', { items, empty: 'none' }), state)
    const closed = keys(state, esc).state
    assert.equal(relist(closed, 'model', { items, empty: 'none' }), closed)
  })

  it('stands just above the prompt, with the cursor where is typed', () => {
    const { popup, cursor } = shown(keys(withPanel(listOf('model')), 'q3').state)
    assert.ok(popup)
    assert.equal(popup.top + popup.height, 20)
    assert.deepEqual(cursor, { row: popup.top + 1, column: popup.left + 2 + '› q3'.length })
  })
})

describe('the help', () => {
  it('is scrolled to its end and no further, by lines and pages, and closed by what one would try', () => {
    const first = shown(withPanel({ type: 'help', top: 0 })).lines
    const bottom = keys(withPanel({ type: 'help', top: 0 }), down.repeat(500)).state
    assert.deepEqual(keys(bottom, down).state.panel, bottom.panel)
    assert.deepEqual(keys(withPanel({ type: 'help', top: 0 }), pageDown.repeat(60)).state.panel, bottom.panel)
    assert.notDeepEqual(shown(bottom).lines, first)
    assert.match(shown(bottom).lines.join('\n'), /A page down/)
    assert.deepEqual(shown(keys(bottom, up.repeat(500)).state).lines, first)
    assert.deepEqual(shown(keys(bottom, '\x1b[H').state).lines, first)
    assert.deepEqual(keys(withPanel({ type: 'help', top: 0 }), '\x1b[F').state.panel, bottom.panel)
    for (const key of [esc, 'q', '?', ctrlC]) assert.equal(keys(bottom, key).state.panel, undefined, key)
    assert.equal(keys(bottom, 'x').state.editor.text, 'x')
  })

  it('what is typed past it goes into the prompt, q only closes it', () => {
    const typed = keys(withPanel({ type: 'help', top: 0 }), 'say').state
    assert.deepEqual([typed.panel, typed.editor.text], [undefined, 'say'])
    const left = keys(withPanel({ type: 'help', top: 0 }), 'q').state
    assert.deepEqual([left.panel, left.editor.text], [undefined, ''])
  })

  it('tells what may come after a command from what must', () => {
    const rows = shown(withPanel({ type: 'help', top: 9 })).lines.join('\n')
    assert.match(rows, /\/rewind \[HOW MANY\] /)
    assert.match(shown(withPanel({ type: 'help', top: 25 })).lines.join('\n'), /\/btw QUESTION /)
  })

  it('opens while it runs, too', () => {
    assert.equal(keys(running(stateOf()), `/help${enter}`).state.panel?.type, 'help')
  })
})

describe('a search in the conversation', () => {
  it('looks with every character, and for older ones with Enter', () => {
    const open = keys(stateOf(), ctrlF).state
    const step = keys(open, `日a${backspace}${enter}${ctrlF}${up}\n`)
    assert.deepEqual(asked(step), [
      { type: 'find', query: '日' },
      { type: 'find', query: '日a' },
      { type: 'find', query: '日' },
      { type: 'find', query: '日', next: 'older' },
      { type: 'find', query: '日', next: 'older' },
      { type: 'find', query: '日', next: 'older' },
      { type: 'find', query: '日', next: 'newer' },
    ])
    assert.equal(step.state.panel?.type, 'find')
  })

  it('that is closed leaves no marks behind', () => {
    const step = keys(keys(keys(stateOf(), ctrlF).state, 'x').state, esc)
    assert.equal(step.state.panel, undefined)
    assert.deepEqual(asked(step), [{ type: 'find', query: '' }])
  })

  it('says that nothing was found', () => {
    const lines = shown(withPanel({ type: 'find', query: 'x', found: 'nothing' })).lines.join('\n')
    assert.ok(lines.includes(words.search.notFound))
  })
})

describe('a search in the history', () => {
  const state = () => {
    const { editor, ...rest } = keys(stateOf(), 'draft').state
    return { ...rest, editor: { ...editor, history: ['fix the test', 'write a test', 'explain'] } }
  }
  const editorAfter = (bytes: string) => {
    const { state: next } = keys(state(), ctrlR + bytes)
    return `${next.editor.text}${next.panel ? ' (open)' : ''}`
  }
  const rows: [bytes: string, text: string][] = [
    ['', 'draft (open)'],
    [enter, 'explain'],
    [`test${enter}`, 'write a test'],
    [`test${ctrlR}${enter}`, 'fix the test'],
    [`test${ctrlR}${up}${enter}`, 'write a test'],
    [`fxtst${enter}`, 'fix the test'],
    [`testz${enter}`, 'draft (open)'],
    [`testz${backspace}${enter}`, 'write a test'],
    [`test${esc}`, 'draft'],
    [`test${ctrlC}`, 'draft'],
  ]
  for (const [bytes, text] of rows)
    it(`after ${JSON.stringify(bytes)} has ${text}`, () => assert.equal(editorAfter(bytes), text))
})
