import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDialect } from '../../src/dialect/create.ts'
import type { Message } from '../../src/protocol/messages.ts'
import type { Piece } from '../../src/protocol/wire.ts'
import { assistant, result, user } from './history.ts'
import { readPieces, readText, TOOLS } from './replies.ts'

const native = createDialect('native')
const call = (id: string, path: string) => ({ id, name: 'read', arguments: { path } })

test('the request carries the tools as they are, and nothing where there are none', () => {
  assert.deepEqual(native.request(TOOLS), { tools: TOOLS })
  assert.equal(JSON.stringify(native.request(TOOLS)), JSON.stringify(native.request([...TOOLS])))
  assert.deepEqual(native.request([]), {})
})

test('calls of the server pass through with their ids, beside the text', () => {
  const pieces: Piece[] = [
    { type: 'thinking', text: 'hm' },
    { type: 'text', text: 'I will read two files.' },
    { type: 'call', id: 'call_1', name: 'read', arguments: { path: 'a' } },
    { type: 'call', name: 'no_such_tool', arguments: {} },
  ]
  assert.deepEqual(readPieces('native', pieces), {
    text: 'I will read two files.',
    thinking: 'hm',
    calls: [
      { id: 'call_1', name: 'read', arguments: { path: 'a' } },
      { name: 'no_such_tool', arguments: {} },
    ],
    content: 'I will read two files.',
    done: false,
    textCalls: false,
    unreadable: undefined,
  })
})

test('beside a call of the server, text is only text', () => {
  const written = '<tool_call>{"name": "ls", "arguments": {}}</tool_call>'
  const served: Piece = { type: 'call', id: 'c', name: 'read', arguments: { path: 'a' } }
  const half = written.slice(0, 30)
  for (const pieces of [
    [served, { type: 'text', text: written }],
    [{ type: 'text', text: half }, served, { type: 'text', text: written.slice(30) }],
  ] as Piece[][]) {
    const reply = readPieces('native', pieces)
    assert.deepEqual(reply.calls, [{ id: 'c', name: 'read', arguments: { path: 'a' } }])
    assert.deepEqual([reply.text, reply.textCalls], [written, false])
  }
})

test('thinking that is written into the text is thinking, at the start only', () => {
  const reply = readText('native', '\n<think>\nfirst a,\nthen b\n</think>\n\nThe <think> tag.')
  assert.equal(reply.thinking, 'first a,\nthen b')
  assert.equal(reply.text, 'The <think> tag.')
  assert.equal(reply.content, '\n<think>\nfirst a,\nthen b\n</think>\n\nThe <think> tag.')
  assert.equal(readText('native', '<think></think>Yes').text, 'Yes')
  assert.equal(readText('native', '<thin').text, '<thin')
  assert.equal(readText('native', '<think>never ends </th').thinking, 'never ends </th')
})

test('a call in the thoughts counts when the reply holds nothing else, and goes back as data', () => {
  const marked = 'So: <tool_call>{"name": "ls", "arguments": {}}</tool_call>'
  const alone = readPieces('native', [{ type: 'thinking', text: marked }])
  assert.deepEqual([alone.calls, alone.textCalls], [[{ name: 'ls', arguments: {} }], false])
  const answered = readPieces('native', [
    { type: 'thinking', text: marked },
    { type: 'text', text: 'Done.' },
  ])
  assert.deepEqual(answered.calls, [])
  const cut = readPieces('native', [{ type: 'thinking', text: marked }], { end: 'length' })
  assert.deepEqual(cut.calls, [])
  const sketched = readPieces('native', [{ type: 'thinking', text: '{"name": "ls", "arguments": {}}' }])
  assert.deepEqual(sketched.calls, [], 'a sketch without a marker is a thought')
})

test('a reply of nothing is swallowed; one that was cut or only thought is not', () => {
  assert.equal(readPieces('native', []).unreadable?.kind, 'swallowed')
  assert.equal(readText('native', ' \n').unreadable?.kind, 'swallowed')
  assert.equal(readPieces('native', [], { end: 'cut' }).unreadable, undefined)
  assert.equal(readPieces('native', [{ type: 'thinking', text: 'hm' }]).unreadable, undefined)
})

test('history: calls go without text, results with name and id', () => {
  const history = [
    user('hello'),
    assistant('I will look.', { tool_calls: [call('c1', 'a'), call('c2', 'b')] }),
    result('c1', 'A'),
    result('c2', 'B'),
    assistant('Both read.'),
  ]
  assert.deepEqual(native.encode(history), [
    { role: 'user', content: 'hello' },
    {
      role: 'assistant',
      content: '',
      tool_calls: [
        { id: 'c1', function: { name: 'read', arguments: { path: 'a' } } },
        { id: 'c2', function: { name: 'read', arguments: { path: 'b' } } },
      ],
    },
    { role: 'tool', content: 'A', tool_name: 'read', tool_call_id: 'c1' },
    { role: 'tool', content: 'B', tool_name: 'read', tool_call_id: 'c2' },
    { role: 'assistant', content: 'Both read.' },
  ])
})

test('history: a rescued call goes as the text that was generated', () => {
  const content = '{"name": "read", "arguments": {"path": "a"}}'
  const history = [
    user('x'),
    assistant(content, { tool_calls: [call('c1', 'a')], text_calls: true }),
    result('c1', 'A'),
  ]
  assert.deepEqual(native.encode(history).slice(1), [
    { role: 'assistant', content },
    { role: 'tool', content: 'A', tool_name: 'read', tool_call_id: 'c1' },
  ])
})

test('history: thinking goes back inside its own tool loop and nowhere else', () => {
  const loop: Message[] = [
    user('x'),
    assistant('', { thinking: 'first', tool_calls: [call('c1', 'a')] }),
    result('c1', 'A'),
    assistant('Done.', { thinking: 'second' }),
  ]
  const thinking = (history: Message[]) => native.encode(history).map(message => message.thinking)
  assert.deepEqual(thinking(loop), [undefined, 'first', undefined, 'second'])
  assert.deepEqual(thinking([...loop, user('next')]), [undefined, undefined, undefined, undefined, undefined])
})

test('history: neighbouring user messages are one, empty assistant messages none', () => {
  const history = [
    { ...user('one'), images: ['AAA='] },
    user('two'),
    assistant('', { thinking: 'only thought' }),
    { ...user('three'), images: ['BBB='] },
  ]
  assert.deepEqual(native.encode(history), [
    { role: 'user', content: 'one\n\ntwo\n\nthree', images: ['AAA=', 'BBB='] },
  ])
})

test('history: an answer that was cut by steering stays, the words follow', () => {
  const history = [user('x'), assistant('The fi', { stop_reason: 'steer' }), user('no, b')]
  assert.deepEqual(
    native.encode(history).map(({ role, content }) => [role, content]),
    [
      ['user', 'x'],
      ['assistant', 'The fi'],
      ['user', 'no, b'],
    ],
  )
})
