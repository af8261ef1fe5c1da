import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createOpenAi } from '../../src/backends/openai/openai.ts'
import { createSession } from '../../src/library.ts'
import { script } from '../support/demo/reply.ts'
import { startServer } from '../support/demo/server.ts'
import { openHouse } from '../support/house.ts'
import { temporary } from '../support/program.ts'

test('on a server of chat completions: tokens that it still had are exact, one conversation has one name', async t => {
  const server = await startServer({
    model: script([
      [{ call: { name: 'bash', arguments: { command: 'echo hi' } } }],
      ['It printed ', 'hi.'],
      ['Again.'],
    ]),
  })
  t.after(() => server.close())
  const backend = createOpenAi({
    ...{ name: 'lab', base_url: `${server.host}/v1`, timeout: 10_000 },
    conversation_header: 'X-Session-ID',
    models: { scripted: { context: 4096 } },
  })
  const { session, journal } = await openHouse(t, { backend })
  const { text, reason } = await session.prompt('run it')
  assert.deepEqual([text, reason], ['It printed hi.', 'done'])
  assert.equal(session.setup?.limit, 4096)
  await session.prompt('and again')

  const usages = session.messages.flatMap(message =>
    message.role === 'assistant' && message.usage ? [message.usage] : [],
  )
  const chats = server.requests.filter(({ path }) => path === '/v1/chat/completions')
  assert.deepEqual(
    usages.map(({ reused_tokens, read_tokens, estimated }) => [reused_tokens, read_tokens, estimated]),
    chats.map(({ cached, read }) => [cached, read, false]),
  )
  assert.ok(usages[1]!.reused_tokens > usages[1]!.read_tokens)
  const names = chats.map(({ body, headers }) => [
    (body as { prompt_cache_key: string }).prompt_cache_key,
    headers['x-session-id'],
  ])
  assert.deepEqual(new Set(names.flat()), new Set([session.id]))
  // What was sent is sent again, byte for byte.
  const messagesOf = ({ text }: { text: string }) => text.slice(text.indexOf('"messages":'), -2)
  for (const [index, chat] of chats.slice(1).entries())
    assert.ok(messagesOf(chat).startsWith(messagesOf(chats[index]!)), `request ${index + 1}`)
  assert.ok(journal().length > 0)
})

const isChat = ({ path }: { path: string }) => path === '/v1/chat/completions'

test('a branch has the name of the conversation that it goes on from, another side conversation one of its own', async t => {
  const server = await startServer({ model: () => 'Yes.' })
  t.after(() => server.close())
  const backend = createOpenAi({ name: 'lab', base_url: `${server.host}/v1`, timeout: 10_000 })
  const { session } = await openHouse(t, { backend })
  const { signal } = new AbortController()
  await session.prompt('one')
  for (const branch of [true, false])
    await session.thread({ branch }).run({ id: `side ${branch}`, role: 'user', content: 'aside' }, { signal })
  const [main, branch, own] = server.requests
    .filter(isChat)
    .map(({ body }) => (body as { prompt_cache_key: string }).prompt_cache_key)
  assert.deepEqual([main, branch], [session.id, session.id])
  assert.match(own ?? '', new RegExp(`^${session.id}-.`))
})

test('a server that may bill by the token reads nothing ahead, one that does not does', async t => {
  const cwd = temporary(t, 'gopi-project-')
  for (const [api_key, price, most] of [
    [undefined, undefined, [1, undefined]],
    ['some-key-of-mine', undefined, [undefined]],
    [undefined, { input: 1, output: 2 }, [undefined]],
  ] as const) {
    const server = await startServer({ model: () => 'Yes.' })
    t.after(() => server.close())
    const lab = {
      ...{
        type: 'openai' as const,
        base_url: `${server.host}/v1`,
        models: { big: { ...(price && { price }) } },
      },
      ...(api_key !== undefined && { api_key }),
    }
    const session = await createSession({
      ...{ cwd, journal: false, model: 'lab/big' },
      config: { providers: { lab } },
    })
    await session.open()
    await session.prompt('hello')
    await session.close()
    const asked = server.requests
      .filter(isChat)
      .map(({ body }) => (body as { max_tokens?: number }).max_tokens)
    assert.deepEqual(asked, most)
  }
})
