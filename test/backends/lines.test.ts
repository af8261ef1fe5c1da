import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { LineSplitter, LineTooLong } from '../../src/backends/http/lines.ts'

function split(pieces: Uint8Array[], bound = 1000): string[] {
  const splitter = new LineSplitter(bound)
  const lines = pieces.flatMap(piece => [...splitter.push(piece)])
  const rest = splitter.finish()
  return rest === '' ? lines : [...lines, `${rest} (cut)`]
}

describe('bytes into lines', () => {
  const sample = Buffer.from('\uFEFF{"a":"né好🙂"}\r\n\n  {"b":1}\n{"c"')
  const lines = ['{"a":"né好🙂"}', '{"b":1}', '{"c" (cut)']

  it('gives the same lines however the bytes were cut in two, or in three, or all apart', () => {
    for (let first = 0; first <= sample.length; first++) {
      for (let second = first; second <= sample.length; second++) {
        const pieces = [sample.subarray(0, first), sample.subarray(first, second), sample.subarray(second)]
        assert.deepEqual(split(pieces), lines, `cut at ${first} and ${second}`)
      }
    }
    assert.deepEqual(split([...sample].map(byte => Uint8Array.of(byte))), lines)
  })

  it('takes a line of exactly the bound and refuses one byte more, ended or not, in one piece or in many', () => {
    const full = 'x'.repeat(100)
    assert.deepEqual(split([Buffer.from(`${full}\n${full}\n`)], 100), [full, full])
    const tooLong = [[`${full}x\n`], [`${full}x`], [full, 'x', '\n'], [`ok\n${full}`, 'x\n'], [...`${full}x`]]
    for (const pieces of tooLong) {
      assert.throws(
        () =>
          split(
            pieces.map(piece => Buffer.from(piece)),
            100,
          ),
        LineTooLong,
      )
    }
  })

  it('hands out the lines before the one that is too long', () => {
    const lines = new LineSplitter(10).push(Buffer.from(`one\ntwo\n${'x'.repeat(11)}`))
    assert.deepEqual([lines.next().value, lines.next().value], ['one', 'two'])
    assert.throws(() => lines.next(), LineTooLong)
  })

  it('hands out a line with the bytes that end it', () => {
    const splitter = new LineSplitter(100)
    assert.deepEqual([...splitter.push(Buffer.from('one\ntw'))], ['one'])
    assert.deepEqual([...splitter.push(Buffer.from('o\n'))], ['two'])
  })
})
