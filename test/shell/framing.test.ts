import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodeCommand, type Frame, FrameReader } from '../../src/shell/framing.ts'
import { shellWord } from '../../src/text/shell-word.ts'

test('a quoted text is one word whatever is in it', () => {
  assert.equal(shellWord(''), "''")
  assert.equal(shellWord('a b'), "'a b'")
  assert.equal(shellWord("it's"), "'it'\\''s'")
  assert.equal(shellWord('$(x) `y` \\ ! "\n\''), "'$(x) `y` \\ ! \"\n'\\'''")
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

const exports = 'declare -x A="1"\n'
const answer = `=T1 /home/a b\n\0T1 3 ehBs\0${exports}\0`
const expected: Frame = { status: 3, flags: 'ehBs', cwd: '/home/a b' }

test('an answer is found however its bytes are cut, and the exported variables after it', () => {
  for (let cut = 0; cut <= answer.length; cut++) {
    const reader = new FrameReader()
    const parts = [answer.slice(0, cut), answer.slice(cut)]
    const frames = parts.flatMap(part => reader.push(Buffer.from(part), 'T1') ?? [])
    assert.deepEqual(frames, [expected], `cut at ${cut}`)
    assert.equal(reader.exports, exports)
  }
})

test('the answer is there before the exported variables, which are owed until they have come whole', () => {
  const reader = new FrameReader()
  reader.push(Buffer.from(answer), 'T1')
  assert.equal(reader.isOwing, false)
  assert.deepEqual(reader.push(Buffer.from('=T2 /\n\0T2 0 h\0declare -x B='), 'T2'), {
    ...{ status: 0, flags: 'h', cwd: '/' },
  })
  assert.equal(reader.isOwing, true)
  assert.equal(reader.exports, exports)
  reader.push(Buffer.from('"2"\n\0'), undefined)
  assert.equal(reader.isOwing, false)
  assert.equal(reader.exports, 'declare -x B="2"\n')
})

test('bytes that carry another token are no answer and no directory', () => {
  const reader = new FrameReader()
  assert.equal(reader.push(Buffer.from('noise\0T0 0 h\0x\0more '), 'T1'), undefined)
  assert.equal(reader.push(Buffer.from('=T0 /x\n\0/y\n\0/'), 'T1'), undefined)
  assert.deepEqual(reader.push(Buffer.from(answer), 'T1'), expected)
  assert.equal(reader.exports, exports)
})

test('a directory is UTF-8, and none when bash does not know it; exports keep their bytes', () => {
  const reader = new FrameReader()
  const first = reader.push(Buffer.from('=T2 /tmp/ü\n\0T2 0 h\0declare -x A="é"\n\0'), 'T2')
  assert.equal(first?.cwd, '/tmp/ü')
  assert.equal(Buffer.from(reader.exports ?? '', 'latin1').toString(), 'declare -x A="é"\n')
  assert.equal(reader.push(Buffer.from('=T3 \0T3 0 h\0\0'), 'T3')?.cwd, undefined)
})
