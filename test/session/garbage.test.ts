/** Whatever stands in a journal: replaying it never throws, and what comes of it can be sent. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Replayed } from '../../src/session/replay.ts'
import { assertResumable } from '../support/resumable.ts'

/** Numbers from 0 to 1, the same ones every time. */
function randomly(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }
}

type Line = Record<string, unknown>
const call = (id: string) => ({ id, name: 'ls', arguments: {} })
const usage = {
  ...{ prompt_tokens: 1, completion_tokens: 1, context_tokens: 2, read_tokens: 1, reused_tokens: 0 },
  ...{ estimated: true, load_ms: 0, prefill_ms: 1, decode_ms: 1 },
}
const seen = [{ path: '/a', size: 1, mtime_ms: 1, hash: 'x' }]
const tools = [
  {
    type: 'function',
    function: {
      name: 'ls',
      description: 'Lists.',
      parameters: { type: 'object', properties: { path: { type: 'string' } }, required: [] },
    },
  },
]

/** An entry of every type, in an order as a session has it. */
const whole: readonly Line[] = [
  { type: 'header', version: 1, id: 'abc', cwd: '/p' },
  { type: 'mode_change', mode: 'plan' },
  { type: 'model_change', model: 'm', tool_calling: 'native', num_ctx: 4096 },
  { type: 'prompt', system: 'You.', tools },
  { type: 'agent_start' },
  { type: 'message', id: 'u1', role: 'user', content: 'hi', shown: 'h', seen, images: ['aGk='] },
  { type: 'turn_start' },
  { type: 'message_partial', message_id: 'a1', text: 'so' },
  {
    type: 'message',
    id: 'a1',
    role: 'assistant',
    content: 'so',
    tool_calls: [call('c1'), call('c2')],
    stop_reason: 'calls',
    usage,
  },
  { type: 'tool_call_start', tool_call_id: 'c1', name: 'ls', arguments: {} },
  { type: 'permission', tool_call_id: 'c1', decision: 'allow', by: 'mode', why: 'w' },
  { type: 'tool_call_end', tool_call_id: 'c1', is_error: false, duration_ms: 1 },
  {
    type: 'message',
    id: 't1',
    role: 'tool',
    content: 'x',
    tool_call_id: 'c1',
    tool_name: 'ls',
    is_error: false,
    details: { seen: seen[0] },
  },
  {
    type: 'message',
    id: 't2',
    role: 'tool',
    content: 'y',
    tool_call_id: 'c2',
    tool_name: 'ls',
    is_error: false,
  },
  { type: 'turn_end' },
  { type: 'steer', id: 's1', content: 'wait' },
  { type: 'follow_up', id: 'f1', content: 'then' },
  { type: 'queue_removed', id: 'f1' },
  { type: 'message', id: 's1', role: 'user', content: 'wait' },
  {
    type: 'message',
    id: 'a2',
    role: 'assistant',
    content: 'Action: ls',
    tool_calls: [call('c3')],
    text_calls: true,
    thinking: 'hm',
    stop_reason: 'calls',
  },
  {
    type: 'message',
    id: 't3',
    role: 'tool',
    content: 'z',
    tool_call_id: 'c3',
    tool_name: 'ls',
    is_error: true,
  },
  { type: 'notice', code: 'disk', message: 'full' },
  { type: 'error', code: 'internal', message: 'bug' },
  {
    type: 'compaction',
    id: 'k',
    summary: 'sum',
    token_before: 9,
    token_after: 3,
    kept: ['s1', 'a2', 't3'],
    cut: { t3: 'cut' },
  },
  { type: 'message', id: 'a3', role: 'assistant', content: 'end', stop_reason: 'stop', usage },
  { type: 'thread_start', thread: 'side', base: 's1' },
  { type: 'model_change', thread: 'side', model: 'm', tool_calling: 'react', num_ctx: 4096 },
  { type: 'message', thread: 'side', id: 'u9', role: 'user', content: 'aside' },
  {
    type: 'message',
    thread: 'side',
    id: 'a9',
    role: 'assistant',
    content: '',
    tool_calls: [call('c9')],
    stop_reason: 'calls',
  },
  { type: 'agent_end', reason: 'done', turns: 2 },
]

/** What stands where it should not. */
const garbage: readonly unknown[] = [
  null,
  0,
  -1,
  '',
  'x',
  true,
  [],
  {},
  [null],
  [[]],
  [{}],
  { toString: 1 },
  [{ id: 'c1' }],
  ['a1'],
  'c1',
  'a1',
  [call('c1'), call('c1'), null],
  [call('')],
  [{ ...call('c7'), arguments: null }],
  { a: { b: [null, { c: 1 }] } },
  'u1',
  'assistant',
  'tool',
  'user',
  'system',
  'message',
  'side',
  '__proto__',
  'constructor',
  { __proto__: null },
]

const textOf = (lines: readonly unknown[]) =>
  lines.map(line => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n')

const check = (lines: readonly unknown[], title: string): Replayed => assertResumable(textOf(lines), title)

test('a journal with an entry of every type is read whole', () => {
  const state = check(whole, 'whole')
  assert.deepEqual([state.badLines, state.id, state.mode], [[], 'abc', 'plan'])
  assert.deepEqual(
    state.history.map(({ id }) => id),
    ['k', 's1', 'a2', 't3', 'a3'],
  )
  const side = state.threads.get('side')?.history.map(({ id }) => id)
  assert.deepEqual(side, ['k', 's1', 'u9', 'a9', 'new0'])
})

for (const [index, line] of whole.entries())
  test(`fields of ${line.type} (${index}) that are missing or something else`, () => {
    for (const name of Object.keys(line)) {
      const { [name]: _, ...without } = line
      const rows = [without, ...garbage.map(value => ({ ...line, [name]: value }))]
      for (const row of rows) check(whole.with(index, row), name)
      // Of the message's parts the inner ones too.
      const inner = line[name]
      if (typeof inner !== 'object' || inner === null) continue
      for (const value of garbage) {
        const [first = {}] = [inner].flat()
        for (const key of Object.keys(first)) {
          const changed = { ...first, [key]: value }
          check(
            whole.with(index, { ...line, [name]: Array.isArray(inner) ? [changed] : changed }),
            `${name}.${key}`,
          )
        }
      }
    }
  })

test('lines that are lost, twice there, out of order, cut, or of somebody else', () => {
  const random = randomly(7)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  for (let round = 0; round < 3_000; round++) {
    let lines: unknown[] = [...whole]
    for (let change = 0; change < 1 + random() * 8; change++) {
      const at = Math.floor(random() * lines.length)
      const line = lines[at]
      const entry = typeof line === 'object' ? (line as Line) : undefined
      const act = Math.floor(random() * 6)
      if (act === 0) lines.splice(at, 1)
      else if (act === 1) lines.splice(at, 0, pick(whole))
      else if (act === 2) lines.push(...lines.splice(at, 1 + random() * 3))
      else if (act === 3 && entry) lines[at] = JSON.stringify(entry).slice(0, random() * 60)
      else if (act === 4 && entry) lines[at] = { ...entry, [pick(Object.keys(entry))]: pick(garbage) }
      else lines = lines.map(other => (random() < 0.05 ? pick(garbage) : other))
    }
    check(lines, `round ${round}`)
  }
})

test('a message that is there twice is there once; a result without a call is not', () => {
  const twice = check([...whole.slice(0, 15), ...whole.slice(5, 15)], 'twice')
  assert.deepEqual(
    twice.history.map(({ id }) => id),
    ['u1', 'a1', 't1', 't2'],
  )
  const orphan = check(
    whole.slice(0, 15).filter(({ id }) => id !== 'a1'),
    'orphan',
  )
  assert.equal(
    orphan.history.some(({ role }) => role === 'tool'),
    false,
  )
})

test('two replies side by side are one; a beginning that is lost is said', () => {
  const reply = (id: string, content: string) => ({
    type: 'message',
    id,
    role: 'assistant',
    content,
    stop_reason: 'stop',
  })
  const state = check([whole[0], reply('1', 'One.'), reply('2', 'Two.')], 'replies')
  assert.deepEqual(
    state.history.map(({ content }) => content),
    ['[the beginning of this conversation is lost]', 'One.\n\nTwo.'],
  )
})
