import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { readStandardInput } from '../../src/cli/stdin.ts'

test('an input that does not end for a while is told about, once, and read to its end all the same', async () => {
  const input = new PassThrough()
  let told = 0
  const text = readStandardInput(
    () => {
      told++
      input.end('rest')
    },
    { input, slowAfter: 1 },
  )
  input.write('begun, ')
  assert.equal(await text, 'begun, rest')
  assert.equal(told, 1)
})

test('an input that ends in time is not told about; characters cut by a chunk are whole', async () => {
  const input = new PassThrough()
  const [first, second] = [Buffer.from('日本').subarray(0, 4), Buffer.from('日本').subarray(4)]
  input.write(first)
  input.end(second)
  const text = await readStandardInput(() => assert.fail('told'), { input })
  assert.equal(text, '日本')
})

test('a terminal is not read; a broken pipe is as good as its end; more than any model reads is refused', async () => {
  const quiet = () => assert.fail('told')
  const terminal = Object.assign(new PassThrough(), { isTTY: true })
  assert.equal(await readStandardInput(quiet, { input: terminal }), '')

  const broken = new PassThrough()
  broken.write('all there is')
  setImmediate(() => broken.destroy(new Error('EIO')))
  assert.equal(await readStandardInput(quiet, { input: broken }), 'all there is')

  const endless = new PassThrough()
  endless.end(Buffer.alloc(8_000_001))
  await assert.rejects(readStandardInput(quiet, { input: endless }), /more than 8 MB.*name a file/)
})
