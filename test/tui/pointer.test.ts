import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Input } from '../../src/tui/input.ts'
import { namedKey, textKey } from '../../src/tui/keys.ts'
import type { Line } from '../../src/tui/line.ts'
import { markSelection, selectedText } from '../../src/tui/selection.ts'
import { createPasteFinder } from '../../src/tui/window/typed-paste.ts'
import { Wheel } from '../../src/tui/window/wheel.ts'
import { textOf } from './shown.ts'

const up = namedKey('up')
const down = namedKey('down')
const enter = namedKey('enter')

describe('the wheel where the mouse is off', () => {
  function wheel(isHeld: boolean) {
    const given: string[] = []
    const give = (inputs: readonly Input[]) => {
      for (const input of inputs)
        given.push(
          input.type === 'wheel' ? `wheel ${input.direction}` : input.type === 'key' ? input.name : '',
        )
    }
    return { given, it: new Wheel({ give, isHeld: () => isHeld }) }
  }

  it('is several equal arrows, in one read or one after the other', t => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    for (const isHeld of [true, false]) {
      const { given, it } = wheel(isHeld)
      it.take([up, up, up])
      it.take([down, down])
      assert.deepEqual(given, ['wheel -1', 'wheel 1'])
    }
    const { given, it } = wheel(true)
    for (let arrow = 0; arrow < 5; arrow++) it.take([up])
    assert.deepEqual(given, ['wheel -1', 'wheel -1'])
    t.mock.timers.tick(1000)
    assert.equal(given.length, 2)
  })

  it('is no single arrow: that is a key, at the latest when nothing came after it', t => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const { given, it } = wheel(true)
    it.take([up])
    assert.deepEqual(given, [])
    t.mock.timers.tick(60)
    assert.deepEqual(given, ['up'])
    it.take([up])
    it.take([down])
    it.take([textKey('a')])
    assert.deepEqual(given, ['up', 'up', 'down', 'a'])
    const free = wheel(false)
    free.it.take([up])
    free.it.take([down])
    assert.deepEqual(free.given, ['up', 'down'])
  })
})

describe('a paste that comes as typing', () => {
  it('is one text, whatever lines are in it', () => {
    const find = createPasteFinder()
    const pasted = (text: string) => [{ type: 'paste', text, lost: 0 }]
    const three = [textKey('one'), enter, textKey('two'), enter, namedKey('tab'), textKey('three'), enter]
    assert.deepEqual(find(three), pasted('one\ntwo\n\tthree'))
    assert.deepEqual(find([textKey(' and the rest'), enter]), pasted(' and the rest'), 'of a later read')
  })

  it('is not what a hand types', () => {
    for (const typed of [
      [textKey('a')],
      [textKey('hello'), enter],
      [enter, enter],
      [textKey('a'), up, enter, textKey('b')],
      [textKey('a'), namedKey('enter', { alt: true }), textKey('b')],
    ])
      assert.equal(createPasteFinder()(typed), typed)
  })
})

describe('selecting with the mouse', () => {
  const rows: Line[] = [
    [
      { text: 'See ', style: 'plain' },
      { text: 'this', style: 'code' },
    ],
    ...['  if (文) {', '    go()', '', '  }'].map((text): Line => [{ text, style: 'plain' }]),
  ]
  const spot = (row: number, column: number) => ({ row, column })

  it('marks what it takes, from either end, and a wide character whole', () => {
    const marked = (from: readonly [number, number], to: readonly [number, number]) =>
      markSelection(rows, { from: spot(...from), to: spot(...to) }).map(line =>
        line
          .filter(({ style }) => style === 'selected')
          .map(({ text }) => text)
          .join(''),
      )
    assert.deepEqual(marked([0, 2], [1, 7]), ['e this', '  if (文', '', '', ''])
    assert.deepEqual(marked([1, 7], [0, 2]), marked([0, 2], [1, 7]))
    const all = markSelection(rows, { from: spot(0, 2), to: spot(4, 0) })
    assert.deepEqual(textOf([...all]), textOf(rows))
  })

  it('copies without the margin', () => {
    const copied = (from: [number, number], to: [number, number]) =>
      selectedText(rows, { from: spot(...from), to: spot(...to) })
    assert.equal(copied([1, 0], [4, 9]), 'if (文) {\n  go()\n\n}')
    assert.equal(copied([1, 2], [4, 9]), 'if (文) {\n  go()\n\n}')
    assert.equal(copied([2, 4], [2, 7]), 'go()')
    assert.equal(copied([0, 0], [1, 4]), 'See this\n  if', 'no margin where one row has none')
  })
})
