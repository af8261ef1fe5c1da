import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  cut,
  displayWidth,
  graphemeStart,
  graphemes,
  graphemeWidth,
  TAB_COLUMNS,
} from '../../src/text/width.ts'

const single: [what: string, grapheme: string, columns: number][] = [
  ['a letter', 'a', 1],
  ['a letter with its mark', 'é', 1],
  ['a letter and a mark', 'e\u0301', 1],
  ['many marks', `a${'\u0300'.repeat(20)}`, 1],
  ['a mark alone', '\u0301', 0],
  ['a control character', '\x07', 0],
  ['CRLF', '\r\n', 0],
  ['a tab', '\t', TAB_COLUMNS],
  ['Chinese', '好', 2],
  ['Chinese of the second plane', '𠮷', 2],
  ['full width', 'Ａ', 2],
  ['half width', 'ｱ', 1],
  ['kana with a mark', 'か\u3099', 2],
  ['a Hangul syllable', '한', 2],
  ['a Hangul syllable in parts', '\u1112\u1161\u11ab', 2],
  ['a syllable with its final apart', '하\u11ab', 2],
  ['a box', '─', 1],
  ['an ambiguous letter', 'α', 1],
  ['an emoji', '😀', 2],
  ['an emoji with a skin', '👍🏽', 2],
  ['a text sign with a skin', '☝🏽', 2],
  ['a text sign', '❤', 1],
  ['a text sign as an emoji', '❤\ufe0f', 2],
  ['an emoji as text', '❤\ufe0e', 1],
  ['an emoji of its own', '⌚', 2],
  ['a family', '👨‍👩‍👧‍👦', 2],
  ['a heart on fire', '❤️‍🔥', 2],
  ['a rainbow flag', '🏳️‍🌈', 2],
  ['a country', '🇯🇵', 2],
  ['half a country', '🇯', 1],
  ['a region by tags', '🏴\u{e0067}\u{e0062}\u{e007f}', 2],
  ['a keycap', '1\ufe0f\u20e3', 2],
  ['a keycap without a selector', '1\u20e3', 1],
  ['Devanagari with a vowel', 'का', 2],
  ['Thai with a tone', 'กำ', 2],
  ['Arabic with a mark', 'مَ', 1],
  ['an unpaired surrogate', '\ud83d', 1],
  ['a private sign', '\ue0b0', 1],
]

const parted: [text: string, ...graphemes: string[]][] = [
  ['ab', 'a', 'b'],
  ['\r\n\n\r', '\r\n', '\n', '\r'],
  ['🇯🇵🇺🇸🇩', '🇯🇵', '🇺🇸', '🇩'],
  ['🇯\u0301🇵', '🇯\u0301', '🇵'],
  ['👩‍👩👩', '👩‍👩', '👩'],
  ['a\u200d😀', 'a\u200d', '😀'],
  ['한국어', '한', '국', '어'],
  ['\u1112\u1161\u11ab\u1112', '\u1112\u1161\u11ab', '\u1112'],
  ['\n\u0301', '\n', '\u0301'],
  ['\u200b\u0301', '\u200b', '\u0301'],
]

/** Numbers that look random and are the same every time. */
function* numbers(seed: number): Generator<number, never> {
  let state = seed
  for (;;) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    yield state >>> 8
  }
}

const alphabet = [
  ...'ab \n\r©®',
  ...[
    '\r\n',
    'é',
    '\u0301',
    '\u20e3',
    '\u200d',
    '\ufe0f',
    '\ufe0e',
    '好',
    '𠮷',
    'か',
    '\u3099',
    'ｱ',
    '\uff9e',
  ],
  ...['😀', '👍', '🏽', '❤', '🔥', '👩', '💻', '🇯', '🇵', '🏴', '\u{e0067}', '\u{e007f}', '1', '⌚', '☝'],
  ...[
    '\u1112',
    '\u1161',
    '\u11ab',
    '하',
    '한',
    '\ua960',
    '\ud7b0',
    '\ud7cb',
    'ก',
    'ำ',
    'م',
    'َ',
    '\u200b',
    '\u2066',
  ],
]

describe('graphemes', () => {
  it('have the width that a terminal gives them', () => {
    for (const [what, grapheme, columns] of single) {
      assert.deepEqual([...graphemes(grapheme)], [grapheme], what)
      assert.equal(graphemeWidth(grapheme), columns, what)
      assert.equal(displayWidth(`x${grapheme}x`), columns + 2, `${what} between letters`)
    }
  })

  it('end where the next one starts', () => {
    for (const [text, ...expected] of parted) assert.deepEqual([...graphemes(text)], expected)
  })

  it('are those of Unicode, in 5,000 texts of what joins and parts', () => {
    const unicode = new Intl.Segmenter('en')
    const next = numbers(7)
    for (let round = 0; round < 5000; round++) {
      const length = 1 + (next.next().value % 8)
      const text = Array.from({ length }, () => alphabet[next.next().value % alphabet.length]).join('')
      const expected = [...unicode.segment(text)].map(({ segment }) => segment)
      assert.deepEqual([...graphemes(text)], expected, JSON.stringify(text))
    }
  })

  it('are found from their ends as from their starts', () => {
    const next = numbers(11)
    for (let round = 0; round < 2000; round++) {
      const length = 1 + (next.next().value % 8)
      const text = Array.from({ length }, () => alphabet[next.next().value % alphabet.length]).join('')
      let at = 0
      for (const grapheme of graphemes(text)) {
        const start = graphemeStart(text, at + grapheme.length)
        assert.equal(start, at, `${JSON.stringify(text)} at ${at + grapheme.length}`)
        at += grapheme.length
      }
    }
    assert.equal(graphemeStart('a', 0), 0)
  })

  it('know what this Node knows of marks and emoji, where it knows the same Unicode', context => {
    if (!process.versions.unicode?.startsWith('17.')) return context.diagnostic('another Unicode')
    for (let code = 0xa0; code < 0xf0000; code++) {
      if (code >= 0xd800 && code < 0xe000) continue
      const character = String.fromCodePoint(code)
      if (/[\p{Mn}\p{Me}]/u.test(character)) assert.equal(graphemeWidth(character), 0, code.toString(16))
      if (/(?!\p{Regional_Indicator})\p{Emoji_Presentation}/u.test(character)) {
        assert.equal(graphemeWidth(character), 2, code.toString(16))
      }
    }
  })
})

describe('a text cut to columns', () => {
  const cases: [text: string, width: number, mark: string, shown: string][] = [
    ['abc', 3, '…', 'abc'],
    ['abcd', 3, '…', 'ab…'],
    ['abcd', 3, '', 'abc'],
    ['你好吗', 4, '…', '你…'],
    ['你好', 3, '', '你'],
    ['你好', 4, '…', '你好'],
    ['👨‍👩‍👧x', 1, '', ''],
    ['e\u0301e\u0301', 1, '', 'e\u0301'],
    ['abc', 0, '…', ''],
    ['', 0, '…', ''],
    ['abc', 2, '...', 'ab'],
    ['a\tb', 4, '', 'a'],
  ]
  for (const [text, width, mark, shown] of cases) {
    it(`shows ${JSON.stringify(shown)} of ${JSON.stringify(text)} in ${width}`, () => {
      assert.equal(cut(text, width, { mark }), shown)
    })
  }
})
