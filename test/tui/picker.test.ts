import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { displayWidth } from '../../src/text/width.ts'
import type { Line } from '../../src/tui/line.ts'
import { modelId, modelItems, sessionItems, themeItems } from '../../src/tui/list/items.ts'
import {
  createPicker,
  type Picker,
  type PickerItem,
  pickerCommand,
  selectedItem,
  stepPicker,
  withItems,
} from '../../src/tui/list/picker.ts'
import { pickerCaret, pickerLines, pickerRows } from '../../src/tui/list/picker-lines.ts'
import { EN } from '../../src/words/en.ts'
import { ZH } from '../../src/words/zh.ts'

const ITEMS: PickerItem[] = [
  { id: 'a', label: 'qwen3:8b', detail: '5.2 GB' },
  { id: 'b', label: 'llama3.2:3b', detail: '2 GB' },
  { id: 'c', label: 'broken' },
  { id: 'd', label: 'qwen2.5-coder:7b', detail: '4.7 GB' },
]
const open = (current?: string, items = ITEMS): Picker =>
  createPicker({ title: 'Models', items, ...(current !== undefined && { current }) })
const type = (picker: Picker, text: string): Picker => stepPicker(picker, { type: 'type', text })
const move = (picker: Picker, ...distances: number[]): Picker =>
  distances.reduce((step, rows) => stepPicker(step, { type: 'move', rows }), picker)
const ids = ({ shown }: Picker) => shown.map(({ id }) => id).join('')

const look = { width: 40, height: 10, words: EN, keys: { choose: 'Enter', close: 'Esc' } }
const textOf = (line: Line | undefined) => line?.map(({ text }) => text).join('') ?? ''
const rowsOf = (picker: Picker, own: Partial<typeof look> = {}) =>
  pickerLines(picker, { ...look, ...own }).map(textOf)

describe('a picker', () => {
  it('begins at what is in use, else at the first', () => {
    assert.equal(selectedItem(open('d'))?.id, 'd')
    assert.equal(selectedItem(open())?.id, 'a')
    assert.equal(selectedItem(open('gone'))?.id, 'a')
    assert.equal(selectedItem(open(undefined, []))?.id, undefined)
  })

  const moves: [distances: number[], selected: string][] = [
    [[1], 'b'],
    [[1, 1], 'c'],
    [[1, 1, -1], 'b'],
    [[-1], 'd'],
    [[1, 1, 1, 1], 'a'],
    [[5], 'd'],
    [[5, 5], 'd'],
    [[5, -5], 'a'],
    [[2], 'c'],
  ]
  for (const [distances, selected] of moves)
    it(`moves by ${distances} to ${selected}`, () =>
      assert.equal(selectedItem(move(open(), ...distances))?.id, selected))

  it('stays where it is when there is nothing to choose', () => {
    assert.equal(selectedItem(move(open(undefined, []), 1, -1, 5)), undefined)
  })

  it('filters by what is typed, and erasing brings back', () => {
    const typed = type(type(open(), 'q'), 'w')
    assert.equal(ids(typed), 'ad')
    const more = type(typed, 'cod')
    assert.equal(ids(more), 'd')
    assert.equal(selectedItem(more)?.id, 'd')
    assert.equal(more.query, 'qwcod')
    assert.equal(ids(stepPicker(more, { type: 'erase', what: 'all' })), 'abcd')
    assert.equal(stepPicker(more, { type: 'erase', what: 'character' }).query, 'qwco')
    assert.equal(ids(type(open(), 'zz')), '')
    assert.equal(selectedItem(type(open(), 'zz')), undefined)
  })

  it('erases a whole grapheme, and nothing from nothing', () => {
    assert.equal(stepPicker(type(open(), 'a👨‍👩‍👧'), { type: 'erase', what: 'character' }).query, 'a')
    const picker = open()
    assert.equal(stepPicker(picker, { type: 'erase', what: 'character' }), picker)
  })

  it('takes only text that can be seen: what was typed and what was listed', () => {
    assert.equal(type(open(), 'a\x1b[31mb\nc').query, 'ab c')
    const [item] = open(undefined, [{ id: 'x', label: 'a\x1b]0;b\x07c\u202ed', detail: 'e\nf' }]).shown
    assert.deepEqual(item, { id: 'x', label: 'acd', detail: 'e f' })
  })

  it('takes new items without losing what was typed or selected', () => {
    const waiting = createPicker({ title: 'Models', items: [], current: 'd', empty: 'asking …' })
    assert.match(rowsOf(waiting)[1] ?? '', /asking …/)
    const come = withItems(waiting, ITEMS)
    assert.equal(selectedItem(come)?.id, 'd')
    assert.equal(come.empty, undefined)
    const typed = move(type(come, 'w'), 1)
    const selected = selectedItem(typed)?.id
    const again = withItems(typed, [...ITEMS, { id: 'e', label: 'qwq:32b' }])
    assert.equal(again.query, 'w')
    assert.equal(selectedItem(again)?.id, selected)
    assert.equal(again.shown.length, typed.shown.length + 1)
  })

  it('knows the actions of the keymap', () => {
    assert.deepEqual(pickerCommand('list_up', { rows: 8 }), { type: 'move', rows: -1 })
    assert.deepEqual(pickerCommand('list_page_down', { rows: 8 }), { type: 'move', rows: 7 })
    assert.deepEqual(pickerCommand('list_page_up', { rows: 1 }), { type: 'move', rows: -1 })
    assert.equal(pickerCommand('send', { rows: 8 }), undefined)
  })
})

describe('a picker as lines', () => {
  it('shows what is typed, what is in use, details in a column, and a hint', () => {
    assert.deepEqual(rowsOf(open('b')), [
      '› type to filter',
      '  qwen3:8b          5.2 GB',
      '● llama3.2:3b       2 GB'.padEnd(40),
      '  broken',
      '  qwen2.5-coder:7b  4.7 GB',
      'Enter chooses · Esc closes',
    ])
    assert.deepEqual(
      pickerLines(open('b'), look)[2]?.map(({ style }) => style),
      ['selected'],
    )
  })

  it('shows which characters were found', () => {
    const line = pickerLines(move(type(open(), 'qw7'), 0), look)
    assert.equal(textOf(line[1]), '  qwen2.5-coder:7b  4.7 GB'.padEnd(40))
    const [, , second] = pickerLines(type(open(), 'qwen'), look)
    assert.deepEqual(
      second?.filter(({ style }) => style === 'match').map(({ text }) => text),
      ['qwen'],
    )
  })

  it('says when nothing fits, and how many are out of sight', () => {
    assert.deepEqual(rowsOf(type(open(), 'zz')).slice(0, 2), ['› zz', '  nothing matches'])
    const many = open(
      undefined,
      Array.from({ length: 2000 }, (_, at) => ({ id: `${at}`, label: `model ${at}` })),
    )
    assert.match(rowsOf(many).at(-1) ?? '', /1,992 more$/)
    const far = move(many, 1500)
    assert.ok(rowsOf(far).some(row => row.startsWith('  model 1500 ')))
    assert.equal(rowsOf(move(many, -1))[8]?.trim(), 'model 1999')
  })

  it('never is higher or wider than asked, whatever it holds', () => {
    const items = [
      ...ITEMS,
      { id: 'w', label: '通义千问'.repeat(20), detail: '很长的说明'.repeat(20) },
      { id: 'e', label: '👨‍👩‍👧'.repeat(30) },
      { id: 'n', label: '' },
    ]
    for (const words of [EN, ZH])
      for (const query of ['', '通', 'x'.repeat(100), '千问'.repeat(30)])
        for (const width of [8, 13, 40, 120])
          for (const height of [1, 2, 4, 5, 9, 30]) {
            const picker = type(open('w', items), query)
            const lines = pickerLines(picker, { ...look, width, height, words })
            assert.ok(lines.length <= height)
            for (const line of lines)
              assert.ok(displayWidth(textOf(line)) <= width, `${width}: ${textOf(line)}`)
            assert.ok(pickerCaret(picker, { width }) < width)
            const selected = lines.filter(line => line.some(({ style }) => style === 'selected'))
            if (picker.shown.length > 0 && height > 1) assert.equal(selected.length, 1)
            if (height > 1) assert.ok(pickerRows(picker, height) < height)
          }
  })

  it('puts the caret behind what is typed', () => {
    assert.equal(pickerCaret(open(), { width: 40 }), 2)
    assert.equal(pickerCaret(type(open(), '模型a'), { width: 40 }), 7)
  })
})

describe('what is listed', () => {
  it('tells of a model what is known', () => {
    const items = modelItems(
      [
        { name: 'new', size: 5_200_000_000 },
        {
          name: 'qwen3:8b',
          size: 5_200_000_000,
          parameters: '8.2B',
          context: 40_960,
          capabilities: ['completion', 'tools', 'thinking'],
          isLoaded: true,
        },
        { name: 'old:latest', size: 2048, capabilities: ['completion', 'vision'], context: 1_048_576 },
      ],
      EN,
    )
    assert.deepEqual(
      items.map(({ id }) => id),
      ['new', 'qwen3:8b', 'old'],
    )
    assert.equal(modelId('old'), 'old')
    assert.deepEqual(
      items.map(({ detail }) => detail),
      [
        '5.2 GB',
        '5.2 GB · 8.2B · context 40k · tools · thinking · loaded',
        '2.0 KB · context 1M · tools as text · images',
      ],
    )
  })

  it('tells of a session how it began, when and with what', () => {
    const sessions = [
      { id: '1', first: 'fix the login', modified: new Date(1_000_000), model: 'qwen3:8b' },
      { id: '2', first: '', modified: new Date(940_000) },
    ]
    assert.deepEqual(sessionItems(sessions, { words: EN, now: 1_300_000 }), [
      { id: '1', label: 'fix the login', detail: '5 minutes ago · qwen3:8b' },
      { id: '2', label: '(nothing was said)', detail: '6 minutes ago' },
    ])
    assert.match(sessionItems(sessions, { words: ZH, now: 1_300_000 })[1]?.detail ?? '', /6 分钟前/)
  })

  it('names themes as they are typed, the person’s own behind', () => {
    for (const words of [EN, ZH]) {
      const { own, ...themes } = words.themes
      assert.deepEqual(
        themeItems(words, ['dusk', 'light']).map(({ id, label, detail }) => [id, label, detail]),
        [...Object.entries(themes), ['dusk', own]].map(([name, does]) => [name, name, does]),
      )
    }
  })
})

it('gives labels the whole width where nothing stands behind them', () => {
  const label = 'edits in the project run unasked'
  const [, row = ''] = rowsOf(open(undefined, [{ id: 'a', label }]), { width: 36 })
  assert.equal(row.trim(), label)
})
