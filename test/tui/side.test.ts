import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import type { Message } from '../../src/protocol/messages.ts'
import { displayWidth } from '../../src/text/width.ts'
import { Counted, Trail } from '../../src/tui/side/facts.ts'
import { type SideLook, sideLines } from '../../src/tui/side/lines.ts'
import { type Side, sideWidth } from '../../src/tui/side/side.ts'
import { ZH } from '../../src/words/zh.ts'
import { call, openHouse } from '../support/house.ts'
import { openStage } from './app/stage.ts'
import { lineText, stateOf, words } from './app/states.ts'

const nothing: Side = { files: [], todo: [], parts: [], running: [], servers: [] }
const [ctrlX, altC, altS] = ['\x18', '\x1bc', '\x1bs']

function lines(side: Partial<Side>, more: Partial<SideLook> = {}): string[] {
  const { status } = stateOf()
  const look = { width: 40, height: 60, words, status, asks: false, tasks: [], changesKey: 'Ctrl+X', ...more }
  return sideLines({ ...nothing, ...side }, look).map(lineText)
}

describe('the trail of a conversation', () => {
  const asks = (id: string, name: string, path: string): Message => ({
    ...{ id: `a${id}`, role: 'assistant', content: '', stop_reason: 'stop' },
    tool_calls: [{ id, name, arguments: { path } }],
  })
  const answers = (id: string, tool: string, details: object, isError = false): Message => ({
    ...{ id: `t${id}`, role: 'tool', tool_call_id: id, tool_name: tool, content: '' },
    ...{ is_error: isError, details },
  })
  const story = [
    asks('1', 'read', '/p/a.ts'),
    answers('1', 'read', { from: 1 }),
    asks('2', 'edit', './b.ts'),
    answers('2', 'edit', { diff: '+1 x', added: 1, removed: 0 }),
    asks('3', 'read', 'missing.ts'),
    answers('3', 'read', {}, true),
    asks('4', 'edit', '/p/a.ts'),
    answers('4', 'edit', { diff: '-1 y', added: 0, removed: 1 }),
    asks('5', 'edit', 'b.ts'),
    answers('5', 'edit', { diff: '+2 z', added: 2, removed: 1 }),
    asks('6', 'grep', '/p'),
    answers('6', 'grep', { matches: 2 }),
    answers('7', 'todo', { todo: [{ text: 'read it', state: 'done' }, { text: 'change it' }] }),
  ]

  it('has the files that were read and changed, the latest first, and the list of things to do', () => {
    const { files, todo } = new Trail(story, '/p')
    assert.deepEqual(files, [
      { path: 'b.ts', added: 3, removed: 1, diffs: ['+1 x', '+2 z'] },
      { path: 'a.ts', added: 0, removed: 1, diffs: ['-1 y'] },
    ])
    assert.deepEqual(todo, ['☑ read it', '☐ change it'])
  })

  it('is the same when the messages come one by one', () => {
    const trail = new Trail([], '/p')
    for (const message of story) trail.take(message)
    assert.deepEqual(trail.files, new Trail(story, '/p').files)
    assert.deepEqual(trail.todo, new Trail(story, '/p').todo)
  })
})

describe('the column', () => {
  const full: Partial<Side> = {
    files: [
      { path: 'src/b.ts', added: 3, removed: 1, diffs: ['+1 x'] },
      { path: 'src/a.ts', added: 0, removed: 0, diffs: [] },
    ],
    todo: ['☐ change it'],
    parts: [
      ['system text', 177],
      ['instructions', 0],
    ],
    running: ['npm run dev\n# more'],
    servers: [{ name: 'memory', state: 'dead' }],
  }

  it('has a title for each list that is not empty', () => {
    assert.deepEqual(
      lines(full, { tasks: ['explore: find it'] })
        .map(line => line.replaceAll(/ {2,}/g, '  '))
        .slice(-19),
      [
        ...['', 'context', 'system text  177', '', 'to do', '☐ change it'],
        ...['', 'running', 'explore: find it', 'npm run dev', '', 'changed · Ctrl+X', 'src/b.ts  +3 −1'],
        ...['', 'read', 'src/a.ts', '', 'MCP servers', 'memory  cannot be used'],
      ],
    )
    assert.doesNotMatch(lines({}).join('\n'), /to do|running|changed|read|servers/)
  })

  it('says how the model is, and whether it waits for the person', () => {
    const status = { ...stateOf().status, model: 'qwen3:8b', dialect: 'native' as const }
    const memory = { size: 5_200_000_000, gpu: 2_600_000_000 }
    const head = (more: object) => lines({ memory }, { status, width: 60, ...more }).slice(0, 3)
    const loaded = '5.2 GB in memory, 50 % on the GPU'
    assert.deepEqual(head({}), ['qwen3:8b native', 'ready', loaded])
    assert.deepEqual(head({ asks: true }), ['qwen3:8b native', 'gopi asks', loaded])
  })

  it('never is higher or wider than asked, in either language, and says how much is left out', () => {
    const files = Array.from({ length: 30 }, (_, n) => ({
      ...{
        path: `一个很长的目录/${'x'.repeat(n)}/${n}.ts`,
        added: n,
        removed: n,
        diffs: n % 2 ? ['+1 a'] : [],
      },
    }))
    for (const catalogue of [words, ZH])
      for (const width of [5, 20, 37])
        for (const height of [0, 1, 6, 14, 30]) {
          const shown = lines({ ...full, files }, { width, height, words: catalogue })
          assert.ok(shown.length <= height, `${shown.length} rows of ${height}`)
          for (const line of shown) assert.ok(displayWidth(line) <= width, line)
        }
    assert.match(lines({ ...full, files }, { height: 30 }).join('\n'), /\d+ more/)
  })

  it('is there from 140 columns on, if it is wanted', () => {
    const width = (columns: number, wantsSide: boolean) => sideWidth({ columns, wantsSide, side: nothing })
    assert.deepEqual([width(139, true), width(140, false), width(140, true) > 0], [0, 0, true])
  })
})

test('what fills the context is counted once, until that may be another number', async t => {
  const { session } = await openHouse(t, { replies: ['Hello.'] })
  await session.prompt('hi')
  let asked = 0
  session.textTokens = text => {
    asked++
    return text.length
  }
  const counted = new Counted(session)
  const parts = counted.parts(words, [])
  const once = asked
  assert.ok(once > 0)
  assert.deepEqual(counted.parts(words, []), parts)
  assert.equal(asked, once)
  counted.forget()
  assert.deepEqual(counted.parts(words, []), parts)
  assert.equal(asked, 2 * once)
})

test('the column follows a session, one key shows a change, another one hides it', async t => {
  const stage = await openStage(t, {
    ...{ columns: 150, rows: 30, background: true },
    files: { 'a.txt': 'one\n' },
    replies: [
      call('read', { path: 'a.txt' }),
      call('edit', { path: 'a.txt', old_string: 'one', new_string: 'two' }),
      call('bash', { command: 'exec tail -f a.txt', background: true }),
      'Done.',
    ],
  })
  stage.app.change(state => ({ ...state, wantsSide: true }))
  stage.app.step({ state: stage.app.state, effects: [{ type: 'look_aside' }] })
  await stage.until(/│ context/)
  await stage.enter('change it')
  await stage.until(/│ running *\n.*│ exec tail -f a\.txt[\s\S]*│ changed · Ctrl\+X *\n.*│ a\.txt +\+1 −1/)
  await stage.until(/^Done\./m)

  stage.press(ctrlX)
  await stage.until(/─ a\.txt ─[\s\S]*- one[\s\S]*\+ two/)
  stage.press('\x1b')
  await stage.until(rows => !/- one[\s\S]*Esc closes/.test(rows.slice(-12).join('\n')))
  stage.press(altS)
  await stage.until(rows => !rows.join('\n').includes('│ context'))
  await stage.house.session.background?.close()
})

test('a key goes on with the session before, but not once something was said', async t => {
  const stage = await openStage(t, { replies: ['Hello.'], previous: async () => ({ id: 'earlier' }) })
  stage.press(altC)
  assert.deepEqual(await stage.talk.wanted, { type: 'session', id: 'earlier' })
  const typed = await openStage(t, { replies: ['Hello.'], previous: async () => ({ id: 'earlier' }) })
  typed.press('c\r')
  assert.deepEqual(await typed.talk.wanted, { type: 'session', id: 'earlier' })
  const first = await openStage(t, { replies: ['Hello.'], previous: async () => undefined })
  await first.enter('c')
  await first.until(/Hello\./)
  const later = await openStage(t, {
    replies: ['Hello.', 'C it is.'],
    previous: async () => ({ id: 'earlier' }),
  })
  await later.enter('hi')
  await later.until(/Hello\./)
  await later.enter('c')
  await later.until(/C it is\./)
  later.press(altC)
  await later.until(/no other session|There is no/i)
})
