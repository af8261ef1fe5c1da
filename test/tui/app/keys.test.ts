import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { promptCommand } from '../../../src/kit/commands/prompt-command.ts'
import { BUILT_IN } from '../../../src/kit/commands/table.ts'
import type { Effect } from '../../../src/tui/effect.ts'
import { namedKey, textKey } from '../../../src/tui/keys.ts'
import { ordersOf } from '../../../src/tui/orders.ts'
import { press } from '../../../src/tui/press.ts'
import type { State } from '../../../src/tui/state.ts'
import { asked, chatAt, keys, later, running, stateOf, words } from './states.ts'

const pressed = (state: State, bytes: string, now = later) => asked(keys(state, bytes, now))
const names = (effects: readonly Effect[]) => effects.map(({ type }) => type)
const typed = (text: string) => keys(stateOf(), text).state

const [esc, enter, altEnter, altUp, shiftTab] = ['\x1b', '\r', '\x1b\r', '\x1b[1;3A', '\x1b[Z']
const [ctrlC, ctrlD, ctrlJ, ctrlL, ctrlZ] = ['\x03', '\x04', '\n', '\x0c', '\x1a']
const [home, end, pageUp] = ['\x1b[H', '\x1b[F', '\x1b[5~']

describe('a line for the session', () => {
  const ordered = (text: string, isRunning = false) => ordersOf(text, BUILT_IN, { running: isRunning, words })
  const effects: [line: string, effect: Effect][] = [
    ['/model', { type: 'list', purpose: 'model' }],
    ['/model qwen3:8b', { type: 'model', name: 'qwen3:8b' }],
    ['/resume', { type: 'list', purpose: 'session' }],
    ['/resume abc', { type: 'session', id: 'abc' }],
    ['  /clear  ', { type: 'new session' }],
    ['/compact', { type: 'compact', hint: '' }],
    ['/compact the names\nof files', { type: 'compact', hint: 'the names\nof files' }],
    ['/mode', { type: 'list', purpose: 'mode' }],
    ['/mode plan', { type: 'set_mode', mode: 'plan' }],
    ['/mode yolo', { type: 'set_mode', mode: 'yolo' }],
    ['/later go on\nthen', { type: 'prompt', text: 'go on\nthen' }],
    ['/copy', { type: 'copy' }],
    ['/mouse', { type: 'switch_mouse' }],
    ['/theme', { type: 'list', purpose: 'theme' }],
    ['/theme light', { type: 'use_theme', name: 'light' }],
    ['/quit', { type: 'leave' }],
  ]
  for (const [line, effect] of effects) {
    it(`${JSON.stringify(line)} asks for ${effect.type}`, () => {
      assert.deepEqual(ordered(line), { effects: [effect] })
    })
  }

  it('that is no command is words for the model', () => {
    const lines = [
      ...['hello', '/etc/hosts', '/etc/hosts is empty', '/', '//', '/ model', 'see /model', '/Model'],
      ...['/tmp what is in it', '/home/me', '/model/x', '/12'],
    ]
    for (const line of lines) assert.equal(ordered(line), undefined, line)
  })

  it('that looks like a command says what is wrong, and nothing is sent', () => {
    const hints: [line: string, hint: string][] = [
      ['/modle', 'There is no command /modle; did you mean /model?'],
      ['/usr', 'There is no command /usr; /help lists them.'],
      ['/mode loud', 'Expected a mode (ask, auto-edit, plan, yolo); came loud.'],
      ['/later', '/later expects the words that are to wait.'],
      ['/stop', 'Nothing is running.'],
    ]
    for (const [line, hint] of hints) assert.deepEqual(ordered(line), { effects: [], hint }, line)
  })

  it('may have to wait until nothing runs', () => {
    for (const name of ['model', 'model x', 'resume', 'clear', 'compact'])
      assert.match(ordered(`/${name}`, true)?.hint ?? '', /works when nothing runs/)
    assert.deepEqual(ordered('/later x', true), { effects: [{ type: 'follow_up', text: 'x' }] })
    assert.deepEqual(ordered('/stop', true), { effects: [{ type: 'abort' }] })
    assert.deepEqual(ordered('/mode plan', true), { effects: [{ type: 'set_mode', mode: 'plan' }] })
    assert.deepEqual(ordered('/help', true), { effects: [], help: true })
  })

  it('may be a command from elsewhere, and takes nothing from the keys', () => {
    const model = promptCommand({ name: 'model', description: 'tells of a model', text: 'About $ARGUMENTS?' })
    const chat = { ...chatAt(later), commands: [model] }
    const sent = press(typed('/model x'), [namedKey('enter')], chat)
    assert.deepEqual(asked(sent)[0], { type: 'prompt', text: '/model x' })
    assert.deepEqual(asked(sent)[1], { type: 'remember', text: '/model x' })
    const key = press(stateOf(), [textKey('p', { alt: true })], chat)
    assert.deepEqual(asked(key), [{ type: 'list', purpose: 'model' }])
  })

  it('modes are stepped through, but not into yolo', () => {
    const rows = { ask: 'auto-edit', 'auto-edit': 'plan', plan: 'ask', yolo: 'ask' } as const
    for (const [mode, next] of Object.entries(rows)) {
      const status = { ...stateOf().status, mode: mode as keyof typeof rows }
      assert.deepEqual(pressed(stateOf({ status }), shiftTab), [{ type: 'set_mode', mode: next }])
    }
  })
})

describe('Enter', () => {
  it('sends, keeps it for the history, and goes to the end', () => {
    const step = keys(typed('hello'), enter)
    assert.deepEqual(asked(step), [
      { type: 'prompt', text: 'hello' },
      { type: 'remember', text: 'hello' },
      { type: 'scroll', to: 'end' },
    ])
    assert.equal(step.state.editor.text, '')
    assert.deepEqual(step.state.editor.history, ['hello'])
  })

  it('steps in while it runs', () => {
    assert.deepEqual(pressed(running(typed('no')), enter)[0], { type: 'steer', text: 'no' })
  })

  it('does nothing with nothing, and keeps a command that cannot be done', () => {
    for (const text of ['', '  ', ctrlJ]) assert.deepEqual(pressed(typed(text), enter), [])
    const { state } = keys(typed('/modle'), enter)
    assert.equal(state.editor.text, '/modle')
    assert.match(state.hint ?? '', /no command/)
  })

  it('begins a new line after a backslash', () => {
    const { state } = keys(typed('one\\'), `${enter}two`)
    assert.equal(state.editor.text, 'one\ntwo')
  })

  it('with Alt waits for the end of the run, or begins a new line', () => {
    assert.equal(keys(typed('a'), `${altEnter}b`).state.editor.text, 'a\nb')
    assert.deepEqual(pressed(running(typed('a')), altEnter), [
      { type: 'follow_up', text: 'a' },
      { type: 'remember', text: 'a' },
    ])
    assert.deepEqual(pressed(running(stateOf()), altEnter), [])
  })

  it('sends a paste whole', () => {
    const text = Array.from({ length: 30 }, (_, n) => `line ${n}`).join('\n')
    const { state } = keys(stateOf(), `\x1b[200~${text}\x1b[201~`)
    assert.notEqual(state.editor.text, text)
    assert.deepEqual(pressed(state, enter)[0], { type: 'prompt', text })
  })

  it('twice in one read sends once', () => {
    assert.deepEqual(names(pressed(typed('a'), enter + enter)), ['prompt', 'remember', 'scroll'])
  })
})

describe('a key', () => {
  it('sends a command that runs to the background, and moves the caret where none does', () => {
    const state = typed('ab')
    const ctrlB = '\x02'
    assert.deepEqual(keys(state, ctrlB).state.editor.caret, 1)
    const tool = { name: 'bash', arguments: { command: 'npm test' }, output: '' }
    const cell = { type: 'running', tool, since: 0 } as const
    const conversation = { ...state.conversation, tools: [{ id: 'c', cell }] }
    const sent = { ...running(state), conversation }
    assert.deepEqual(names(pressed(sent, ctrlB)), ['to_background'])
  })

  const rows: [name: string, state: State, bytes: string, effects: string[]][] = [
    ['Esc stops a run', running(stateOf()), esc, ['stop']],
    ['Esc stops a run whatever is typed', running(typed('x')), esc, ['stop']],
    ['Esc at rest does nothing', stateOf(), esc, []],
    ['Ctrl+C stops a run', running(stateOf()), ctrlC, ['abort']],
    ['Ctrl+C clears what is typed first', running(typed('x')), ctrlC, []],
    ['Ctrl+C twice leaves', stateOf(), ctrlC + ctrlC, ['leave']],
    ['Ctrl+C twice leaves a run too', running(stateOf()), ctrlC + ctrlC, ['abort', 'leave']],
    ['Ctrl+C on words, then again, does not leave yet', typed('x'), ctrlC + ctrlC, []],
    ['Ctrl+C three times leaves whatever is typed', typed('x'), ctrlC + ctrlC + ctrlC, ['leave']],
    ['Ctrl+D on nothing leaves', stateOf(), ctrlD, ['leave']],
    ['Ctrl+D on words deletes', typed('x'), ctrlD, []],
    ['Ctrl+Z suspends', typed('x'), ctrlZ, ['suspend']],
    ['Ctrl+L redraws and goes to the end', stateOf(), ctrlL, ['redraw', 'scroll']],
    ['Alt+Up takes back', running(typed('x')), altUp, ['take_back']],
    ['Shift+Tab changes the mode', running(stateOf()), shiftTab, ['set_mode']],
    ['Home on nothing scrolls', stateOf(), home, ['scroll']],
    ['End on nothing scrolls', stateOf(), end, ['scroll']],
    ['Home in words moves there', typed('x'), home, []],
    ['PgUp scrolls', typed('x'), pageUp, ['scroll']],
    ['Alt+P lists the models', typed('x'), '\x1bp', ['list']],
    ['Alt+P does not while it runs', running(stateOf()), '\x1bp', []],
    ['Ctrl+G opens the editor', typed('x'), '\x07', ['edit_outside']],
    ['Ctrl+P lists all there is', typed('x'), '\x10', ['palette']],
    ['F7 is nothing', typed('x'), '\x1b[18~', []],
  ]
  for (const [name, state, bytes, effects] of rows) {
    it(name, () => {
      assert.deepEqual(names(pressed(state, bytes)), effects)
    })
  }

  it('Ctrl+C says how to leave, and forgets after a second', () => {
    const first = keys(stateOf(), ctrlC, 5000)
    assert.equal(first.state.hint, 'Press Ctrl+C again to leave.')
    assert.deepEqual(names(pressed(first.state, ctrlC, 5999)), ['leave'])
    assert.deepEqual(names(pressed(first.state, ctrlC, 6000)), [])
  })

  it('Ctrl+C clears, and Up brings back what it cleared', () => {
    const { state } = keys(typed('precious'), ctrlC)
    assert.equal(state.editor.text, '')
    assert.equal(keys(state, '\x1b[A').state.editor.text, 'precious')
  })

  it('? asks for help where nothing is typed', () => {
    assert.equal(keys(stateOf(), '?').state.panel?.type, 'help')
    assert.equal(keys(typed('why'), '?').state.editor.text, 'why?')
  })

  it('Ctrl+O unfolds and folds', () => {
    const { state } = keys(stateOf(), '\x0f')
    assert.deepEqual([state.unfolded, keys(state, '\x0f').state.unfolded], [true, false])
  })

  it('keeps the draft when a run ends or begins', () => {
    const state = typed('half a sen')
    assert.equal(keys(running(state), 'tence').state.editor.text, 'half a sentence')
  })

  it('the wheel scrolls, also while something is typed', () => {
    assert.deepEqual(pressed(typed('x'), '\x1b[<64;3;4M'), [{ type: 'scroll', to: { rows: -3 } }])
  })

  it('focus is known', () => {
    assert.equal(keys(stateOf(), '\x1b[O').state.focused, false)
  })
})
