import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodeCommand, type Frame, FrameReader, quote } from '../../src/shell/framing.ts'

test('a quoted text is one word whatever is in it', () => {
  assert.equal(quote(''), "''")
  assert.equal(quote('a b'), "'a b'")
  assert.equal(quote("it's"), "'it'\\''s'")
  assert.equal(quote('$(x) `y` \\ ! "\n\''), "'$(x) `y` \\ ! \"\n'\\'''")
})

const frame = { token: 'T1', pipe: '/tmp/p', status: 0, flags: 'hBs' }

test('a command is one word for eval, with its own input and output and without the control descriptor', () => {
  const [first] = encodeCommand('echo hi', frame).split('\n')
  assert.equal(first, "! \\builtin eval 'echo hi' </dev/null >|'/tmp/p' 2>&1 29>&-")
})

test('the flags that are off between commands are set again in the command, the others are not touched', () => {
  assert.match(encodeCommand('x', { ...frame, flags: 'ehuvxBs' }), /eval '\\builtin set -evx;x'/)
  assert.match(encodeCommand('x', { ...frame, flags: 'huBs' }), /eval 'x'/)
})

test('the last status stands before the command', () => {
  assert.match(encodeCommand('x', { ...frame, status: 3 }), /^\(\\builtin exit 3\)\n! /)
})

const answer = '/home/a b\n\0T1 3 ehBs\0declare -x A="1"\n\0'
const expected: Frame = { status: 3, flags: 'ehBs', cwd: '/home/a b', exports: 'declare -x A="1"\n' }

test('an answer is found however its bytes are cut', () => {
  for (let cut = 0; cut <= answer.length; cut++) {
    const reader = new FrameReader()
    reader.push(Buffer.from(answer.slice(0, cut)))
    if (cut < answer.length) assert.equal(reader.take('T1'), undefined, `cut at ${cut}`)
    reader.push(Buffer.from(answer.slice(cut)))
    assert.deepEqual(reader.take('T1'), expected, `cut at ${cut}`)
    assert.equal(reader.take('T1'), undefined, 'an answer is taken once')
  }
})

test('bytes that carry another token are no answer, and no directory', () => {
  const reader = new FrameReader()
  reader.push(Buffer.from('noise\0T0 0 h\0x\0'))
  assert.equal(reader.take('T1'), undefined)
  reader.push(Buffer.from(answer))
  assert.deepEqual(reader.take('T1'), { ...expected, cwd: undefined })
})

test('a directory is UTF-8, and none when bash does not know it; exports keep their bytes', () => {
  const reader = new FrameReader()
  reader.push(Buffer.from('/tmp/ü\n\0T2 0 h\0declare -x A="é"\n\0'))
  const first = reader.take('T2')
  assert.equal(first?.cwd, '/tmp/ü')
  assert.equal(Buffer.from(first?.exports ?? '', 'latin1').toString(), 'declare -x A="é"\n')
  reader.push(Buffer.from('\0T3 0 h\0\0'))
  assert.equal(reader.take('T3')?.cwd, undefined)
})
