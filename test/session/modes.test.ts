import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { call, openHouse } from '../support/house.ts'

const write = (name: string) => call('write', { path: name, content: 'x' })

test('a mode that is set holds from the next decision on, and stands in the journal', async t => {
  const { session, cwd, journal } = await openHouse(t, {
    config: { permission: { mode: 'ask' } },
    replies: [write('a.txt'), 'No.', write('b.txt'), 'Yes.'],
  })
  await session.prompt('write a')
  session.setMode('auto-edit')
  session.setMode('auto-edit')
  await session.prompt('write b')
  assert.deepEqual([existsSync(path.join(cwd, 'a.txt')), existsSync(path.join(cwd, 'b.txt'))], [false, true])
  const changes = journal().flatMap(entry => (entry.type === 'mode_change' ? [entry.mode] : []))
  assert.deepEqual(changes, ['auto-edit'])
})

test('in plan mode the newest words say so once, nothing is changed, and the tools stay the same bytes', async t => {
  const { session, cwd, sent, server } = await openHouse(t, {
    tellFacts: true,
    config: { permission: { mode: 'ask' } },
    approve: async () => ({ allow: true }),
    replies: ['Hi.', write('a.txt'), 'A plan.', 'More.', write('a.txt'), 'Done.'],
  })
  await session.prompt('hello')
  session.setMode('plan')
  await session.prompt('plan it')
  await session.prompt('go on')
  assert.equal(existsSync(path.join(cwd, 'a.txt')), false)
  session.setMode('ask')
  await session.prompt('do it')
  assert.equal(existsSync(path.join(cwd, 'a.txt')), true)

  const users = sent(5).filter(({ role }) => role === 'user')
  const plan =
    /\(mode plan: look and answer, change nothing; for work to be done, end with a plan of numbered steps\)$/
  assert.deepEqual(
    users.map(({ content }) => [plan.test(content), /\(mode ask: you may/.test(content)]),
    [
      [false, false],
      [true, false],
      [false, false],
      [false, true],
    ],
  )
  const denied = sent(2).at(-1)?.content ?? ''
  assert.match(denied, /plan/)
  const tools = server.chats.map(({ body }) => JSON.stringify((body as { tools: unknown }).tools))
  assert.equal(new Set(tools).size, 1)
  assert.deepEqual(server.violations, [])
})

test('a session that is gone on with keeps its mode, but yolo comes back as ask, said', async t => {
  const rows = [
    ['yolo', 'ask', true],
    ['plan', 'plan', false],
    ['auto-edit', 'auto-edit', false],
    ['ask', 'ask', false],
  ] as const
  for (const [before, after, isSaid] of rows) {
    const first = await openHouse(t, { config: { permission: { mode: before } }, replies: ['One.'] })
    await first.session.prompt('one')
    await first.session.close()
    const next = { before: first, resume: { last: true } as const, replies: ['Two.', 'Three.'] }
    const resumed = await openHouse(t, { ...next, config: { permission: { mode: 'ask' } }, modeNamed: false })
    await resumed.session.prompt('two')
    assert.equal(resumed.session.mode, after)
    const said = resumed.journal().filter(entry => entry.type === 'notice' && entry.code === 'mode')
    assert.equal(said.length > 0, isSaid, before)
    await resumed.session.close()
    const named = await openHouse(t, { ...next, config: { permission: { mode: 'yolo' } }, modeNamed: true })
    assert.equal(named.session.mode, 'yolo')
  }
})

test('what was read is known after a resume, also when a compaction took it out of the history', async t => {
  const files = { 'a.txt': 'one\n', 'b.txt': 'one\n', 'c.txt': 'one\n' }
  const first = await openHouse(t, {
    files,
    config: { context: { keep_recent: 2 } },
    model: (_, n) =>
      [
        call('read', { path: 'a.txt' }),
        'Read a.',
        call('read', { path: 'b.txt' }),
        'Read b.',
        'Fine.',
        'Fine.',
      ][n] ?? 'Summary.',
  })
  for (const prompt of ['a', 'b', 'c', 'd']) await first.session.prompt(prompt)
  assert.equal(await first.session.compact(), true)
  await first.session.close()
  const edit = (name: string) => call('edit', { path: name, old: 'one', new: 'two' })
  const next = await openHouse(t, {
    before: first,
    resume: { last: true },
    replies: [edit('a.txt'), edit('b.txt'), edit('c.txt'), 'Done.'],
  })
  await next.session.prompt('edit')
  const told = next.session.messages.flatMap(m => (m.role === 'tool' ? [m.content.split(/[.:;]? /)[0]] : []))
  const results = next.session.messages.filter(m => m.role === 'tool').slice(-3)
  assert.deepEqual(
    results.map(({ content }) => /^Edited/.test(content)),
    [true, true, false],
    told.join(),
  )
  assert.match(results[2]?.content ?? '', /c\.txt was not read in this session/)
})

test('secrets are masked for the model, the journal and the screen, unless the person allowed that read', async t => {
  const token = ['ghp', 'aB3dE5gH1jK2mN4pQ6sT8vW0yZ7cX9rL5uI3'].join('_')
  const files = { 'notes.txt': `token ${token}\n`, '.env': `API_TOKEN=${token}\n` }
  const replies = [
    call('read', { path: 'notes.txt' }),
    call('bash', { command: 'cat notes.txt; sleep 0.05; cat notes.txt' }),
    call('grep', { pattern: 'ghp_' }),
    call('edit', { path: 'notes.txt', old: 'token', new: 'key' }),
    'Seen.',
  ]
  const masked = await openHouse(t, { files, replies })
  await masked.session.prompt('look')
  const everything = JSON.stringify([
    masked.events,
    masked.journal(),
    masked.server.chats.map(({ body }) => body),
  ])
  assert.ok(!everything.includes(token), 'the token is nowhere')
  assert.match(everything, /\[masked: GitHub token\]/)
  assert.match(everything, /Not shown: 1 match in \.env, which may hold secrets/)

  const asked: string[] = []
  const allowed = await openHouse(t, {
    files,
    replies: [call('read', { path: '.env' }), call('bash', { command: 'cat .env' }), 'Seen.'],
    async approve({ why }) {
      asked.push(why)
      return { allow: true }
    },
  })
  await allowed.session.prompt('look')
  assert.equal(asked.length, 2)
  for (const why of asked) assert.match(why, /may hold secrets/)
  const results = allowed.session.messages.filter(({ role }) => role === 'tool')
  assert.equal(results.length, 2)
  for (const { content } of results) assert.ok(content.includes(token))
})
