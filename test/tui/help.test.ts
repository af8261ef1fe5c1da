import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { parse } from 'yaml'
import { BUILT_IN } from '../../src/kit/commands/table.ts'
import { displayWidth } from '../../src/text/width.ts'
import { helpLines } from '../../src/tui/help.ts'
import { createKeymap, keyList } from '../../src/tui/keymap.ts'
import { EN } from '../../src/words/en.ts'
import { ZH } from '../../src/words/zh.ts'

const { keymap } = createKeymap()
const rowsOf = (width: number, { words = EN, own = keymap } = {}) =>
  helpLines({ commands: BUILT_IN, words, keymap: own, width }).map(line =>
    line
      .map(({ text }) => text)
      .join('')
      .trimEnd(),
  )

describe('the help', () => {
  it('names every key and every command with what it does', () => {
    for (const words of [EN, ZH]) {
      const text = rowsOf(120, { words }).join('\n')
      for (const { action, keys } of keyList(keymap)) {
        assert.ok(text.includes(words.actions[action]), action)
        for (const key of keys) assert.ok(text.includes(key), key)
      }
      for (const [name, { does }] of Object.entries(words.commands)) {
        assert.ok(text.includes(`/${name}`), name)
        assert.ok(text.includes(does), does)
      }
      for (const { does } of words.help.typed) assert.ok(text.includes(does))
      for (const group of Object.values(words.groups))
        assert.ok(text.includes(`\n${group}\n`) || text.startsWith(group))
    }
  })

  it('begins with the prompt, in columns', () => {
    assert.deepEqual(rowsOf(80).slice(0, 4), [
      'Prompt',
      'Enter                     Send; while gopi works, step in at once',
      'Alt+Enter                 Send when the run has ended; a new line when nothing',
      '                          runs',
    ])
  })

  it('shows the keys that a person has chosen, and that there is none', () => {
    const own = createKeymap({ send: 'ctrl+s', suspend: 'none' }).keymap
    const rows = rowsOf(100, { own })
    assert.ok(
      rows.some(row => /^Ctrl\+S +Send; while/.test(row)),
      rows.join('\n'),
    )
    assert.ok(rows.some(row => /^no key +Put gopi to sleep/.test(row)))
    assert.ok(!rows.some(row => row.includes('Ctrl+Z')))
  })

  it('fits into any width', () => {
    for (const words of [EN, ZH])
      for (const width of [1, 8, 20, 39, 40, 80, 200])
        for (const row of rowsOf(width, { words }))
          assert.ok(displayWidth(row) <= Math.max(2, width), `${width}: ${row}`)
  })
})

it('config.example.yaml lists the actions with the keys that they have', () => {
  const example = readFileSync(new URL('../../config.example.yaml', import.meta.url), 'utf8')
  const listed = [...example.matchAll(/^ {2}## {3}([a-z_]+: .*)$/gm)].map(([, line]) => line)
  const expected = Object.fromEntries(
    keyList(keymap).map(({ action }) => [action, keymap.keys[action].join(' ')]),
  )
  const keys = parse(listed.join('\n')) as Record<string, string>
  assert.deepEqual(Object.entries(keys), Object.entries(expected))
  const again = createKeymap(keys)
  assert.deepEqual(again.problems, [])
  assert.deepEqual(again.keymap.keys, keymap.keys)
})
