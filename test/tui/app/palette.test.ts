import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import { openPalette, repaletted } from '../../../src/tui/panel/open.ts'
import { type PaletteParts, paletteItems } from '../../../src/tui/panel/palette.ts'
import { openStage } from './stage.ts'
import { asked, commands, keymap, keys, running, stateOf, words } from './states.ts'

const [enter, esc, ctrlP] = ['\r', '\x1b', '\x10']
const parts: PaletteParts = {
  ...{ commands, keymap, words },
  models: [{ id: 'qwen3:8b', label: 'qwen3:8b', detail: '5.2 GB' }],
  sessions: [{ id: 's1', label: 'fix the login', detail: '2 days ago' }],
  files: ['src/login form.ts', 'src/main.ts'],
}
const open = () => openPalette(stateOf(), paletteItems(parts), words)

describe('the palette', () => {
  it('has commands, keys, models, sessions and files, each once', () => {
    const items = paletteItems(parts)
    const kinds = new Set(items.map(({ id }) => id.split(':')[0]))
    assert.deepEqual([...kinds], ['command', 'key', 'model', 'session', 'file'])
    assert.equal(new Set(items.map(({ id }) => id)).size, items.length)
    for (const { name } of commands) assert.ok(items.some(({ id }) => id === `command:${name}`))
    assert.deepEqual(
      items.find(({ id }) => id === 'model:qwen3:8b'),
      { id: 'model:qwen3:8b', label: 'qwen3:8b', detail: 'model · 5.2 GB' },
    )
    assert.ok(!items.some(({ id }) => id === 'key:palette' || id === 'key:left'))
  })

  const rows: [typed: string, effect: object | undefined, text: string][] = [
    ['qwen38', { type: 'model', name: 'qwen3:8b' }, ''],
    ['fixthelogin', { type: 'session', id: 's1' }, ''],
    ['src/main', undefined, '@src/main.ts '],
    ['loginform', undefined, '@"src/login form.ts" '],
    ['whole outputs', undefined, ''],
    ['/compact', { type: 'compact', hint: '' }, ''],
    ['/export', undefined, ''],
  ]
  for (const [typed, effect, text] of rows)
    it(`does what is chosen by ${typed}`, () => {
      const step = keys(open(), `${typed}${enter}`)
      assert.equal(step.state.panel, undefined)
      assert.equal(step.state.editor.text, text)
      if (effect) assert.deepEqual(asked(step).slice(0, 1), [effect])
    })

  it('shows whole outputs by the name of that key', () => {
    assert.equal(keys(open(), `whole outputs${enter}`).state.unfolded, true)
  })

  it('takes what comes later only while it is open, and keeps what was typed', () => {
    const early = openPalette(stateOf(), paletteItems({ ...parts, models: [] }), words)
    const typed = keys(early, 'qwen38').state
    const filled = repaletted(typed, paletteItems(parts))
    assert.deepEqual(asked(keys(filled, enter)), [{ type: 'model', name: 'qwen3:8b' }])
    const closed = keys(early, esc).state
    assert.equal(repaletted(closed, paletteItems(parts)), closed)
  })

  it('says that another model has to wait while something runs', () => {
    const state = openPalette(running(stateOf()), paletteItems(parts), words)
    const step = keys(state, `qwen38${enter}`)
    assert.deepEqual(asked(step), [])
    assert.equal(step.state.hint, words.notices.notWhileRunning('/model'))
  })
})

test('Ctrl+P opens it over the conversation, and lists join when they are there', async t => {
  const stage = await openStage(t, {
    around: {
      models: async () => [],
      sessions: async () => [
        { id: 's1', first: 'fix the login', modified: new Date(), size: 1, model: 'm', turns: 1 } as never,
      ],
      async *listFiles() {
        yield ['notes/today.md']
      },
    },
  })
  stage.press(ctrlP)
  await stage.until(/─ All there is ─/)
  stage.press('today')
  await stage.until(/notes\/today\.md +file/)
  stage.press(enter)
  await stage.until(() => stage.app.state.editor.text === '@notes/today.md ')
})
