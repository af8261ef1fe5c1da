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
} from '../faults.ts'
import { chunk, json } from '../raw-server.ts'
import { DONE, delta, event, HEAD, LAST, pair, STOP, said, USAGE } from './asking.ts'

const { CHUNKED, UNTIL_CLOSE, inChunks } = writerOf(HEAD)

const FAULTS: Fault[] = [
  ...commonFaults({ head: HEAD, said, done: DONE, cut: 'data: {"choices":[{"delta":{"content":"' }),
  {
    name: 'cut in a UTF-8 character',
    send: end(Buffer.from(UNTIL_CLOSE + said('好')).subarray(0, -32)),
    fails: CUT_LINE,
  },
  // An end that is none.
  { name: 'no last event', send: inChunks(said('a')), fails: UNFINISHED, text: 'a' },
  // Errors in the stream.
  {
    name: 'an error event',
    send: inChunks(said('a'), event({ error: { message: 'it hurts', type: 'server_error', code: 500 } })),
    fails: ['stream', /"it hurts"\): ask again/],
    text: 'a',
  },
  {
    name: 'an error event that is a text',
    send: inChunks('event: error\n', event({ error: 'overloaded_error: Overloaded' })),
    fails: ['busy', /too much to do/],
  },
  {
    name: 'an error as old vLLM sends it',
    send: inChunks(
      event({ object: 'error', message: "This model's maximum context length is 8 tokens", code: 400 }),
    ),
    fails: ['context', /no longer fits into the context of "m"/],
  },
  {
    name: 'an error event about a malformed call',
    send: inChunks(
      said('a'),
      event({ error: { message: 'failed to parse tool call: unexpected end of JSON' } }),
    ),
    fails: ['stream', /tool call that the server could not read/],
    remedy: 'malformed_call',
    text: 'a',
  },
  // Lines that are none.
  {
    name: 'plain words',
    send: inChunks('Ollama is running\n', DONE),
    fails: ['stream', /sent "Ollama is running" where a JSON object/],
  },
  { name: 'a number', send: inChunks(event('42'), DONE), fails: ['stream', /sent "42" where/] },
  { name: 'a list', send: inChunks(event('[1]'), DONE), fails: ['stream', /sent "\[1\]" where/] },
  { name: 'NUL bytes', send: inChunks(event('\0\0\0'), DONE), fails: ['stream', /sent "\ufffd{3}" where/] },
  {
    name: 'two objects in an event',
    send: inChunks(event('{}{}'), DONE),
    fails: ['stream', /where a JSON object was expected/],
  },
  {
    name: 'broken JSON in the middle',
    send: inChunks(said('a'), event('{"choices":'), DONE),
    fails: ['stream', /sent "\{"choices":" where/],
    text: 'a',
  },
  // Fields of the wrong kind.
  {
    name: 'content that is a number',
    send: inChunks(delta({ content: 5 }), DONE),
    fails: ['stream', /\(content is a number, not a text\)/],
  },
  {
    name: 'a delta that is a text',
    send: inChunks(event({ choices: [{ delta: 'hi' }] }), DONE),
    fails: ['stream', /\(delta is a string, not an object\)/],
  },
  {
    name: 'choices that are an object',
    send: inChunks(event({ choices: {} }), DONE),
    fails: ['stream', /\(choices is an object, not a list\)/],
  },
  {
    name: 'a choice that is a number',
    send: inChunks(event({ choices: [1] }), DONE),
    fails: ['stream', /\(a choice is a number, not an object\)/],
  },
  {
    name: 'reasoning that is a list',
    send: inChunks(delta({ reasoning_content: [] }), DONE),
    fails: ['stream', /\(reasoning_content is a list, not a text\)/],
  },
  {
    name: 'calls that are an object',
    send: inChunks(delta({ tool_calls: {} }), DONE),
    fails: ['stream', /tool_calls is an object, not a list/],
  },
  {
    name: 'a call that is a text',
    send: inChunks(delta({ tool_calls: ['ls'] }), DONE),
    fails: ['stream', /a tool call is a string/],
    remedy: 'malformed_call',
  },
  {
    name: 'a call without a name',
    send: inChunks(delta({ tool_calls: [{ index: 0, function: {} }] }), DONE),
    fails: ['stream', /a tool call has no name/],
    remedy: 'malformed_call',
  },
  {
    name: 'arguments that are no JSON',
    send: inChunks(delta({ tool_calls: [{ index: 0, function: { name: 'ls', arguments: '{' } }] }), DONE),
    fails: ['stream', /arguments of the tool call "ls" are no JSON/],
    remedy: 'malformed_call',
  },
  {
    name: 'arguments that are a list',
    send: inChunks(delta({ tool_calls: [{ index: 0, function: { name: 'ls', arguments: '[]' } }] }), DONE),
    fails: ['stream', /arguments of the tool call "ls" are a list/],
    remedy: 'malformed_call',
  },
  {
    name: 'CRLF',
    text: 'a',
    send: inChunks((said('a') + DONE).replaceAll('\n', '\r\n')),
  },
  {
    name: 'no blank after data:',
    text: 'a',
    send: inChunks((said('a') + DONE).replaceAll('data: ', 'data:')),
  },
  {
    name: 'comments, names, ids and pauses',
    text: 'ab',
    send: inChunks(
      ': PROCESSING\n\n',
      `event: message\nid: 7\nretry: 10\n${said('a')}`,
      'data:\n\n',
      said('b'),
      DONE,
    ),
  },
  { name: 'ended without a last word', text: 'a', send: inChunks(said('a'), STOP) },
  { name: 'a last word without a reason', text: 'a', send: inChunks(said('a'), LAST) },
  { name: 'figures with every chunk', text: 'a', send: inChunks(USAGE, said('a'), USAGE, STOP, LAST) },
  { name: 'text after the end', text: 'a', send: inChunks(said('a'), DONE, said('b'), 'garbage') },
  {
    name: 'text after the end without an end',
    text: 'a',
    send: socket => {
      socket.write(UNTIL_CLOSE + said('a') + DONE)
      return flood(socket, Buffer.alloc(10_000, 'x'))
    },
  },
  {
    name: 'a reason, and then nothing any more',
    text: 'a',
    send: socket => {
      socket.write(CHUNKED + chunk(said('a') + STOP))
    },
  },
  {
    name: 'a reason, and the connection reset',
    text: 'a',
    send: async socket => {
      socket.write(CHUNKED + chunk(said('a') + STOP))
      await turn()
      socket.destroy()
    },
  },
  {
    name: '100 Continue first',
    text: 'a',
    send: socket => void socket.end(`HTTP/1.1 100 Continue\r\n\r\n${UNTIL_CLOSE}${said('a')}${DONE}`),
  },
  {
    name: 'fields that are null',
    text: 'a',
    send: inChunks(
      event({ choices: null, usage: null, error: null }),
      said('a'),
      delta({
        role: 'assistant',
        content: null,
        reasoning_content: null,
        tool_calls: null,
        function_call: null,
      }),
      DONE,
    ),
  },
  {
    name: 'no stream but a whole answer',
    text: 'a',
    send: end(json({ choices: [{ message: { role: 'assistant', content: 'a' }, finish_reason: 'stop' }] })),
  },
  {
    name: 'content in parts',
    text: 'ab',
    send: inChunks(delta({ content: [{ text: 'a' }, { text: 'b' }] }), DONE),
  },
]

testFaults(FAULTS, pair)
