import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { LineTooLong, splitLines } from '../../src/model/lines.ts'

async function split(pieces: Uint8Array[], bound = 1000): Promise<string[]> {
  const lines: string[] = []
  const source = (async function* () {
    yield* pieces
  })()
  for await (const { text, whole } of splitLines(source, bound)) lines.push(whole ? text : `${text} (cut)`)
  return lines
}

describe('bytes into lines', () => {
  const sample = Buffer.from('\uFEFF{"a":"né好🙂"}\r\n\n  {"b":1}\n{"c"')
  const lines = ['{"a":"né好🙂"}', '{"b":1}', '{"c" (cut)']

  it('gives the same lines however the bytes were cut in two, or in three, or all apart', async () => {
    for (let first = 0; first <= sample.length; first++) {
      for (let second = first; second <= sample.length; second++) {
        const pieces = [sample.subarray(0, first), sample.subarray(first, second), sample.subarray(second)]
        assert.deepEqual(await split(pieces), lines, `cut at ${first} and ${second}`)
      }
    }
    assert.deepEqual(await split([...sample].map(byte => Uint8Array.of(byte))), lines)
  })

  it('takes a line of exactly the bound and refuses one byte more, ended or not, in one piece or in many', async () => {
    const full = 'x'.repeat(100)
    assert.deepEqual(await split([Buffer.from(`${full}\n${full}\n`)], 100), [full, full])
    const tooLong = [[`${full}x\n`], [`${full}x`], [full, 'x', '\n'], [`ok\n${full}`, 'x\n'], [...`${full}x`]]
    for (const pieces of tooLong) {
      await assert.rejects(
        split(
          pieces.map(piece => Buffer.from(piece)),
          100,
        ),
        LineTooLong,
      )
    }
  })

  it('hands out a line before the next bytes are asked for', async () => {
    let asked = 0
    const source = (async function* () {
      asked++
      yield Buffer.from('one\ntw')
      asked++
      yield Buffer.from('o\n')
    })()
    const reader = splitLines(source, 100)
    assert.equal((await reader.next()).value?.text, 'one')
    assert.equal(asked, 1)
    assert.equal((await reader.next()).value?.text, 'two')
  })
})
