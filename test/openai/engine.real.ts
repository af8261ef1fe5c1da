/**
 * gopi's session on a real server of chat completions: every dialect to the end, several calls, a reply that is stopped.
 * GOPI_TEST_OPENAI is its base_url, GOPI_TEST_OPENAI_MODEL the model (default: the first), GOPI_TEST_OPENAI_KEY the key. The
 * prompts begin with the words by which a scripted model knows what to say, and mean the same to any other.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Backend, ChatRequest, ModelEvent } from '../../src/backends/backend.ts'
import { createOpenAi } from '../../src/backends/openai/openai.ts'
import { type HouseOptions, openHouse } from '../support/house.ts'

const base_url = process.env.GOPI_TEST_OPENAI ?? ''
const server = createOpenAi({
  ...{ name: 'lab', base_url, api_key: process.env.GOPI_TEST_OPENAI_KEY || undefined },
  timeout: 60_000,
})
const [first] = await server.models()
const model = process.env.GOPI_TEST_OPENAI_MODEL ?? first?.name ?? ''

async function open(t: Parameters<typeof openHouse>[0], { config = {}, ...options }: HouseOptions = {}) {
  const asked: { request: ChatRequest; events: ModelEvent[] }[] = []
  const backend: Backend = {
    ...server,
    async *chat(request, how) {
      // No dice: a test asks for the same every time.
      const events: ModelEvent[] = []
      asked.push({ request, events })
      for await (const event of server.chat({ ...request, options: { temperature: 0 } }, how)) {
        events.push(event)
        yield event
      }
    },
    close() {},
  }
  const house = await openHouse(t, {
    ...options,
    backend,
    config: { ...config, ollama: { model, ...config.ollama }, context: { max_tokens: 4096 } },
  })
  return { ...house, asked }
}

test('the server tells its models, and what it knows of one', async t => {
  const models = await server.models()
  assert.ok(
    // Ollama adds a tag to names that have none.
    models.some(({ name }) => name === model || name === `${model}:latest`),
    models.map(({ name }) => name).join(),
  )
  const { trained_context } = await server.facts(model)
  t.diagnostic(`${base_url} ${model}: context ${trained_context ?? 'not told'}`)
})

const COMMAND = 'run the command echo hi with the tool bash, then say what it printed'
for (const [dialect, word] of [
  ['native', 'call:'],
  ['react', 'react'],
  ['json', 'jcall'],
] as const) {
  test(`${dialect}: a tool is called and its result answered`, async t => {
    const { session, asked } = await open(t, { config: { ollama: { tool_calling: dialect } } })
    const { text, reason, error } = await session.prompt(`${word} ${COMMAND}`)
    assert.deepEqual([reason, error], ['done', undefined])
    assert.match(text, /hi/)
    const results = session.messages.filter(message => message.role === 'tool')
    assert.deepEqual(
      results.map(({ tool_name, content }) => [tool_name, content.trim()]),
      [['bash', 'hi']],
    )
    assert.equal(asked.length, 2)
    const ends = asked.map(({ events }) => events.at(-1))
    for (const end of ends) {
      assert.ok(end?.type === 'end')
      const { prompt_tokens, cached_tokens, completion_tokens } = end.metrics ?? {}
      t.diagnostic(
        `prompt ${prompt_tokens}, of it cached ${cached_tokens ?? 'not told'}, reply ${completion_tokens}`,
      )
      if (end.metrics) assert.ok(end.metrics.prompt_tokens > 0)
    }
  })
}

test('two calls in one reply', async t => {
  const { session } = await open(t, { files: { 'a.txt': 'of a', 'b.txt': 'of b' } })
  await session.prompt('two:: read the files a.txt and b.txt, both at once')
  const results = session.messages.filter(message => message.role === 'tool')
  assert.deepEqual(results.map(({ content }) => /of [ab]/.exec(content)?.[0]).slice(0, 2), ['of a', 'of b'])
})

test('a reply that is stopped is over at once, and the next one is answered', async t => {
  const { session, seen } = await open(t)
  const run = session.prompt('long: count from 1 to 600, one number to a line')
  await seen(event => event.type === 'message_delta')
  session.abort()
  assert.equal((await run).reason, 'aborted')
  const { text, reason } = await session.prompt('hello')
  assert.equal(reason, 'done')
  assert.ok(text.length > 0)
})

test('what is not there is said in one sentence, where the server minds', async t => {
  const { session } = await open(t, { config: { ollama: { model: 'no-such-model' } } })
  const { error } = await session.prompt('hello')
  if (error === undefined) return t.diagnostic('any name is this model')
  assert.equal(error.code, 'no_model')
  assert.match(error.message, /^[^\n]+\.$/)
})
