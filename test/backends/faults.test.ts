import assert from 'node:assert/strict'
import { it } from 'node:test'
import { ask, assertSentence, pair } from './asking.ts'
import {
  CUT_LINE,
  commonFaults,
  end,
  type Fault,
  flood,
  testFaults,
  turn,
  UNFINISHED,
  writerOf,
} from './faults.ts'
import { DONE, HEAD, said, stream } from './raw-server.ts'

const { UNTIL_CLOSE, inChunks } = writerOf(HEAD)

const FAULTS: Fault[] = [
  ...commonFaults({ head: HEAD, said, done: DONE, cut: '{"message":{"content":"' }),
  {
    name: 'cut in a UTF-8 character',
    send: end(Buffer.from(UNTIL_CLOSE + said('好')).subarray(0, -24)),
    fails: CUT_LINE,
  },
  // An end that is none.
  { name: 'no final record', send: inChunks(said('a')), fails: UNFINISHED, text: 'a' },
  // Errors in the stream.
  {
    name: 'an error line',
    send: inChunks(
      said('a'),
      '{"error":"an error was encountered while running the model: unexpected EOF"}\n',
    ),
    fails: ['stream', /unexpected EOF"\): the process that runs "m" died/],
    text: 'a',
  },
  {
    name: 'an error line that is an object',
    send: inChunks('{"error":{"code":500,"message":"it hurts"}}\n'),
    fails: ['stream', /"it hurts"/],
  },
  {
    name: 'an error line about a malformed call',
    send: inChunks(
      said('a'),
      '{"error":"error parsing tool call: raw=\'{\', err=unexpected end of JSON input"}\n',
    ),
    fails: ['stream', /tool call that Ollama could not read/],
    remedy: 'malformed_call',
    text: 'a',
  },
  // Lines that are none.
  {
    name: 'plain words',
    send: inChunks('Ollama is running\n'),
    fails: ['stream', /sent "Ollama is running" where a JSON object/],
  },
  { name: 'a number', send: inChunks('42\n', DONE), fails: ['stream', /sent "42" where/] },
  { name: 'a list', send: inChunks('[1]\n', DONE), fails: ['stream', /sent "\[1\]" where/] },
  { name: 'NUL bytes', send: inChunks('\0\0\0\n', DONE), fails: ['stream', /sent "\ufffd{3}" where/] },
  {
    name: 'two objects on a line',
    send: inChunks(said('a').trim() + DONE),
    fails: ['stream', /where a JSON object was expected/],
  },
  {
    name: 'broken JSON in the middle',
    send: inChunks(said('a'), '{"message":\n', DONE),
    fails: ['stream', /sent "\{"message":" where/],
    text: 'a',
  },
  // Fields of the wrong kind.
  {
    name: 'content that is a number',
    send: inChunks('{"message":{"content":5},"done":false}\n'),
    fails: ['stream', /\(message\.content is a number, not a text\)/],
  },
  {
    name: 'a message that is a text',
    send: inChunks('{"message":"hi","done":false}\n'),
    fails: ['stream', /\(message is a string, not an object\)/],
  },
  {
    name: 'no message',
    send: inChunks('{"done":false}\n'),
    fails: ['stream', /\(message is missing, not an object\)/],
  },
  {
    name: 'calls that are an object',
    send: inChunks('{"message":{"tool_calls":{}},"done":false}\n'),
    fails: ['stream', /tool_calls is an object, not a list/],
  },
  {
    name: 'a call without a name',
    send: inChunks('{"message":{"tool_calls":[{"function":{}}]},"done":false}\n'),
    fails: ['stream', /a tool call has no name/],
    remedy: 'malformed_call',
  },
  {
    name: 'arguments that are no JSON',
    send: inChunks('{"message":{"tool_calls":[{"function":{"name":"ls","arguments":"{"}}]},"done":false}\n'),
    fails: ['stream', /arguments of the tool call "ls" are no JSON/],
    remedy: 'malformed_call',
  },
  { name: 'CRLF', text: 'a', send: inChunks(said('a').replace('\n', '\r\n'), DONE.replace('\n', '\r\n')) },
  { name: 'empty lines between', text: 'ab', send: inChunks(`${said('a')}\n\n`, said('b'), DONE) },
  { name: 'done twice', text: 'a', send: inChunks(said('a'), DONE, DONE) },
  { name: 'text after done', text: 'a', send: inChunks(said('a'), DONE, said('b'), 'garbage') },
  {
    name: 'text after done without an end',
    text: 'a',
    send: socket => {
      socket.write(UNTIL_CLOSE + said('a') + DONE)
      return flood(socket, Buffer.alloc(10_000, 'x'))
    },
  },
  {
    name: 'done, and the connection reset',
    text: 'a',
    send: async socket => {
      socket.write(UNTIL_CLOSE + said('a') + DONE)
      await turn()
      socket.destroy()
    },
  },
  {
    name: '100 Continue first',
    text: 'a',
    send: socket => void socket.end(`HTTP/1.1 100 Continue\r\n\r\n${stream(said('a'), DONE)}`),
  },
  {
    name: 'fields that are null',
    text: 'a',
    send: inChunks(
      said('a'),
      '{"message":{"content":null,"thinking":null,"tool_calls":null},"done":false}\n',
      DONE,
    ),
  },
  { name: 'done without a message', text: 'a', send: inChunks(said('a'), '{"done":true}\n') },
]

testFaults(FAULTS, pair)

it('an error whose body comes drop by drop is waited for no longer than ten seconds, however patient gopi is', async t => {
  const patience: number[] = []
  const later = setTimeout
  t.mock.method(globalThis, 'setTimeout', (act: () => void, ms = 0, ...rest: []) => {
    if (ms < 1_000) return later(act, ms, ...rest)
    patience.push(ms)
    // What is waited for so long begins now.
    return later(act, ms === 10_000 ? 50 : ms, ...rest)
  })
  const { server, model } = await pair(
    t,
    async (_, socket) => {
      socket.write('HTTP/1.1 500 Oh\r\nConnection: close\r\n\r\n')
      for (; !socket.destroyed; await turn()) socket.write('x')
    },
    { lineBound: 10_000, timeout: 600_000 },
  )
  const { error } = await ask(model)
  assertSentence(error)
  assert.equal(error.code, 'stream')
  assert.ok(patience.includes(10_000))
  await server.allClosed()
})
