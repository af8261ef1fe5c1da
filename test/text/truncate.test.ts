import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { around, count, head, inThousands, plural, size, tail } from '../../src/text/truncate.ts'

describe('numbers in notices', () => {
  it('are grouped by thousands, and have their noun', () => {
    assert.deepEqual([0, 999, 2140, 1234567].map(count), ['0', '999', '2,140', '1,234,567'])
    assert.deepEqual(
      [plural(1, 'line'), plural(2140, 'line'), plural(2, 'match', 'matches')],
      ['1 line', '2,140 lines', '2 matches'],
    )
  })

  it('tell sizes in the unit that fits', () => {
    const sizes = [1, 1023, 1024, 8400, 1024 ** 2 - 1, 1024 ** 2, 5.5 * 1024 ** 3]
    assert.deepEqual(sizes.map(size), ['1 byte', '1,023 bytes', '1 KB', '8.2 KB', '1 MB', '1 MB', '5.5 GB'])
  })

  it('are written short where there is little room', () => {
    const counts = [0, 999, 1000, 1049, 12_345, 99_949, 99_950, 131_072]
    assert.deepEqual(counts.map(inThousands), ['0', '999', '1k', '1k', '12.3k', '99.9k', '100k', '131k'])
  })
})

describe('cutting text', () => {
  it('keeps whole lines at both ends', () => {
    const text = 'one\ntwo\nthree\n'
    assert.deepEqual(
      [3, 4, 7, 8, 13, 14].map(bytes => head(text, bytes)),
      ['one', 'one\n', 'one\n', 'one\ntwo\n', 'one\ntwo\n', text],
    )
    assert.deepEqual(
      [3, 6, 7, 10, 14].map(bytes => tail(text, bytes)),
      ['ee\n', 'three\n', 'three\n', 'two\nthree\n', text],
    )
    assert.deepEqual([head(text, 0), tail(text, 0)], ['', ''])
  })

  it('never splits a character', () => {
    const text = 'aé你😀'
    for (let bytes = 0; bytes <= Buffer.byteLength(text); bytes++) {
      for (const part of [head(text, bytes), tail(text, bytes)]) {
        assert.ok(Buffer.byteLength(part) <= bytes)
        assert.ok(text.startsWith(part) || text.endsWith(part), part)
      }
    }
    assert.deepEqual([head(text, 5), tail(text, 6)], ['aé', '😀'])
  })

  it('shows the surroundings of a match in a long line', () => {
    const line = `${'a'.repeat(500)}MATCH${'b'.repeat(500)}`
    const shown = around(line, 500, 60)
    assert.match(shown, /^…a+MATCHb+…$/)
    assert.equal(shown.length, 60)
    assert.equal(around(line, 0, 60), `${'a'.repeat(58)}…`)
    assert.match(around(line, 1004, 60), /^…b+$/)
    assert.equal(around('short', 2, 60), 'short')
    assert.doesNotMatch(around('😀'.repeat(100), 51, 21), /\p{Cs}/u)
  })
})
