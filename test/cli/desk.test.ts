import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import type { ReadStream, WriteStream } from 'node:tty'
import { openDesk } from '../../src/cli/desk.ts'

/** A terminal of so many columns, with keys that are pressed already. */
function terminal(columns: number, keys: string) {
  const [input, output] = [new PassThrough(), new PassThrough()]
  input.end(keys)
  const desk = openDesk(
    Object.assign(input, { setRawMode: () => input }) as unknown as ReadStream,
    Object.assign(output, { columns }) as unknown as WriteStream,
  )
  return { desk, rows: () => String(output.read() ?? '').split('\n') }
}

test('what the setup says is broken between words, and below a key where its text begins', async () => {
  const { desk, rows } = terminal(24, 'p')
  desk.say('There is no model yet: "ollama pull qwen3:8b" gets one.')
  desk.progress('almost')
  desk.say('Done.')
  assert.equal(await desk.choose([{ key: 'p', text: 'get qwen3:8b from the registry' }]), 'p')
  assert.deepEqual(rows(), [
    'There is no model yet:',
    '"ollama pull qwen3:8b"',
    'gets one.',
    '\r\x1b[Kalmost\r\x1b[KDone.',
    '  p  get qwen3:8b from',
    '     the registry',
    '',
  ])
})
