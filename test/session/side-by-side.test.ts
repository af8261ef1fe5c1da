/** Agents of one reply on several servers, by the servers' own logs. A reply that is held until another one has begun shows that both are under way. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { openServer } from '../../src/assembly/provider.ts'
import { createOpenAi } from '../../src/backends/openai/openai.ts'
import { defaults } from '../../src/config/config.ts'
import { storyOf, tallyOf } from '../../src/session/story.ts'
import { type Gate, gate, type Reply, script } from '../support/demo/reply.ts'
import { type DemoServer, startServer } from '../support/demo/server.ts'
import { call, type House, openHouse } from '../support/house.ts'

const task = (agent: string, prompt: string) => ({ name: 'task', arguments: { agent, prompt } })
const long = 'What was said before. '.repeat(90)
const file = (model: string) => ({
  '.claude/agents/far.md': `---\ndescription: far\nmodel: ${model}\ntools: Read, Write\n---\nYou are far away.\n`,
})

async function server(t: TestContext, replies: Parameters<typeof script>[0]): Promise<DemoServer> {
  const started = await startServer({ model: script(replies) })
  t.after(() => started.close())
  return started
}

/** Tells of itself, then waits for the other one. */
const meeting = (own: Gate, other: Gate) => (): Promise<Reply> => {
  own.open()
  return other.opened.then(() => 'Both are under way.')
}

const isChat = ({ path: where }: { path: string }) => /chat/.test(where)
const tasksOf = ({ session }: House) =>
  session.messages.flatMap(message => (message.role === 'tool' ? [message] : []))
const ways = (house: House) =>
  tasksOf(house).map(({ details }) => {
    const { way, why } = details as { way: string; why?: string }
    return why === undefined ? way : `${way} ${why}`
  })

/** Two intervals of the servers' own clocks. */
const overlap = (one: DemoServer['requests'][0], other: DemoServer['requests'][0]): boolean =>
  one.at < (other.endAt ?? 0) && other.at < (one.endAt ?? 0)

test('an agent with a model of another provider works there, beside one on the session’s own server', async t => {
  const [here, there] = [gate(), gate()]
  const lab = await server(t, [
    call('write', { path: 'far.txt', content: 'from afar' }),
    meeting(there, here),
  ])
  const house = await openHouse(t, {
    tasks: true,
    config: {
      providers: {
        lab: {
          type: 'openai',
          base_url: `${lab.host}/v1`,
          models: { big: { price: { input: 2, output: 8 } } },
        },
      },
    },
    files: file('lab/big'),
    replies: [
      long,
      { calls: [task('far', 'Write it.'), task('general', 'Wait for it.')] },
      meeting(here, there),
      'All done.',
    ],
  })
  const { session, server: desk } = house
  await session.prompt('one')
  const { text, cost = 0 } = await session.prompt('two')
  assert.equal(text, 'All done.')
  assert.deepEqual(ways(house), ['fresh model', 'branch'])
  assert.deepEqual(
    tasksOf(house).map(({ content }) => content),
    ['Both are under way.\n\n(Changed: far.txt.)', 'Both are under way.'],
  )
  assert.equal(readFileSync(path.join(house.cwd, 'far.txt'), 'utf8'), 'from afar')

  const far = lab.requests.filter(isChat)
  const paid = far.reduce((sum, { prompt = 0, generated = 0 }) => sum + (prompt * 2 + generated * 8) / 1e6, 0)
  assert.equal(cost.toFixed(9), paid.toFixed(9), 'the agent’s tokens have a price, the session’s own none')
  assert.equal(tallyOf(storyOf(session), model => session.priceOf(model)).cost?.toFixed(9), paid.toFixed(9))
  assert.deepEqual(
    far.map(({ path: where, body }) => [where, (body as { model: string }).model]),
    [
      ['/v1/chat/completions', 'big'],
      ['/v1/chat/completions', 'big'],
    ],
  )
  assert.ok(overlap(far.at(-1)!, desk.chats[2]!), 'both servers were at work at once')
  const { messages } = desk.chats[2]!.body as { messages: { role: string; content: string }[] }
  assert.deepEqual(
    messages.slice(-3).map(({ content }) => content.slice(0, 27)),
    ['(An agent does it meanwhile', '(This call has begun: you d', '(From here on you are the a'],
  )
  const [whole, , branch, after] = desk.chats
  assert.ok((branch?.read ?? 1e9) < 220, `the branch read ${branch?.read} of ${whole?.read}`)
  assert.ok((after?.read ?? 1e9) < 80, `after both ${after?.read} of ${after?.prompt} were read`)
  assert.deepEqual([desk.violations, lab.violations], [[], []])

  const next = await openHouse(t, { before: house, tasks: true, resume: { last: true }, replies: ['Three.'] })
  assert.equal((await next.session.prompt('three')).text, 'Three.')
})

test('on one server they work one after the other, and two at once where it was seen to keep several', async t => {
  const one = await openHouse(t, {
    tasks: true,
    replies: [{ calls: [task('explore', 'a'), task('explore', 'b')] }, 'A.', 'B.', 'Done.'],
  })
  await one.session.prompt('go')
  const [, a, b] = one.server.chats
  assert.ok((a?.endAt ?? 1e99) <= (b?.at ?? 0), 'the second one begins when the first has ended')

  const [here, there] = [gate(), gate()]
  const several = await openHouse(t, {
    tasks: true,
    server: { parallel: 3 },
    config: { context: { max_tokens: 4096, compaction_threshold: 0.9, keep_recent: 4 } },
    replies: [
      'What was said before. '.repeat(240),
      { calls: [task('explore', 'a')] },
      'Nowhere.',
      'So it is nowhere.',
      { calls: [task('explore', 'b'), task('explore', 'c')] },
      meeting(here, there),
      meeting(there, here),
      'Done.',
    ],
  })
  for (const words of ['one', 'two', 'three']) await several.session.prompt(words)
  const results = tasksOf(several).map(({ content }) => content)
  assert.deepEqual(results.slice(-2), ['Both are under way.', 'Both are under way.'])
  assert.ok(overlap(several.server.chats[5]!, several.server.chats[6]!))
})

test('a server that keeps one conversation is not taken for more, however much both have in common', async t => {
  for (const [parallel, wanted] of [
    [1, 'branch'],
    [3, 'fresh several'],
  ] as const) {
    const far = await startServer({
      parallel,
      contextLength: 16_384,
      model: script([
        'What was said before. '.repeat(150),
        { calls: [task('general', 'a')] },
        'Nowhere.',
        'So it is nowhere.',
        { calls: [task('general', 'b')] },
        'Somewhere.',
        'Done.',
      ]),
    })
    t.after(() => far.close())
    const backend = createOpenAi({ name: 'lab', base_url: `${far.host}/v1`, timeout: 10_000 })
    const house = await openHouse(t, {
      ...{ tasks: true, backend, instructions: ['A rule that holds for everybody. '.repeat(500)] },
      config: { context: { max_tokens: 16_384 } },
    })
    // As if there were no room for a branch.
    const { main } = house.session
    const free = main.room.freeTokens.bind(main.room)
    await house.session.prompt('one')
    main.room.freeTokens = () => 0
    await house.session.prompt('two')
    main.room.freeTokens = free
    await house.session.prompt('three')
    assert.deepEqual(ways(house), ['fresh room', wanted])
  }
})

test('in a pool one goes on where the conversation is cached, the next one where there is room', async t => {
  const [here, there] = [gate(), gate()]
  const first = await server(t, [
    long,
    { calls: [task('explore', 'a'), task('explore', 'b'), task('explore', 'c')] },
    meeting(here, there),
    'The third.',
    'Done.',
  ])
  const second = await server(t, [meeting(there, here), 'The third.'])
  const { backend } = await openServer({
    ...defaults,
    ollama: { ...defaults.ollama, model: 'both/scripted' },
    providers: {
      one: { type: 'ollama', host: first.host },
      two: { type: 'openai', base_url: `${second.host}/v1` },
      both: { type: 'pool', of: ['one', 'two'] },
    },
  })
  const house = await openHouse(t, { tasks: true, backend, config: { ollama: { model: 'both/scripted' } } })
  await house.session.prompt('one')
  assert.equal((await house.session.prompt('two')).text, 'Done.')
  assert.deepEqual(ways(house).slice(0, 2), ['branch', 'fresh several'])
  const [, , branch] = first.chats
  assert.ok((branch?.read ?? 1e9) < 300, `the branch read ${branch?.read} of ${branch?.prompt}`)
  const [fresh] = second.requests.filter(isChat)
  assert.ok(overlap(branch!, fresh!))
  const last = first.chats.at(-1)
  assert.ok((last?.read ?? 1e9) < 200, `afterwards ${last?.read} of ${last?.prompt} were read`)
})

test('a server of theirs that is not there fails the call, not the run; questions of two come one after the other', async t => {
  const lab = await server(t, [call('write', { path: 'far.txt', content: 'far' }), 'Far.'])
  const asked: string[] = []
  let open = 0
  const house = await openHouse(t, {
    tasks: true,
    config: {
      permission: { mode: 'ask' },
      providers: {
        lab: { type: 'openai', base_url: `${lab.host}/v1` },
        gone: { type: 'openai', base_url: 'http://127.0.0.1:9/v1' },
      },
    },
    files: {
      ...file('lab/big'),
      '.claude/agents/gone.md': '---\ndescription: gone\nmodel: gone/x\n---\nYou are nowhere.\n',
    },
    async approve({ call: { arguments: given } }) {
      assert.equal(++open, 1, 'one question at a time')
      asked.push(String(given.path))
      if (asked.length === 1) await both
      open--
      return { allow: true }
    },
    replies: [
      { calls: [task('gone', 'x'), task('far', 'y'), task('general', 'z')] },
      () => {
        written()
        return call('write', { path: 'near.txt', content: 'near' })
      },
      'Near.',
      'Done.',
    ],
  })
  let written = () => {}
  const both = new Promise<void>(resolve => {
    written = resolve
  })
  assert.equal((await house.session.prompt('go')).text, 'Done.')
  const [gone, far, near] = tasksOf(house)
  assert.match(gone?.content ?? '', /^task: .*127\.0\.0\.1:9/)
  assert.deepEqual([gone?.is_error, far?.is_error, near?.is_error], [true, false, false])
  assert.deepEqual([...asked].sort(), ['far.txt', 'near.txt'])
})
