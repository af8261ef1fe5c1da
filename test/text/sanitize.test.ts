import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createSanitizer, reveal, sanitize, withoutHidden } from '../../src/text/sanitize.ts'

const ESC = '\x1b'

const cases: [what: string, input: string, shown: string][] = [
  ['plain text', 'const a = 1\n\tb', 'const a = 1\n\tb'],
  ['umlauts, Chinese, Arabic', 'grün 你好 مرحبا', 'grün 你好 مرحبا'],
  ['clipboard write (OSC 52)', `a${ESC}]52;c;ZXZpbA==\x07b`, 'ab'],
  ['window title', `a${ESC}]0;title\x07b`, 'ab'],
  ['title ended by ST', `a${ESC}]0;title${ESC}\\b`, 'ab'],
  ['hyperlink keeps its text', `${ESC}]8;;http://x${ESC}\\text${ESC}]8;;${ESC}\\`, 'text'],
  ['APC', `a${ESC}_Gx=1;AAAA${ESC}\\b`, 'ab'],
  ['DCS', `a${ESC}P1$r0m${ESC}\\b`, 'ab'],
  ['clear screen', `a${ESC}[2J${ESC}[Hb`, 'ab'],
  ['cursor up over an approval', `a${ESC}[10Ab`, 'ab'],
  ['status request', `a${ESC}[6nb`, 'ab'],
  ['colours', `${ESC}[1;31mred${ESC}[0m`, 'red'],
  ['colon parameters', `${ESC}[38:2::1:2:3mx`, 'x'],
  ['unterminated OSC keeps the text', `a${ESC}]visible\nnext`, 'avisible\nnext'],
  ['OSC cut off by another sequence', `a${ESC}]0;t${ESC}[31mb`, 'a0;tb'],
  ['malformed CSI', `a${ESC}[\nb`, 'a\nb'],
  ['reset', `a${ESC}cb`, 'ab'],
  ['character set', `a${ESC}(0b`, 'ab'],
  ['8-bit CSI', 'a\x9b31mb', 'ab'],
  ['8-bit OSC', 'a\x9d52;c;ZXZpbA==\x9cb', 'ab'],
  ['double escape', `${ESC}${ESC}[31mx`, 'x'],
  ['escape hidden in an escape', `${ESC}${ESC}[0m[31mx`, '[31mx'],
  ['bell, backspace, NUL, DEL', 'a\x07\x08\0\x7fb', 'ab'],
  ['CRLF', 'a\r\nb', 'a\nb'],
  ['lone CR draws over nothing', 'safe\rrm -rf', 'safe\nrm -rf'],
  ['CR before a sequence', `a\r${ESC}[0m\nb`, 'a\n\nb'],
  ['line separators', 'a\u2028b\u2029c', 'a\nb\nc'],
  ['bidi', 'a\u202eb\u2066c\u200ed', 'abcd'],
  ['zero width in ASCII', 'r\u200bm\u200d -\u2060r\ufefff\u00ad', 'rm -rf'],
  ['tag characters', 'a\u{e0041}\u{e0001}b', 'ab'],
  ['variation selectors that carry data', 'a\ufe00\u{e0100}\u{e01ef}b', 'ab'],
  ['annotation marks', 'a\ufff9b\ufffac\ufffb', 'abc'],
  ['emoji family', '👨‍👩‍👧 ❤️‍🔥 👍🏽', '👨‍👩‍👧 ❤️‍🔥 👍🏽'],
  ['Persian with ZWNJ', 'می‌خواهم', 'می‌خواهم'],
  ['only one joiner at a time', 'م\u200c\u200b\u200d', 'م\u200c'],
  ['selector after a selector', '❤\ufe0f\ufe0f', '❤\ufe0f'],
  ['lone surrogates', 'a\ud83db\ude00', 'a\ufffdb\ufffd'],
  ['pair split by a sequence', `\ud83d${ESC}[0m\ude00`, '\ufffd\ufffd'],
]

describe('the gate for untrusted text', () => {
  for (const [what, input, shown] of cases) {
    it(`handles ${what}`, () => assert.equal(sanitize(input), shown))
  }

  it('gives the same however the text is cut', () => {
    for (const [what, input, shown] of cases) {
      for (let cut = 0; cut <= input.length; cut++) {
        const gate = createSanitizer()
        const pieces = [gate.push(input.slice(0, cut)), gate.push(input.slice(cut)), gate.finish()]
        assert.equal(pieces.join(''), shown, `${what}, cut at ${cut}`)
      }
      const gate = createSanitizer()
      assert.equal([...units(input)].map(gate.push).join('') + gate.finish(), shown, `${what}, unit by unit`)
    }
  })

  it('lets nothing through, in any mixture and any cut', () => {
    const random = generator(20251)
    const alphabet = [
      ...units(cases.map(([, input]) => input).join('')),
      '\x98',
      '\x9e',
      '\x90',
      '~',
      '[',
      ']',
      '\\',
    ]
    for (let round = 0; round < 20_000; round++) {
      const input = Array.from({ length: random(24) }, () => alphabet[random(alphabet.length)]).join('')
      const cut = random(input.length + 1)
      const gate = createSanitizer()
      const shown = gate.push(input.slice(0, cut)) + gate.push(input.slice(cut)) + gate.finish()
      assert.doesNotMatch(
        shown,
        /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u200b\u{e0000}-\u{e0fff}]/u,
      )
      assert.equal(shown, sanitize(input), JSON.stringify([input, cut]))
      assert.equal(sanitize(shown), shown, `not stable: ${JSON.stringify(input)}`)
    }
  })

  it('holds back no more than an unfinished sequence', () => {
    const gate = createSanitizer()
    assert.equal(gate.push('shown at once'), 'shown at once')
    assert.equal(gate.push(`more${ESC}[3`), 'more')
    assert.equal(gate.push('1mred'), 'red')
    assert.equal(gate.push(`${ESC}]${'x'.repeat(5000)}`), 'x'.repeat(5000))
    assert.equal(gate.finish(), '')
  })

  it('takes hostile text in linear time', () => {
    for (const unit of ['\x9d', `${ESC}]`, `${ESC}[`, '\x9b;', 'م\u200d']) {
      const gate = createSanitizer()
      const shown = gate.push(unit.repeat(200_000)) + gate.finish()
      assert.ok(shown.length <= 400_000)
    }
  })

  it('shows what a person must judge as escapes', () => {
    assert.equal(
      reveal('rm\u200b -rf \u202ex\u{e0001}\x1b[2J\r\n\tok'),
      'rm\\u{200b} -rf \\u{202e}x\\u{e0001}\\x1b[2J\\x0d\n\tok',
    )
    assert.equal(
      reveal('a\u2800b\u3164c\u115fd\uffa0e\u2003f'),
      'a\\u{2800}b\\u{3164}c\\u{115f}d\\u{ffa0}e\\u{2003}f',
    )
    assert.equal(reveal('plain 你好\u3000«\u00a0x'), 'plain 你好\u3000«\u00a0x')
  })

  it('takes from what the model reads what nobody sees', () => {
    const tags = Array.from('obey', letter => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('')
    const rows: [text: string, readable: string][] = [
      [`a${tags}b`, 'ab'],
      ['ghp\u200b_x\u2060y\u202ez\u00ad', 'ghp_xyz'],
      ['a\u2800b\u3164c\u115fd\uffa0e\u2003f', 'a bcde f'],
      ['x\ufe01\u{e0101}y\ufff9z', 'xyz'],
      ['👨‍👩‍👧 ❤\ufe0f م\u200cم 你好\u3000«\u00a0x', '👨‍👩‍👧 ❤\ufe0f م\u200cم 你好\u3000«\u00a0x'],
      ['\x1b[31mred\x1b[m\r\n', '\x1b[31mred\x1b[m\r\n'],
      ['plain', 'plain'],
    ]
    for (const [text, readable] of rows) assert.equal(withoutHidden(text), readable)
  })
})

function units(text: string): string[] {
  return text.split('')
}

/** A small linear congruential generator: the same cases in every run. */
function generator(seed: number): (below: number) => number {
  let state = seed
  return below => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff
    return (state >>> 8) % below
  }
}
