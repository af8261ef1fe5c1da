import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { agentSources } from '../../src/kit/agents/agents.ts'
import type { Entry, SessionEvent } from '../../src/protocol/events.ts'
import { storyOf, tallyOf } from '../../src/session/story.ts'
import type { TaskDetails } from '../../src/session/tasks.ts'
import { gate } from '../support/demo/reply.ts'
import { call, type House, openHouse } from '../support/house.ts'

const task = (agent: string, prompt: string) => ({ name: 'task', arguments: { agent, prompt } })
const long = 'What was said before. '.repeat(90)
const bodyOf = ({ server }: House, index: number) =>
  (server.chats[index]?.body ?? {}) as {
    messages: { content: string }[]
    tools: { function: { name: string } }[]
    options: { temperature?: number }
  }
const readBy = ({ server }: House, index: number) => server.chats[index]?.read ?? Number.NaN
const detailsOf = ({ session }: House): TaskDetails[] =>
  session.messages.flatMap(message =>
    message.role === 'tool' && message.tool_name === 'task' ? [message.details as TaskDetails] : [],
  )
const outputs = ({ events }: House): string =>
  events.map(event => (event.type === 'tool_output' ? event.text : '')).join('')

test('a branch: the server reads of the main conversation nothing again, and the answer alone after it', async t => {
  const house = await openHouse(t, {
    tasks: true,
    files: { 'a.ts': 'export const a = 1\n', 'b.ts': 'b\n' },
    replies: [
      long,
      { calls: [task('general', 'Make a two.'), task('explore', 'Where is a?')] },
      call('read', { path: 'a.ts' }),
      call('edit', { path: 'a.ts', old_text: '1', new_text: '2' }),
      'Done: a is 2.',
      call('write', { path: 'b.ts', content: 'c' }),
      'a.ts:1, which explore must not change.',
      'All done.',
    ],
  })
  const { session, server } = house
  await session.prompt('one')
  const { text } = await session.prompt('two')
  assert.equal(text, 'All done.')
  assert.deepEqual(server.violations, [])
  assert.equal(readFileSync(path.join(house.cwd, 'a.ts'), 'utf8'), 'export const a = 2\n')
  assert.equal(readFileSync(path.join(house.cwd, 'b.ts'), 'utf8'), 'b\n', 'an agent that reads only')

  const whole = readBy(house, 0)
  for (const at of [2, 3, 4, 5, 6, 7])
    assert.ok(readBy(house, at) < 220, `request ${at} read ${readBy(house, at)} of ${whole}`)
  assert.ok(readBy(house, 7) < 60, 'after it the answer is read')
  const answers = session.messages.filter(message => message.role === 'tool').map(({ content }) => content)
  assert.deepEqual(answers, ['Done: a is 2.\n\n(Changed: a.ts.)', 'a.ts:1, which explore must not change.'])
  const [first, second] = detailsOf(house)
  assert.deepEqual(
    { ...first, thread: '', read_tokens: 0, written_tokens: 0 },
    {
      ...{
        agent: 'general',
        way: 'branch',
        thread: '',
        turns: 3,
        calls: 2,
        read_tokens: 0,
        written_tokens: 0,
      },
      ...{ steps: ['read a.ts', 'edit a.ts'], changed: ['a.ts'] },
    },
  )
  assert.equal(second?.way, 'branch')
  assert.match(outputs(house), /^read a\.ts\nedit a\.ts\nDone: a is 2\.\nwrite b\.ts\n/)

  const entries = house.journal()
  const starts = entries.filter(entry => entry.type === 'thread_start')
  assert.deepEqual(
    starts.map(({ agent, way }) => [agent, way]),
    [
      ['general', 'branch'],
      ['explore', 'branch'],
    ],
  )
  const denied = entries.find(entry => entry.type === 'permission' && entry.decision === 'deny')
  assert.match(JSON.stringify(denied), /not_its_tool/)
  const { side, turns } = tallyOf(storyOf(session))
  assert.equal(turns, 8)
  assert.deepEqual([side.turns, side.read_tokens > 0], [5, true])

  const next = await openHouse(t, { before: house, tasks: true, resume: { last: true }, replies: ['Three.'] })
  await next.session.prompt('three')
  const before = bodyOf(house, 7).messages
  assert.deepEqual(bodyOf(next, 0).messages.slice(0, before.length), before)
})

test('a prefix of its own where the main one fills more than half the window, or the server keeps several', async t => {
  const house = await openHouse(t, {
    tasks: true,
    server: { parallel: 2 },
    config: { context: { max_tokens: 4096, compaction_threshold: 0.9, keep_recent: 4 } },
    replies: [
      'What was said before. '.repeat(240),
      { calls: [task('explore', 'Where is a?')] },
      'Nowhere.',
      'So it is nowhere.',
      'A summary.',
      { calls: [task('explore', 'Where is b?')] },
      'Nowhere too.',
      'Nowhere either.',
    ],
  })
  const { session } = house
  await session.prompt('one')
  await session.prompt('two')
  const [first] = detailsOf(house)
  assert.deepEqual([first?.way, first?.why], ['fresh', 'room'])
  assert.deepEqual(
    bodyOf(house, 2).tools.map(tool => tool.function.name),
    ['read', 'grep', 'find', 'ls'],
  )
  assert.match(bodyOf(house, 2).messages[0]?.content ?? '', /You find things in code/)
  assert.equal(bodyOf(house, 2).messages.length, 2)
  assert.ok(readBy(house, 3) < 120, `the main conversation read ${readBy(house, 3)} again`)
  assert.equal(await session.compact(), true)
  await session.prompt('three')
  const [, second] = detailsOf(house)
  assert.deepEqual([second?.way, second?.why], ['fresh', 'several'])
})

test('words and Esc go to the agent that works, then to the main conversation; a crash in it is mended', async t => {
  const held = gate()
  const house = await openHouse(t, {
    tasks: true,
    replies: [
      { calls: [task('general', 'Work.')] },
      ['I begin ', { gate: gate() }, 'never'],
      ['Tests too, ', { gate: held }, 'never'],
      'It was stopped.',
      { calls: [task('general', 'Again.')] },
      ['Half ', { gate: held }, 'never'],
    ],
  })
  const { session } = house
  const all: SessionEvent[] = []
  session.subscribe(event => all.push(event), { threads: true })
  const saw = (what: string) =>
    new Promise<void>(resolve => {
      const seen = () => all.some(event => event.type === 'message_delta' && event.text.includes(what))
      if (seen()) return resolve()
      const look = () => {
        if (!seen()) return
        unsubscribe()
        resolve()
      }
      const unsubscribe = session.subscribe(look, { threads: true })
    })
  const running = session.prompt('go')
  await saw('begin')
  void session.steer('also the tests')
  await saw('Tests')
  assert.equal(house.sent(2).at(-1)?.content, 'also the tests')
  assert.ok(!session.messages.some(({ content }) => content === 'also the tests'))
  assert.equal(session.stepInNow(), true)
  assert.equal((await running).text, 'It was stopped.')
  assert.equal(detailsOf(house)[0]?.ended, 'aborted')
  assert.match(house.sent(3).at(-1)?.content ?? '', /Tests too,\s+\(The user stopped it/)
  assert.equal(session.stepInNow(), false)

  const second = session.prompt('again')
  await saw('Half')
  assert.deepEqual(session.alongside, ['general'])
  const next = await openHouse(t, {
    before: house,
    tasks: true,
    resume: { fork: session.id },
    replies: ['Going on.'],
  })
  await next.session.prompt('go on')
  const roles = next.sent(0).map(({ role }) => role)
  assert.deepEqual(roles.slice(-3), ['assistant', 'tool', 'user'])
  const mended = next.journal().filter((entry): entry is Entry => entry.type === 'agent_end')
  assert.ok(mended.some(({ thread }) => thread !== undefined))
  assert.equal(session.stepInNow(), true)
  session.abort()
  assert.equal((await second).reason, 'aborted')
  held.open()
})

test('a rule about an agent, one that there is not, and depth one', async t => {
  const house = await openHouse(t, {
    tasks: true,
    config: { permission: { deny: ['Task(gen*)'] } },
    replies: [
      { calls: [task('general', 'x'), task('nobody', 'x'), task('explore', 'y')] },
      { calls: [task('general', 'deeper')] },
      'No.',
      'Enough.',
    ],
  })
  await house.session.prompt('go')
  const results = house.session.messages.filter(message => message.role === 'tool')
  assert.match(results[0]?.content ?? '', /^Denied: .*Task\(gen\*\)/)
  assert.match(
    results[1]?.content ?? '',
    /no agent named "nobody"\. The agents are: build, plan, general, explore/,
  )
  assert.equal(results[2]?.content, 'No.')
  assert.equal(house.session.threads.length, 1)
  assert.deepEqual(house.server.violations, [])
})

test('agents of folders: what they say holds, and what is wrong with one is a sentence', async t => {
  const agent = (name: string, head: string, body = 'You look.') => ({
    [`.claude/agents/${name}.md`]: `---\n${head}\n---\n${body}\n`,
  })
  const files = {
    ...agent(
      'looker',
      'description: looks\ntools: Read, Glob, Bash\npermission: plan\nmax_turns: 2\ntemperature: 0.1',
    ),
    ...agent('strict', 'description: strict\npermission:\n  mode: yolo\n  deny: [Bash(rm *)]\n  ask: [Edit]'),
    ...agent('broken', 'description: x\ntop_p: 7'),
  }
  const first = await openHouse(t, { files, replies: [] })
  const refused = (await agentSources({ ...first, person: first.home, trusted: true })).refused
  assert.match(refused.map(({ message }) => message).join(), /broken\.md:3: top_p .*a number from 0 to 1/)
  assert.deepEqual((await agentSources({ ...first, person: first.home, trusted: false })).sources.length, 1)

  const house = await openHouse(t, {
    before: first,
    agent: 'Looker',
    replies: [call('bash', { command: 'touch made' }), call('ls', {}), 'Looked.'],
  })
  const { text, reason } = await house.session.prompt('look', { maxTurns: 5 })
  assert.deepEqual([text, reason], ['Looked.', 'done'])
  const { messages, tools, options } = bodyOf(house, 0)
  assert.deepEqual(
    tools.map(tool => tool.function.name),
    ['bash', 'read', 'find'],
  )
  assert.match(messages[0]?.content ?? '', /You look\.$/)
  assert.equal(options.temperature, 0.1)
  const results = house.session.messages.filter(message => message.role === 'tool')
  assert.match(results[0]?.content ?? '', /^Denied: .*plan/)
  assert.match(results[1]?.content ?? '', /no tool named "ls"/)

  const next = await openHouse(t, {
    before: first,
    config: { permission: { mode: 'auto-edit' } },
    replies: [
      call('write', { path: 'new.txt', content: 'a' }),
      'One.',
      call('write', { path: 'other.txt', content: 'b' }),
      call('bash', { command: 'rm new.txt' }),
      'Two.',
    ],
  })
  const { sources } = await agentSources({ ...next, person: next.home, trusted: true })
  const agents = sources.flatMap(source => source.agents ?? [])
  await next.session.prompt('one')
  next.session.setAgent(agents.find(({ name }) => name === 'strict'))
  await next.session.prompt('two')
  assert.match(
    next.sent(2).at(-1)?.content ?? '',
    /^two\n\n\(From here on you are the agent strict\. You look\.\)$/,
  )
  const refusals = next.session.messages
    .filter(message => message.role === 'tool')
    .map(({ content }) => content)
  assert.match(refusals[0] ?? '', /^Wrote|new\.txt/)
  assert.match(refusals[1] ?? '', /^Denied: .*Edit/)
  assert.match(refusals[2] ?? '', /^Denied: .*Bash\(rm \*\)/)
})
