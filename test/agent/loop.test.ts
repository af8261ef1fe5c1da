import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import type { SessionEvent } from '../../src/protocol/events.ts'
import { gate } from '../support/demo/reply.ts'
import { call, openHouse } from '../support/house.ts'
import { eventually } from '../support/program.ts'

const types = (events: SessionEvent[]) => events.map(({ type }) => type).filter(type => type !== 'phase')

const isEvent =
  <T extends SessionEvent['type']>(type: T) =>
  (event: SessionEvent): event is Extract<SessionEvent, { type: T }> =>
    event.type === type

test('a prompt runs its tool and ends with the answer; every kept event stands in the journal in the same order', async t => {
  const { session, server, events, journal, sent } = await openHouse(t, {
    files: { 'a.txt': 'one\ntwo\n' },
    replies: [call('read', { path: 'a.txt' }), 'It has two lines.'],
  })
  const result = await session.prompt('How many lines has a.txt?')

  assert.equal(result.text, 'It has two lines.')
  assert.equal(result.reason, 'done')
  assert.equal(result.turns, 2)
  assert.deepEqual(
    types(events).filter((type, index, all) => type !== all[index - 1]),
    [
      'header',
      'mode_change',
      'model_change',
      'prompt',
      'agent_start',
      'message',
      'turn_start',
      'message',
      'tool_call_start',
      'permission',
      'tool_call_end',
      'message',
      'turn_end',
      'turn_start',
      'message_start',
      'message_delta',
      'message',
      'turn_end',
      'agent_end',
    ],
  )
  const kept = events.filter(event => 'timestamp' in event)
  assert.deepEqual(
    journal().filter(entry => (entry.type as string) !== 'message_partial'),
    kept,
  )
  assert.deepEqual(server.violations, [])
  const [user, assistant, tool] = sent(1)
  assert.equal(user?.content, 'How many lines has a.txt?')
  assert.equal(assistant?.content, '')
  assert.equal(tool?.tool_name, 'read')
  assert.match(tool?.content ?? '', /one[\s\S]*two/)
})

test('an entry is in the journal before anybody is shown it', async t => {
  const { session, journal } = await openHouse(t, { replies: [call('ls', {}), 'Done.'] })
  const late: string[] = []
  let compared = 0
  session.subscribe(event => {
    // What comes before the first run is written with it: a session in which nothing was asked leaves no file.
    if (event.type === 'agent_start') compared = 1
    if (compared === 0 || !('timestamp' in event)) return
    compared++
    if (JSON.stringify(journal().at(-1)) !== JSON.stringify(event)) late.push(event.type)
  })
  await session.prompt('look')
  assert.deepEqual(late, [])
  assert.ok(compared > 10, `only ${compared} entries were compared`)
})

test('calls of one reply run side by side and their results go back in call order', async t => {
  const { session, sent, events, cwd } = await openHouse(t, {
    files: { 'a.txt': 'A', 'b.txt': 'B' },
    replies: [
      {
        calls: [
          { name: 'bash', arguments: { command: 'until [ -e go ]; do sleep 0.01; done; echo slow' } },
          { name: 'read', arguments: { path: 'a.txt' } },
          { name: 'write', arguments: { path: 'new.txt', content: '' } },
          { name: 'read', arguments: { path: 'b.txt' } },
        ],
      },
      'ok',
    ],
  })
  const run = session.prompt('go')
  const ends = () => events.filter(isEvent('tool_call_end'))
  await eventually('the others have ended', () => ends().length === 3)
  writeFileSync(path.join(cwd, 'go'), '')
  assert.equal((await run).reason, 'done')
  const results = sent(1).filter(({ role }) => role === 'tool')
  assert.deepEqual(
    results.map(({ tool_name }) => tool_name),
    ['bash', 'read', 'write', 'read'],
  )
  assert.match(results[0]?.content ?? '', /slow/)
  const started = events.filter(isEvent('tool_call_start')).map(({ tool_call_id }) => tool_call_id)
  assert.equal(ends().at(-1)?.tool_call_id, started[0], 'the command ended last, though it began first')
})

test('calls that write one file keep their order', async t => {
  const { session, cwd } = await openHouse(t, {
    replies: [
      {
        calls: [
          { name: 'write', arguments: { path: 'x.txt', content: 'one two' } },
          { name: 'edit', arguments: { path: './x.txt', old: 'one', new: 'three' } },
          { name: 'edit', arguments: { path: 'x.txt', old: 'three two', new: 'done' } },
        ],
      },
      'ok',
    ],
  })
  await session.prompt('go')
  assert.equal(readFileSync(path.join(cwd, 'x.txt'), 'utf8'), 'done')
})

test('words typed during a reply cut it at once; what was said stays and the words follow', async t => {
  const held = gate()
  const { session, server, sent, seen, journal } = await openHouse(t, {
    replies: [['I will ', 'explain ', { gate: held }, 'never said'], 'In French: oui.'],
  })
  const run = session.prompt('explain')
  await held.reached
  await seen(event => event.type === 'message_delta' && event.text.includes('explain'))
  const steered = session.steer('in French please')
  const result = await run
  assert.equal(await steered, result)
  assert.equal(result.text, 'In French: oui.')
  assert.deepEqual(
    sent(1).map(({ role, content }) => [role, content.trim()]),
    [
      ['user', 'explain'],
      ['assistant', 'I will explain'],
      ['user', 'in French please'],
    ],
  )
  assert.equal((await server.chat(0)).aborted, true)
  const cut = journal().find(entry => entry.type === 'message' && entry.role === 'assistant')
  assert.equal(cut?.type === 'message' && cut.role === 'assistant' && cut.stop_reason, 'steer')
  assert.deepEqual(server.violations, [])
})

test('words typed before anything was said join the user message; no empty assistant message is kept', async t => {
  const held = gate()
  const { session, server, sent } = await openHouse(t, { replies: [[{ gate: held }, 'never'], 'Fine.'] })
  const run = session.prompt('first')
  await held.reached
  void session.steer('second')
  void session.steer('third')
  assert.equal((await run).text, 'Fine.')
  assert.deepEqual(sent(1), [{ role: 'user', content: 'first\n\nsecond\n\nthird' }])
  assert.deepEqual(server.violations, [])
})

test('words typed while a tool runs wait for it; stepping in now cancels the tool', async t => {
  for (const now of [false, true]) {
    const { session, sent, seen, cwd } = await openHouse(t, {
      replies: [
        call('bash', { command: 'echo begun; until [ -e go ]; do sleep 0.01; done; echo over' }),
        'Ok.',
      ],
    })
    const run = session.prompt('wait')
    await seen(event => event.type === 'tool_output' && event.text.includes('begun'))
    void session.steer('hurry')
    if (now) assert.equal(session.stepInNow(), true)
    else await import('node:fs/promises').then(({ writeFile }) => writeFile(path.join(cwd, 'go'), ''))
    assert.equal((await run).reason, 'done')
    const [, , tool, words] = sent(1)
    assert.match(tool?.content ?? '', now ? /begun\n.*stopped/i : /over/)
    assert.equal(words?.content, 'hurry')
  }
})

test('a follow-up starts the next run', async t => {
  const held = gate()
  const { session, sent, events } = await openHouse(t, { replies: [['One', { gate: held }, '.'], 'Two.'] })
  const first = session.prompt('one')
  await held.reached
  const second = session.followUp('two')
  assert.equal(session.followUps.length, 1)
  held.open()
  assert.equal((await first).text, 'One.')
  assert.equal((await second).text, 'Two.')
  assert.equal(events.filter(({ type }) => type === 'agent_end').length, 2)
  assert.deepEqual(
    sent(1).map(({ role }) => role),
    ['user', 'assistant', 'user'],
  )
})

test('an abort leaves a valid history wherever it comes, and the next prompt works', async t => {
  const places = {
    'before the first word': {
      replies: (held: ReturnType<typeof gate>) => [[{ gate: held }, 'never']],
      tool: false,
    },
    'in the text': {
      replies: (held: ReturnType<typeof gate>) => [['Some ', { gate: held }, 'never']],
      tool: false,
    },
    'in a tool': {
      replies: () => [call('bash', { command: 'echo begun; sleep 30' })],
      tool: true,
    },
  }
  for (const [place, { replies, tool }] of Object.entries(places)) {
    const held = gate()
    const { session, server, seen, sent } = await openHouse(t, { replies: [...replies(held), 'Here again.'] })
    const run = session.prompt('first')
    if (tool) await seen(event => event.type === 'tool_output')
    else await held.reached
    if (place === 'in the text') await seen(event => event.type === 'message_delta')
    session.abort()
    assert.equal((await run).reason, 'aborted', place)
    assert.equal((await session.prompt('second')).text, 'Here again.', place)
    assert.deepEqual(server.violations, [], place)
    const roles = sent(1).map(({ role }) => role)
    const expected = { 'before the first word': ['user'], 'in the text': ['user', 'assistant', 'user'] }[
      place
    ]
    assert.deepEqual(roles, expected ?? ['user', 'assistant', 'tool', 'user'], place)
  }
})

test('words that wait when a run is aborted come back, and the next run does not have them', async t => {
  const held = gate()
  const { session, sent } = await openHouse(t, { replies: [['x', { gate: held }], 'y'] })
  const run = session.prompt('first')
  await held.reached
  const later = session.followUp('later')
  session.abort()
  assert.deepEqual((await run).unsent, ['later'])
  assert.equal((await later).reason, 'aborted')
  await session.prompt('second')
  assert.ok(sent(1).every(({ content }) => content !== 'later'))
})

test('three replies in a row that cannot be read end the run; a good one in between starts the count anew', async t => {
  const bad = call('no_such_tool', {})
  const { session, events } = await openHouse(t, { replies: [bad, bad, call('ls', {}), bad, bad, bad] })
  const result = await session.prompt('go')
  assert.equal(result.reason, 'error')
  assert.equal(result.turns, 6)
  const told = events.filter(event => event.type === 'message' && event.role === 'tool')
  assert.match(JSON.stringify(told[0]), /no_such_tool.*bash, read/)
})

test('a reply without text and calls is answered with what was wrong', async t => {
  const { session, sent, server } = await openHouse(t, {
    replies: [[{ hidden: '<tool_call>' }, { hidden: 'x' }], 'Sorry.'],
  })
  assert.equal((await session.prompt('go')).text, 'Sorry.')
  assert.match(sent(1)[0]?.content ?? '', /^go\n\nYour last reply could not be read.*bash/s)
  assert.deepEqual(server.violations, [])
})

test('the same call with the same result gets a note at 3 and ends the run at 5', async t => {
  const again = call('read', { path: 'a.txt' })
  const { session, sent } = await openHouse(t, {
    files: { 'a.txt': 'x' },
    replies: [again, again, again, again, again, 'never'],
  })
  const result = await session.prompt('go')
  assert.equal(result.reason, 'limit')
  assert.equal(result.turns, 5)
  const tools = sent(4).filter(({ role }) => role === 'tool')
  assert.deepEqual(
    tools.map(({ content }) => /same call/.test(content)),
    [false, false, true, true],
  )
})

test('test, edit, test is no loop', async t => {
  const run = call('bash', { command: 'cat n.txt >/dev/null; echo FAIL; exit 1' })
  const edits = [1, 2, 3, 4, 5, 6].map(n => call('write', { path: 'n.txt', content: String(n) }))
  const { session } = await openHouse(t, {
    files: { 'n.txt': '0' },
    replies: [call('read', { path: 'n.txt' }), run, ...edits.flatMap(edit => [edit, run]), 'Gave up.'],
  })
  assert.equal((await session.prompt('fix it')).reason, 'done')
})

test('the turn limit ends a run, unless the person lets it go on', async t => {
  const replies = [1, 2, 3, 4, 5].map(n => call('bash', { command: `echo ${n}` }))
  const stopped = await openHouse(t, { replies, maxTurns: 2 })
  const result = await stopped.session.prompt('go')
  assert.deepEqual([result.reason, result.turns], ['limit', 2])

  const asked: number[] = []
  const goOn = async (turns: number) => asked.push(turns) < 2
  const going = await openHouse(t, { replies, maxTurns: 2, goOn })
  assert.equal((await going.session.prompt('go')).turns, 4)
  assert.deepEqual(asked, [2, 4])
})

test('a call that would ask is denied with a reason when nobody can be asked, and the run says so', async t => {
  const { session, sent, cwd, journal } = await openHouse(t, {
    config: { permission: { mode: 'ask' } },
    replies: [call('write', { path: 'x.txt', content: 'x' }), 'I could not write it.'],
  })
  const result = await session.prompt('write')
  assert.equal(result.reason, 'permission')
  assert.equal(result.text, 'I could not write it.')
  assert.equal(existsSync(path.join(cwd, 'x.txt')), false)
  assert.match(sent(1)[2]?.content ?? '', /nobody can be asked/)
  const [permission] = journal().filter(isEvent('permission'))
  assert.deepEqual([permission?.decision, permission?.by], ['deny', 'nobody'])
})

test('asking calls come one by one in call order, and a no is told to the model with its words', async t => {
  const asked: string[] = []
  const { session, sent, cwd } = await openHouse(t, {
    config: { permission: { mode: 'ask' } },
    replies: [
      {
        calls: [
          { name: 'bash', arguments: { command: 'touch one' } },
          { name: 'write', arguments: { path: 'two.txt', content: 'two\n' } },
          { name: 'ls', arguments: {} },
        ],
      },
      'ok',
    ],
    async approve({ call: { name }, preview }) {
      const shown = await preview()
      asked.push(`${name}: ${shown.type === 'command' ? shown.command : shown.type}`)
      return name === 'bash' ? { allow: false, because: 'use printf' } : { allow: true }
    },
  })
  assert.equal((await session.prompt('go')).reason, 'done')
  assert.deepEqual(asked, ['bash: touch one', 'write: diff'])
  assert.match(sent(1)[2]?.content ?? '', /use printf/)
  assert.equal(readFileSync(path.join(cwd, 'two.txt'), 'utf8'), 'two\n')
})
