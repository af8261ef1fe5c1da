import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { SessionEvent } from '../../../src/protocol/events.ts'
import type { Cell } from '../../../src/tui/cells/cell.ts'
import { cellLines, isTicking } from '../../../src/tui/cells/lines.ts'
import { liveCells, withSent } from '../../../src/tui/conversation.ts'
import { happen } from '../../../src/tui/happen.ts'
import { retold } from '../../../src/tui/retell.ts'
import type { State } from '../../../src/tui/state.ts'
import { EN } from '../../../src/words/en.ts'
import { lineText, stateOf } from './states.ts'

const timestamp = '2026-01-01T00:00:00.000Z'

const user = (content: string, more: object = {}): SessionEvent => ({
  ...{ type: 'message', role: 'user', id: `u-${content}`, content, timestamp },
  ...more,
})
const start = (id: string): SessionEvent => ({ type: 'message_start', id, role: 'assistant' })
const delta = (message_id: string, text: string): SessionEvent => ({
  type: 'message_delta',
  message_id,
  text,
})
const thinks = (message_id: string, text: string): SessionEvent => ({
  type: 'thinking_delta',
  message_id,
  text,
})
const reply = (id: string, content = ''): SessionEvent => ({
  ...{ type: 'message', role: 'assistant', id, content, stop_reason: 'stop', timestamp },
})
const begins = (tool_call_id: string, name: string, args = {}): SessionEvent => ({
  ...{ type: 'tool_call_start', tool_call_id, name, arguments: args, timestamp },
})
const prints = (tool_call_id: string, text: string): SessionEvent => ({
  type: 'tool_output',
  tool_call_id,
  text,
})
const ends = (tool_call_id: string, duration_ms = 1500): SessionEvent => ({
  ...{ type: 'tool_call_end', tool_call_id, is_error: false, duration_ms, timestamp },
})
const result = (
  tool_call_id: string,
  tool_name: string,
  content: string,
  is_error = false,
): SessionEvent => ({
  ...{ type: 'message', role: 'tool', id: `r-${tool_call_id}`, tool_call_id, tool_name, content, is_error },
  timestamp,
})
const asks = (tool_call_id: string): SessionEvent => ({ type: 'permission_request', tool_call_id, why: 'so' })
const permits = (tool_call_id: string, decision: 'allow' | 'deny' = 'allow'): SessionEvent => ({
  ...{ type: 'permission', tool_call_id, decision, by: 'user', why: 'so', timestamp },
})
const notice = (message: string): SessionEvent => ({ type: 'notice', code: 'x', message, timestamp })
const failure = (message: string): SessionEvent => ({ type: 'error', code: 'no_server', message, timestamp })
const end = (reason: 'done' | 'aborted' = 'done'): SessionEvent => ({
  ...{ type: 'agent_end', reason, turns: 1, timestamp },
})

function told(cell: Cell): string {
  const joined = cell.joined ? '+' : ''
  switch (cell.type) {
    case 'user':
      return `${joined}user: ${cell.text}`
    case 'reply':
      return `${joined}reply${cell.open ? '…' : ''}: ${'source' in cell.block ? cell.block.source : cell.block.text}`
    case 'thinking':
      return `thinking ${cell.ms ?? '…'}: ${cell.text}`
    case 'running':
      return `${joined}runs ${cell.tool.name} since ${cell.since}: ${cell.tool.output}`
    case 'tool':
      return `${joined}${cell.tool.is_error ? '✗' : '✓'} ${cell.tool.name} ${cell.ms ?? '-'}: ${cell.tool.content}`
    case 'notice':
      return `${cell.level}: ${cell.message}`
    case 'compaction':
      return `compaction ${cell.tokenBefore} → ${cell.tokenAfter}`
    default:
      return cell.type
  }
}

interface Shown {
  state: State
  settled: string[]
  live: string[]
}

/** Every event comes a second after the one before. */
function after(events: readonly SessionEvent[], from = stateOf()): Shown {
  let state = from
  const settled: string[] = []
  for (const [index, event] of events.entries()) {
    const next = happen(state, event, 1000 * index)
    state = next.state
    if (next.unsaid) settled.push('UNSAID')
    settled.push(...next.settled.map(told))
  }
  return { state, settled, live: liveCells(state.conversation).map(told) }
}

const conversations: [name: string, events: SessionEvent[], settled: string[], live: string[]][] = [
  [
    'a reply, block by block; its open end is live',
    [user('hello'), start('a'), delta('a', 'One.\n\nTw'), delta('a', 'o.')],
    ['user: hello', 'reply: One.'],
    ['reply…: Two.'],
  ],
  [
    'a reply that begins anew: what it said was a thought',
    [user('hello'), start('a'), delta('a', 'Hm.\n\nSo.\n</think>'), start('a'), delta('a', 'It is 42.')],
    ['user: hello', 'reply: Hm.', 'UNSAID', 'thinking 1000: Hm.\n\nSo.'],
    ['reply…: It is 42.'],
  ],
  [
    'a whole reply',
    [user('hello'), start('a'), delta('a', 'One.\n\nTwo.'), reply('a', 'One.\n\nTwo.'), end()],
    ['user: hello', 'reply: One.', 'reply: Two.'],
    [],
  ],
  [
    'thinking, how long it took, then text',
    [user('why'), start('a'), thinks('a', 'hm'), thinks('a', ' hm'), delta('a', 'So.'), reply('a', 'So.')],
    ['user: why', 'thinking 2000: hm hm', 'reply: So.'],
    [],
  ],
  ['thinking that goes on', [thinks('a', 'hm'), thinks('a', ' well')], [], ['thinking …: hm well']],
  [
    'thinking, then nothing but a call',
    [thinks('a', 'hm'), reply('a'), begins('c', 'ls')],
    ['thinking 1000: hm'],
    ['runs ls since 2000: '],
  ],
  [
    'tools side by side, together, in the order of the calls',
    [
      ...[user('look'), start('a'), delta('a', 'I look.'), reply('a', 'I look.')],
      ...[begins('c1', 'bash'), begins('c2', 'read'), prints('c1', 'a\n'), prints('c1', 'b\n')],
    ],
    ['user: look', 'reply: I look.'],
    ['runs bash since 4000: a\nb\n', '+runs read since 5000: '],
  ],
  [
    'the first of several tools has ended',
    [begins('c1', 'bash'), begins('c2', 'read'), ends('c1', 40), ends('c2', 7), result('c1', 'bash', 'ok')],
    ['✓ bash 40: ok'],
    ['+runs read since 1000: '],
  ],
  [
    'tools of two turns stand together, a word parts them',
    [
      ...[begins('c1', 'ls'), ends('c1'), result('c1', 'ls', 'x'), reply('a')],
      ...[begins('c2', 'ls'), ends('c2'), result('c2', 'ls', 'y')],
      ...[start('b'), delta('b', 'Now.'), reply('b', 'Now.')],
      ...[begins('c3', 'ls'), ends('c3'), result('c3', 'ls', 'z', true)],
    ],
    ['✓ ls 1500: x', '+✓ ls 1500: y', 'reply: Now.', '✗ ls 1500: z'],
    [],
  ],
  [
    'the time of the person who is asked is not the tool’s',
    [begins('c', 'bash'), asks('c'), notice('…'), permits('c'), ends('c', 4000), result('c', 'bash', 'ok')],
    ['note: …', '✓ bash 1000: ok'],
    [],
  ],
  [
    'a call that was denied took no time',
    [begins('c', 'bash'), asks('c'), permits('c', 'deny'), ends('c', 9000), result('c', 'bash', 'no', true)],
    ['✗ bash -: no'],
    [],
  ],
  [
    'a call that was stopped at its question took no time',
    [begins('c', 'bash'), asks('c'), ends('c', 9000), result('c', 'bash', 'no', true)],
    ['✗ bash -: no'],
    [],
  ],
  [
    'calls that were skipped never began',
    [reply('a'), result('c1', 'bash', 'skipped', true), result('c2', 'ls', 'skipped', true)],
    ['✗ bash -: skipped', '+✗ ls -: skipped'],
    [],
  ],
  [
    'a notice in the middle of a reply waits for its end, below it',
    [start('a'), delta('a', 'One.\n\nTw'), notice('by the way'), failure('oh')],
    ['reply: One.'],
    ['reply…: Tw', 'note: by the way', 'error: oh'],
  ],
  [
    'and then stands behind it',
    [start('a'), delta('a', 'On'), notice('by the way'), delta('a', 'e.\n\nTwo.'), reply('a')],
    ['reply: One.', 'reply: Two.', 'note: by the way'],
    [],
  ],
  [
    'a notice while tools run stands above them',
    [begins('c', 'bash'), notice('by the way')],
    ['note: by the way'],
    ['runs bash since 0: '],
  ],
  [
    'words that step in',
    [
      ...[start('a'), delta('a', 'I beg'), reply('a', 'I beg'), user('stop that')],
      ...[start('b'), delta('b', 'Right.'), reply('b')],
    ],
    ['reply: I beg', 'user: stop that', 'reply: Right.'],
    [],
  ],
  [
    'an end without a message: what came is kept',
    [start('a'), thinks('a', 'hm'), delta('a', 'On'), notice('n'), end('aborted')],
    ['thinking 1000: hm', 'reply: On', 'note: n'],
    [],
  ],
  [
    'an end while a tool runs; its result comes afterwards',
    [begins('c', 'bash'), prints('c', 'x'), end('aborted'), result('c', 'bash', 'interrupted', true)],
    ['✗ bash -: interrupted'],
    [],
  ],
  [
    'a compaction',
    [
      {
        type: 'compaction',
        id: 'k',
        summary: 's',
        token_before: 9000,
        token_after: 800,
        kept: [],
        timestamp,
      },
    ],
    ['compaction 9000 → 800'],
    [],
  ],
  [
    'what gopi says in the person’s role, and what it adds to their words',
    [user('be brief', { shown: '' }), user('hello\n\n(21Nov2026)', { shown: 'hello' })],
    ['user: hello'],
    [],
  ],
  [
    'output of a tool that nobody knows, and of one that has ended',
    [prints('c9', 'x'), begins('c', 'ls'), ends('c'), prints('c', 'late'), result('c', 'ls', 'ok')],
    ['✓ ls 1500: ok'],
    [],
  ],
]

describe('what happens leaves on the screen', () => {
  for (const [name, events, settled, live] of conversations) {
    it(name, () => {
      const shown = after(events)
      assert.deepEqual([shown.settled, shown.live], [settled, live])
    })
  }

  it('words that were sent, until they are a message', () => {
    const state = stateOf()
    const sent = { ...state, conversation: withSent(state.conversation, 'hello') }
    assert.deepEqual(after([notice('asking …')], sent).live, ['user: hello'])
    const shown = after([notice('asking …'), user('hello')], sent)
    assert.deepEqual([shown.settled, shown.live], [['note: asking …', 'user: hello'], []])
  })

  it('little that is live, however long it talks', () => {
    const line = 'A word after the other, and no end in sight. '
    const words = after([start('a'), ...Array.from({ length: 2000 }, () => delta('a', line))])
    const code = after([
      start('a'),
      delta('a', '```ts\n'),
      ...Array.from({ length: 2000 }, () => delta('a', `${line}\n`)),
    ])
    for (const { live, settled } of [words, code]) {
      assert.ok(live.join('').length < 20_000, `${live.join('').length} characters are live`)
      assert.ok(settled.join('').length > 70_000)
    }
    const tool = after([
      begins('c', 'bash'),
      ...Array.from({ length: 500 }, () => prints('c', line.repeat(20))),
    ])
    assert.ok(tool.live.join('').length < 200_000)
    assert.ok(tool.live[0]?.endsWith(line))
  })

  it('the same cells while nothing changes, and the same state for what does not show', () => {
    const { state } = after([thinks('a', 'hm'), begins('c1', 'ls'), begins('c2', 'ls')])
    const before = liveCells(state.conversation)
    const next = happen(state, prints('c2', 'x'), 1).state
    const cells = liveCells(next.conversation)
    assert.equal(cells[0], before[0])
    assert.equal(cells[1], before[1])
    assert.notEqual(cells[2], before[2])
    assert.equal(happen(state, { type: 'turn_start', timestamp }, 1).state, state)
  })
})

describe('the queue', () => {
  const steer = (id: string): SessionEvent => ({ type: 'steer', id, content: `words ${id}`, timestamp })
  const later = (id: string): SessionEvent => ({ type: 'follow_up', id, content: `words ${id}`, timestamp })
  const rows: [name: string, events: SessionEvent[], queue: string[]][] = [
    [
      'holds words in their order',
      [steer('1'), later('2'), steer('3')],
      ['steer 1', 'follow_up 2', 'steer 3'],
    ],
    ['loses what became a message', [steer('1'), later('2'), user('', { id: '1' })], ['follow_up 2']],
    ['loses what was taken back', [later('1'), { type: 'queue_removed', id: '1', timestamp }], []],
    ['does not care for others', [later('1'), user('', { id: '9' }), reply('1')], ['follow_up 1']],
  ]
  for (const [name, events, queue] of rows) {
    it(name, () => {
      assert.deepEqual(
        after(events).state.queue.map(({ kind, id }) => `${kind} ${id}`),
        queue,
      )
    })
  }
})

describe('a conversation that was had before', () => {
  it('looks as it did, without times', () => {
    const call = { id: 'c1', name: 'ls', arguments: { path: '.' } }
    const cells = retold(
      [
        { id: '1', role: 'user', content: 'look\n\n(today …)', shown: 'look' },
        {
          id: '2',
          role: 'assistant',
          content: '',
          stop_reason: 'stop',
          thinking: 'hm',
          tool_calls: [call, { ...call, id: 'c2' }],
        },
        { id: '3', role: 'tool', tool_call_id: 'c1', tool_name: 'ls', content: 'x', is_error: false },
        { id: '4', role: 'tool', tool_call_id: 'c2', tool_name: 'ls', content: 'y', is_error: true },
        { id: '7', role: 'assistant', content: '', stop_reason: 'stop', tool_calls: [{ ...call, id: 'c3' }] },
        { id: '8', role: 'tool', tool_call_id: 'c3', tool_name: 'ls', content: 'z', is_error: false },
        { id: '5', role: 'user', content: 'gopi says', shown: '' },
        { id: '6', role: 'assistant', content: 'One.\n\nTwo.', stop_reason: 'stop' },
      ],
      ({ content }) => content,
    )
    assert.deepEqual(cells.map(told), [
      ...[
        'user: look',
        'thinking …: hm',
        '✓ ls -: x',
        '+✗ ls -: y',
        '+✓ ls -: z',
        'reply: One.',
        'reply: Two.',
      ],
    ])
    assert.deepEqual(cells[2]?.type === 'tool' && cells[2].tool.arguments, { path: '.' })
  })
})

describe('calls that wait for their leave', () => {
  it('have no time; it counts from their leave on, also for those that waited for others', () => {
    const begin = (id: string) => begins(id, 'bash')
    const before = [begin('a'), begin('b'), asks('a')]
    const { state } = after(before)
    const look = { unfolded: false, words: EN, now: 60_000 }
    for (const cell of liveCells(state.conversation)) {
      assert.equal(cell.type === 'running' && cell.isWaiting, true)
      assert.equal(isTicking(cell), false)
      assert.deepEqual(cellLines(cell, 40, look).map(lineText), ['○ bash'])
    }
    const allowed = after([...before, permits('a'), permits('b')]).state
    assert.deepEqual(
      liveCells(allowed.conversation).map(cell => cellLines(cell, 40, { ...look, now: 7000 }).map(lineText)),
      [['● bash · 4 s'], ['● bash · 3 s']],
    )
    const { settled } = after([
      ...before,
      permits('a'),
      permits('b'),
      ends('b', 9000),
      result('b', 'bash', 'x'),
    ])
    assert.deepEqual(settled, ['✓ bash 1000: x'])
  })
})
