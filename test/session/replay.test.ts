import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { KeptEvent, PartialEntry } from '../../src/protocol/events.ts'
import { replay } from '../../src/session/replay.ts'

let ids = 0
const newId = () => `new${ids++}`

const lines = (...entries: (KeptEvent | PartialEntry | string)[]): string =>
  entries.map(entry => `${typeof entry === 'string' ? entry : JSON.stringify(entry)}\n`).join('')

const header: KeptEvent = { type: 'header', version: 1, id: 'abc', cwd: '/p' }
const start: KeptEvent = { type: 'agent_start' }
const end: KeptEvent = { type: 'agent_end', reason: 'done', turns: 1 }
const user = (id: string, content: string): KeptEvent => ({ type: 'message', id, role: 'user', content })
const said = (id: string, content: string): KeptEvent => ({
  type: 'message',
  id,
  role: 'assistant',
  content,
  stop_reason: 'stop',
})
const calls = (id: string, ...names: string[]): KeptEvent => ({
  type: 'message',
  id,
  role: 'assistant',
  content: '',
  tool_calls: names.map(name => ({ id: `call_${name}`, name, arguments: {} })),
  stop_reason: 'calls',
})
const result = (name: string): KeptEvent => ({
  type: 'message',
  id: `r${name}`,
  role: 'tool',
  content: 'ok',
  tool_call_id: `call_${name}`,
  tool_name: name,
  is_error: false,
})

test('a whole journal replays to its history and needs no repair', () => {
  const state = replay(
    lines(header, start, user('1', 'hi'), calls('2', 'ls'), result('ls'), said('3', 'yo'), end),
    newId,
  )
  assert.equal(state.id, 'abc')
  assert.deepEqual(
    state.history.map(({ role }) => role),
    ['user', 'assistant', 'tool', 'assistant'],
  )
  assert.deepEqual([state.repairs, state.badLines, state.unsent], [[], [], []])
})

test('a crash at any byte loses nothing that was written, and the mended journal needs no second mending', () => {
  const text = lines(
    header,
    start,
    user('1', 'hi'),
    { type: 'turn_start' },
    { type: 'message_partial', message_id: '2', text: 'half ' },
    { type: 'message_partial', message_id: '2', text: 'said' },
    { ...calls('2', 'a', 'b'), content: 'half said all' } as KeptEvent,
    result('a'),
    result('b'),
    { type: 'turn_end' },
    { type: 'message_partial', message_id: '3', text: 'the end' },
    said('3', 'the end.'),
    end,
  )
  for (let cut = 0; cut <= text.length; cut++) {
    const torn = text.slice(0, cut)
    const state = replay(torn, newId)
    const whole = torn.slice(0, torn.lastIndexOf('\n') + 1)
    for (const match of whole.matchAll(/"role":"(\w+)".*/g))
      assert.ok(state.history.some(({ role }) => role === match[1]))
    assertValid(state.history, `cut at ${cut}`)
    const newline = torn === '' || torn.endsWith('\n') ? '' : '\n'
    const again = replay(torn + newline + lines(...state.repairs), newId)
    assert.deepEqual(again.repairs, [], `cut at ${cut}`)
    assert.deepEqual(again.history, state.history, `cut at ${cut}`)
  }
})

function assertValid(history: ReturnType<typeof replay>['history'], where: string): void {
  const asked = history.flatMap(message => (message.role === 'assistant' ? (message.tool_calls ?? []) : []))
  const answered = history.flatMap(message => (message.role === 'tool' ? [message.tool_call_id] : []))
  assert.deepEqual(
    answered,
    asked.map(({ id }) => id),
    where,
  )
}

test('what a reply had said when gopi died is kept as an aborted message', () => {
  const partial = (text: string): PartialEntry => ({ type: 'message_partial', message_id: '2', text })
  const state = replay(lines(header, start, user('1', 'hi'), partial('half '), partial('said')), newId)
  const last = state.history.at(-1)
  assert.equal(last?.role === 'assistant' && last.content, 'half said')
  assert.equal(last?.role === 'assistant' && last.stop_reason, 'aborted')
  assert.deepEqual(
    state.repairs.map(({ type }) => type),
    ['message', 'agent_end'],
  )
})

test('what came to nothing is not brought back: a blank reply, or one that was dropped turns ago', () => {
  const partial = (id: string, text: string): PartialEntry => ({
    type: 'message_partial',
    message_id: id,
    text,
  })
  const turn: KeptEvent = { type: 'turn_start' }
  const blank = replay(lines(header, start, user('1', 'hi'), turn, partial('2', ' \n')), newId)
  assert.deepEqual(
    blank.repairs.map(({ type }) => type),
    ['turn_end', 'agent_end'],
  )
  const rows = [user('3', 'note'), { type: 'turn_end' } as const]
  for (const after of rows) {
    const dropped = replay(lines(header, start, user('1', 'hi'), turn, partial('2', 'gone'), after), newId)
    assert.equal(
      dropped.history.some(({ role }) => role === 'assistant'),
      false,
    )
  }
})

test('a call in the middle of the history without a result gets one right behind it, in the order of the calls', () => {
  const state = replay(
    lines(header, start, user('1', 'hi'), calls('2', 'a', 'b'), result('b'), user('3', 'go on'), end),
    newId,
  )
  assert.deepEqual(
    state.history.map(message => (message.role === 'tool' ? message.tool_name : message.role)),
    ['user', 'assistant', 'a', 'b', 'user'],
  )
})

test('lines that are no entries are left out and told, wherever they stand; unknown types and fields are ignored', () => {
  const state = replay(
    lines(
      header,
      'no json',
      user('1', 'hi'),
      '{"type":"message","role":"user"}',
      '{"type":"from_the_future","x":1}',
      '[1]',
      '',
      '{"type":"message","id":"9","role":"user","content":"yes","colour":"red"}',
    ),
    newId,
  )
  assert.deepEqual(state.badLines, [2, 4, 6])
  assert.deepEqual(
    state.history.map(({ content }) => content),
    ['hi', 'yes'],
  )
})

test('words that were typed and neither sent nor taken back are found again', () => {
  const state = replay(
    lines(
      header,
      { type: 'steer', id: 's1', content: 'sent' },
      { type: 'follow_up', id: 'f1', content: 'waits' },
      { type: 'follow_up', id: 'f2', content: 'taken back' },
      user('s1', 'sent'),
      { type: 'queue_removed', id: 'f2' },
    ),
    newId,
  )
  assert.deepEqual(state.unsent, [{ id: 'f1', content: 'waits' }])
})
