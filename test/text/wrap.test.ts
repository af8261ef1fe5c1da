import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { displayWidth } from '../../src/text/width.ts'
import { rowsOf, wrap } from '../../src/text/wrap.ts'

const cases: [what: string, text: string, width: number, ...rows: string[]][] = [
  ['nothing', '', 5, ''],
  ['what fits', 'hello', 5, 'hello'],
  ['newlines', 'a\n\nb\n', 5, 'a', '', 'b', ''],
  ['words', 'one two three', 7, 'one two', 'three'],
  ['a word that ends with the row', 'one two', 3, 'one', 'two'],
  ['several blanks at the break', 'one   two', 4, 'one', 'two'],
  ['blanks inside a row', 'a   b', 5, 'a   b'],
  ['an indent', '  if x', 6, '  if x'],
  ['an indent that breaks', '  if xy', 6, '  if', 'xy'],
  ['blanks at the end', 'abc   ', 4, 'abc '],
  ['a word longer than the row', 'abcdefg h', 3, 'abc', 'def', 'g h'],
  ['a long word after a short one', 'x abcdef', 4, 'x', 'abcd', 'ef'],
  ['Chinese', '你好世界', 5, '你好', '世界'],
  ['Chinese beside words', 'see 你好 there', 7, 'see 你', '好', 'there'],
  ['no row starts with a full stop', '你好吗。', 6, '你好', '吗。'],
  ['no row ends with an opening quote', '你好「吗」', 6, '你好', '「吗」'],
  ['a hold that cannot be kept', '。。。。', 4, '。。', '。。'],
  ['a hold behind an indent', ' x“好', 3, '', 'x“', '好'],
  ['emoji', '😀😀😀', 4, '😀😀', '😀'],
  ['a family in one piece', 'abc👨‍👩‍👧', 4, 'abc', '👨‍👩‍👧'],
  ['one column', 'a好b', 1, 'a', '好', 'b'],
  ['a tab', 'a\tb', 5, 'a', 'b'],
]

describe('wrap', () => {
  for (const [what, text, width, ...rows] of cases) {
    it(`handles ${what}`, () => assert.deepEqual(wrap(text, width), rows))
  }

  it('loses nothing but blanks and newlines, and is never too wide', () => {
    const words = [
      'a',
      'word',
      'longerword',
      '你好',
      '「吗」。',
      '😀',
      '👨‍👩‍👧',
      ' ',
      '   ',
      '\n',
      'e\u0301',
      '\t',
    ]
    for (let seed = 0; seed < 400; seed++) {
      const text = Array.from(
        { length: 12 },
        (_, i) => words[(seed * 7 + i * i * (seed + 3)) % words.length],
      ).join('')
      for (let width = 2; width < 14; width += 3) {
        let end = 0
        for (const row of rowsOf(text, width)) {
          assert.match(text.slice(end, row.start), /^[ \t]*\n?$/, JSON.stringify(text))
          assert.ok(displayWidth(text.slice(row.start, row.end)) <= width, JSON.stringify([text, width]))
          end = row.end
        }
        assert.match(text.slice(end), /^[ \t]*$/)
      }
    }
  })
})
