import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { BUILT_IN } from '../../src/kit/commands/table.ts'
import type { Chat } from '../../src/tui/chat-keys.ts'
import type { Completion, CompletionItem, CompletionKind } from '../../src/tui/complete/completion.ts'
import { completionAt } from '../../src/tui/complete/completion.ts'
import { createEditor, edit, textOf } from '../../src/tui/editor/editor.ts'
import { createKeymap } from '../../src/tui/keymap.ts'
import { type Key, namedKey, textKey } from '../../src/tui/keys.ts'
import { press } from '../../src/tui/press.ts'
import { type State, startState } from '../../src/tui/state.ts'
import { EN } from '../../src/words/en.ts'

const chat: Chat = { commands: BUILT_IN, words: EN, keymap: createKeymap().keymap, now: 0 }
const item = (value: string, goesOn = false): CompletionItem => ({ value, places: [], goesOn })

/** A state in which `text` was typed, and these items are offered for its end. */
function offering(text: string, kind: CompletionKind, items: readonly CompletionItem[]): State {
  const editor = edit(createEditor(), { type: 'insert', text }, { columns: 80, label: () => '' })
  const completable = completionAt(text, text.length, { asked: kind === 'path' })
  assert.equal(completable?.kind, kind)
  const completion = { ...(completable as Completion), items, at: 0 }
  return { ...startState({ columns: 80, rows: 24, directory: '~' }), editor, completion }
}

function after(state: State, ...keys: Key[]) {
  const step = press(state, keys, chat)
  return {
    text: textOf(step.state.editor),
    at: step.state.completion?.at,
    isOpen: step.state.completion !== undefined,
    effects: step.effects.map(({ type }) => type),
    panel: step.state.panel?.type,
  }
}

const enter = namedKey('enter')
const tab = namedKey('tab')
const esc = namedKey('escape')
const [up, down] = [namedKey('up'), namedKey('down')]

describe('while something is offered', () => {
  const files = [item('src/main.ts'), item('src/mall.ts')]

  it('arrows choose, and Tab and Enter take', () => {
    const state = offering('see @ma', 'file', files)
    assert.equal(after(state, down).at, 1)
    assert.equal(after(state, up).at, 1)
    assert.equal(after(state, down).text, 'see @ma')
    for (const key of [tab, enter]) {
      const taken = after(state, down, key)
      assert.equal(taken.text, 'see @src/mall.ts ')
      assert.equal(taken.isOpen, false)
      assert.ok(!taken.effects.includes('prompt'))
      assert.ok(taken.effects.includes('draft'))
    }
  })

  it('Enter sends what is whole already', () => {
    const { effects, text, isOpen } = after(offering('see @src/main.ts', 'file', files), enter)
    assert.ok(effects.includes('prompt'))
    assert.deepEqual([text, isOpen], ['', false])
  })

  it('Enter does a command that expects nothing more, and waits behind one that does', () => {
    const help = after(offering('/he', 'command', [item('help')]), enter)
    assert.deepEqual([help.panel, help.text, help.isOpen], ['help', '', false])
    const later = after(offering('/la', 'command', [item('later', true)]), enter)
    assert.deepEqual([later.text, later.isOpen], ['/later ', false])
    const argument = {
      kind: 'argument',
      query: 'ye',
      start: 7,
      end: 9,
      items: [item('dark')],
      at: 0,
    } as const
    const chosen = after({ ...offering('/theme ye', 'path', []), completion: argument }, enter)
    assert.ok(chosen.effects.includes('use_theme'))
    const tabbed = after(offering('/he', 'command', [item('help')]), tab)
    assert.deepEqual([tabbed.text, tabbed.panel], ['/help ', undefined])
  })

  it('a directory is gone on with behind its slash', () => {
    assert.equal(after(offering('cat sr', 'path', [item('src/', true)]), tab).text, 'cat src/')
  })

  it('Esc closes it and stops nothing', () => {
    const state = offering('see @ma', 'file', files)
    const running = { ...state, status: { ...state.status, running: true } }
    const { isOpen, effects, text } = after(running, esc)
    assert.deepEqual([isOpen, effects, text], [false, [], 'see @ma'])
  })

  it('typing goes on, and what is offered is looked up anew', () => {
    const { text, effects } = after(offering('see @ma', 'file', files), textKey('i'))
    assert.equal(text, 'see @mai')
    assert.ok(effects.includes('complete'))
    assert.equal(after(offering('@m', 'file', files), namedKey('backspace')).text, '@')
  })

  it('every other key is what it always is, with nothing in its way', () => {
    const paged = after(offering('see @ma', 'file', files), namedKey('pageup'))
    assert.deepEqual([paged.isOpen, paged.effects], [false, ['scroll']])
    const searched = after(offering('see @ma', 'file', files), textKey('r', { ctrl: true }))
    assert.deepEqual([searched.isOpen, searched.panel], [false, 'history'])
  })

  it('with nothing to choose from the arrows are the prompt’s', () => {
    const state = offering('one\n@x', 'file', [])
    const waiting = { ...state, completion: { ...(state.completion as Completion), reading: 7 } }
    assert.equal(press(waiting, [up], chat).state.editor.caret, 2)
  })
})
