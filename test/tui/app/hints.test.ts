import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { displayWidth } from '../../../src/text/width.ts'
import { hintLine } from '../../../src/tui/hints.ts'
import { createKeymap } from '../../../src/tui/keymap.ts'
import type { State } from '../../../src/tui/state.ts'
import { ZH } from '../../../src/words/zh.ts'
import { approvalOf, keymap, keys, lineText, stateOf, words } from './states.ts'

const hints = (state: State, width = 100) => lineText(hintLine(state, width, { words, keymap }))

describe('the row of keys', () => {
  it('fits the moment', () => {
    const typed = keys(stateOf(), 'fix').state
    assert.equal(
      hints(stateOf()),
      'Ctrl+P everything · / commands · @ files · ! shell · Shift+Tab mode · ? help',
    )
    assert.equal(hints(typed), 'Enter sends · Shift+Enter new line · Ctrl+G editor')
    assert.equal(hints({ ...stateOf(), outline: true }), 'Enter unfolds · c copies · Esc back')
    assert.equal(hints({ ...stateOf(), panel: { type: 'help', top: 0 } }), '')
    assert.equal(hints(stateOf({ dialog: approvalOf() })), '')
  })

  it('has what fits into the width, those that matter most first, in either language', () => {
    assert.equal(hints(stateOf(), 40), 'Ctrl+P everything · / commands · @ files')
    for (const catalogue of [words, ZH])
      for (let width = 0; width < 100; width++) {
        const line = lineText(hintLine(stateOf(), width, { words: catalogue, keymap }))
        assert.ok(displayWidth(line) <= width, `${width}: ${line}`)
      }
  })

  it('says the keys that a person has chosen, and none where there is none', () => {
    const own = createKeymap({ palette: 'ctrl+n', change_mode: 'none' }).keymap
    const line = lineText(hintLine(stateOf(), 100, { words, keymap: own }))
    assert.match(line, /^Ctrl\+N everything/)
    assert.doesNotMatch(line, /mode/)
  })
})
