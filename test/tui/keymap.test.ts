import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { EDITOR_COMMANDS } from '../../src/tui/editor/commands.ts'
import { InputDecoder } from '../../src/tui/input.ts'
import { actionOf, createKeymap, keyList, keyOf, type Place } from '../../src/tui/keymap.ts'

/** What the bytes of a terminal mean. */
function meaning(bytes: string, place: Place = 'chat', own: Record<string, string> = {}): string | undefined {
  const decoder = new InputDecoder()
  const [input] = [...decoder.push(Buffer.from(bytes)), ...decoder.finish()]
  return input?.type === 'key' ? actionOf(createKeymap(own).keymap, input, { place }) : undefined
}

/** Every action without a key, except for help. */
function helpBy(written: string) {
  const none = keyList(createKeymap().keymap).map(({ action }) => [action, 'none'])
  return createKeymap({ ...Object.fromEntries(none), help: written })
}

describe('the keymap', () => {
  const pressed: [bytes: string, action: string | undefined, place?: Place][] = [
    ['\r', 'send'],
    ['\x1b[13;2u', 'newline'],
    ['\x1b[27;2;13~', 'newline'],
    ['\n', 'newline'],
    ['\x1b\r', 'follow_up'],
    ['\x1b', 'stop'],
    ['\x1b[27u', 'stop'],
    ['\x03', 'interrupt'],
    ['\x1b[99;5u', 'interrupt'],
    ['\x1b[Z', 'change_mode'],
    ['\x1b[1;3A', 'take_back'],
    ['\x1b\x1b[A', 'take_back'],
    ['\x1f', 'undo'],
    ['\x1b[45;6u', 'undo'],
    ['\x1b[27;6;95~', 'undo'],
    ['\x1b\x7f', 'kill_word_left'],
    ['\x1b[5~', 'page_up'],
    ['?', 'help'],
    ['a', undefined],
    ['好', undefined],
    ['ab', undefined],
    ['\x10', 'palette'],
    ['y', 'allow_once', 'approval'],
    ['\x1b', 'deny_all', 'approval'],
    ['\r', undefined, 'approval'],
    ['yy', undefined, 'approval'],
    ['\x10', 'list_up', 'list'],
    ['\r', 'list_choose', 'list'],
  ]
  for (const [bytes, action, place] of pressed) {
    it(`takes ${JSON.stringify(bytes)} for ${action ?? 'nothing'} (${place ?? 'chat'})`, () => {
      assert.equal(meaning(bytes, place), action)
    })
  }

  it('gives no key to two actions by default, and every action one', () => {
    const { keymap, problems } = createKeymap()
    assert.deepEqual(problems, [])
    for (const { action, keys } of keyList(keymap)) assert.ok(keys.length > 0, action)
    const given = Object.values(keymap.keys).flat()
    for (const key of given) assert.equal(helpBy(key).keymap.keys.help[0], key)
    const meant = Object.values(keymap.meanings).reduce((sum, map) => sum + map.size, 0)
    assert.equal(meant, given.length)
  })

  it('has a command for whatever the editor does', () => {
    const names = keyList(createKeymap().keymap).flatMap(({ group, action }) =>
      group === 'editor' ? [action] : [],
    )
    assert.deepEqual(Object.keys(EDITOR_COMMANDS), ['newline', ...names])
  })

  it('takes the keys that a person gives', () => {
    const own = { send: 'ctrl+s', newline: 'Enter  ctrl+j', search: 'none', search_history: 'ctrl+f' }
    const { keymap, problems } = createKeymap(own)
    assert.deepEqual(problems, [])
    assert.equal(meaning('\x13', 'chat', own), 'send')
    assert.equal(meaning('\r', 'chat', own), 'newline')
    assert.equal(meaning('\x06', 'chat', own), 'search_history')
    assert.equal(meaning('\r', 'list', own), 'list_choose', 'elsewhere nothing changes')
    assert.deepEqual(keymap.keys.newline, ['enter', 'ctrl+j'])
    assert.deepEqual(keymap.keys.search, [])
  })

  it('takes a key from its default, which keeps its others', () => {
    const { keymap, problems } = createKeymap({ redraw: 'ctrl+a' })
    assert.deepEqual(problems, [])
    assert.deepEqual(keymap.keys.line_start, ['home'])
  })

  const wrong: [own: Record<string, string>, problem: RegExp][] = [
    [{ sned: 'ctrl+s' }, /expected the name of an action; came "sned"; did you mean send\?$/],
    [{ constructor: 'ctrl+s' }, /expected the name of an action; came "constructor"/],
    [{ send: 'ctrl+foo' }, /^tui\.keys\.send: expected a key such as .*; came "ctrl\+foo"$/],
    [{ send: '' }, /expected a key such as .*; came ""/],
    [{ send: 'a' }, /^tui\.keys\.send: a is needed for typing/],
    [{ send: 'shift+space' }, /shift\+space is needed for typing/],
    [{ send: 'f5', redraw: 'F5' }, /^tui\.keys: f5 is given to send and to redraw; choose one of them$/],
    [
      { redraw: 'ctrl+c' },
      /^tui\.keys: ctrl\+c went to redraw, so interrupt has no key; give it one, or say interrupt: none$/,
    ],
  ]
  for (const [own, problem] of wrong) {
    it(`says what is wrong with ${JSON.stringify(own)}`, () => {
      const { problems } = createKeymap(own)
      assert.equal(problems.length, 1)
      assert.match(problems[0] ?? '', problem)
    })
  }

  it('lets an approval be answered by other letters', () => {
    assert.deepEqual(createKeymap({ allow_once: 'j' }).problems, [])
    assert.equal(meaning('j', 'approval', { allow_once: 'j' }), 'allow_once')
    assert.equal(meaning('j', 'chat', { allow_once: 'j' }), undefined)
  })
})

describe('a key as it is written', () => {
  const written: [text: string, key: string | undefined, printed?: string][] = [
    ['Ctrl+A', 'ctrl+a', 'Ctrl+A'],
    ['shift+ctrl+Up', 'ctrl+shift+up', 'Ctrl+Shift+Up'],
    ['Esc', 'escape', 'Esc'],
    ['option+Return', 'alt+enter', 'Alt+Enter'],
    ['control+PgDn', 'ctrl+pagedown', 'Ctrl+PgDn'],
    ['F12', 'f12', 'F12'],
    ['?', '?', '?'],
    ['y', 'y', 'y'],
    ['ctrl++', 'ctrl++', 'Ctrl++'],
    ['+', '+', '+'],
    ['alt+<', 'alt+<', 'Alt+<'],
    ['ctrl+ж', 'ctrl+ж', 'Ctrl+Ж'],
    ['f13', undefined],
    ['ctrl', undefined],
    ['ctrl+', undefined],
    ['ctrl+ctrl+a', undefined],
    ['cmd+a', undefined],
    ['ab', undefined],
    ['', undefined],
  ]
  for (const [text, key, printed] of written) {
    it(`reads ${JSON.stringify(text)} as ${key ?? 'no key'}`, () => {
      // Only help may be a key that types something.
      const { keymap, problems } = helpBy(text)
      assert.equal(problems.length === 0, key !== undefined)
      if (key !== undefined) assert.equal(keymap.keys.help[0], key)
      if (key !== undefined) assert.equal(keyOf(keymap, 'help'), printed)
    })
  }
})
