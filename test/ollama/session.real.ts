/** gopi's session on a real Ollama: every dialect to the end, what goes wrong, what is cut, and what is read again. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ToolMessage } from '../../src/protocol/messages.ts'
import type { TaskDetails } from '../../src/session/tasks.ts'
import type { House, HouseOptions } from '../support/house.ts'
import { type Asked, host, openReal, running, unload } from './real.ts'

const results = (house: House): ToolMessage[] =>
  house.session.messages.filter(message => message.role === 'tool')

const textPieces = ({ events }: Asked): string[] =>
  events.flatMap(event => (event.type === 'text' ? [event.text] : []))

const prefill = (asked: Asked | undefined): number => asked?.metrics?.prefill_ms ?? Number.NaN

/** Much to read: some 2,000 tokens. */
const instructions = [Array.from({ length: 300 }, (_, index) => `rule ${index * 7919} holds`).join('. ')]

test('an answer comes in pieces as the model writes them', async t => {
  const house = await openReal(t, 'native')
  const { text, reason } = await house.session.prompt('hello')
  assert.equal(text, 'Hello, I am a scripted model with one thing to say.')
  assert.equal(reason, 'done')
  const [asked] = house.asked
  assert.deepEqual(textPieces(asked!), [
    'Hello',
    ', I am',
    ' a scripted',
    ' model',
    ' with one thing',
    ' to say.',
  ])
  assert.equal(asked?.metrics?.completion_tokens, 7)
})

describe('a tool is called and its result answered', () => {
  const ways: [name: string, kind: 'native' | 'plain', prompt: string, text: RegExp, config?: object][] = [
    ['native', 'native', 'call: x', /^The command printed hi\.\nAll done\.$/],
    ['text before the call', 'native', 'texty', /^The command printed hi/],
    ['a call as fenced text', 'native', 'fence', /^The command printed hi/],
    ['a model without tools speaks react', 'plain', 'react', /it printed hi\.$/],
    ['json, forced by the grammar', 'native', 'jcall', /^It printed hi twice\.$/, { tool_calling: 'json' }],
  ]
  for (const [name, kind, prompt, wanted, ollama] of ways) {
    test(name, async t => {
      const house = await openReal(t, kind, {
        files: { 'hi.txt': '' },
        ...(ollama && { config: { ollama } }),
      })
      const { text, reason } = await house.session.prompt(prompt)
      assert.equal(reason, 'done')
      assert.match(text, wanted)
      assert.deepEqual(
        results(house).map(({ tool_name, content }) => [tool_name, content.trim().replace(/\.txt$/, '')]),
        [['bash', 'hi']],
      )
      assert.equal(house.asked.length, 2)
    })
  }

  test('two calls in one reply', async t => {
    const house = await openReal(t, 'native', { files: { 'a.txt': 'of a', 'b.txt': 'of b' } })
    await house.session.prompt('two:: x')
    assert.deepEqual(
      results(house).map(({ content }) => /of [ab]/.exec(content)?.[0]),
      ['of a', 'of b'],
    )
    assert.equal(house.asked.length, 2)
  })

  test('thinking is kept apart from the answer', async t => {
    const house = await openReal(t, 'thinker', { config: { ollama: { think: 'on' } } })
    const { text } = await house.session.prompt('think')
    assert.equal(text, 'Forty-two')
    const message = house.session.messages.at(-1)
    assert.ok(message?.role === 'assistant')
    assert.equal(message.thinking?.trim(), 'hm, let me think')
  })
})

describe('what goes wrong is one sentence', () => {
  test('no such model', async t => {
    const house = await openReal(t, 'native', { config: { ollama: { model: 'gopi-test-none' } } })
    await assert.rejects(house.session.connect(), { code: 'no_model' })
  })

  test('tools for a model that takes none', async t => {
    const house = await openReal(t, 'plain', { config: { ollama: { tool_calling: 'native' } } })
    const { reason, error } = await house.session.prompt('hello')
    assert.deepEqual([reason, error?.code], ['error', 'no_tools'])
  })

  test('more than the context holds', async t => {
    const house = await openReal(t, 'native', {
      config: { context: { max_tokens: 2048 } },
      instructions: [...instructions, ...instructions],
    })
    const { reason, error } = await house.session.prompt('hello')
    assert.deepEqual([reason, error?.code], ['error', 'context'])
  })
})

describe('what is stopped ends at once, and the next prompt is answered', () => {
  async function stopped(house: Awaited<ReturnType<typeof openReal>>, run: Promise<{ reason: string }>) {
    house.session.abort()
    assert.equal((await run).reason, 'aborted')
    const { text } = await house.session.prompt('hello')
    assert.match(text, /^Hello, I am/)
  }

  test('while the model is loaded', async t => {
    const house = await openReal(t, 'native')
    await house.session.connect()
    await unload()
    const run = house.session.prompt('hello')
    await house.when(asked => asked.length === 1)
    await stopped(house, run)
  })

  test('while the prompt is read', async t => {
    const house = await openReal(t, 'native', { instructions, config: { context: { max_tokens: 8192 } } })
    // Loaded with the context of the request: what the wait is for then is the reading.
    await load(house, 8192)
    const run = house.session.prompt('hello')
    await house.when(asked => asked.length === 1)
    await stopped(house, run)
  })

  test('while the answer is written', async t => {
    const house = await openReal(t, 'native')
    const run = house.session.prompt('long: please')
    await house.when(([asked]) => asked !== undefined && textPieces(asked).length >= 5)
    await stopped(house, run)
  })
})

async function load(house: House, context: number): Promise<void> {
  await house.session.connect()
  const body = { model: house.session.setup?.model, messages: [], options: { num_ctx: context } }
  await (await fetch(`${host}/api/chat`, { method: 'POST', body: JSON.stringify(body) })).text()
}

test('words that step in cut the reply, keep what it said, and little is read for them', async t => {
  const house = await openReal(t, 'native', { instructions })
  const run = house.session.prompt('long: please')
  await house.when(([asked]) => asked !== undefined && textPieces(asked).length >= 5)
  house.session.steer('hello instead')
  const { text } = await run
  assert.match(text, /^Hello, I am/)
  const cut = house.session.messages.find(message => message.role === 'assistant')
  assert.match(cut?.content ?? '', /^ ?w0x w1x w2x w3x w4x/)
  const last = house.asked.at(-1)
  assert.ok((last?.metrics?.prompt_tokens ?? 0) > 1500)
  // Both numbers are of one machine in one minute; what is read anew is a hundredth of the whole.
  const whole = await cold(t, { instructions })
  assert.ok(prefill(last) < whole / 3, `${prefill(last)} ms after ${whole} ms for the whole`)
})

/** Milliseconds that the server reads when nothing is there yet. */
async function cold(t: Parameters<typeof openReal>[0], options: HouseOptions): Promise<number> {
  await unload()
  const house = await openReal(t, 'native', options)
  await house.session.prompt('hello')
  return prefill(house.asked[0])
}

test('what was read ahead is not read again', async t => {
  const whole = await cold(t, { instructions })
  await unload()
  const house = await openReal(t, 'native', { instructions, prewarm: 'open' })
  await house.session.open()
  await house.when(([asked]) => asked?.isOver === true)
  await house.session.prompt('hello')
  const [ahead, real] = house.asked
  assert.equal(ahead?.request.most, 1)
  assert.ok(prefill(real) < whole / 3, `${prefill(real)} ms after ${whole} ms for the whole`)
})

describe('an agent works for the conversation', () => {
  const tasks = (house: House) =>
    results(house).map(({ content, details }) => {
      const { way, why, read_tokens } = details as TaskDetails
      return { content, way: why === undefined ? way : `${way} ${why}`, read: read_tokens }
    })

  test('on its prefix: neither the agent nor what follows it reads the conversation again', async t => {
    const whole = await cold(t, { instructions, tasks: true, config: { context: { max_tokens: 8192 } } })
    await unload()
    const house = await openReal(t, 'native', {
      ...{ instructions, tasks: true, config: { context: { max_tokens: 8192 } } },
    })
    await house.session.prompt('hello')
    const { text, reason } = await house.session.prompt('task: greet')
    assert.deepEqual([text, reason], ['The command printed hi.\nAll done.', 'done'])
    const [task] = tasks(house)
    assert.deepEqual(
      [task?.way, task?.content],
      ['branch', 'Hello, I am a scripted model with one thing to say.'],
    )
    assert.equal(house.asked.length, 4)
    const read = house.asked.map(prefill)
    t.diagnostic(
      `the whole ${whole} ms; first ${read[0]}, call ${read[1]}, branch ${read[2]}, after it ${read[3]} ms`,
    )
    for (const ms of read.slice(1)) assert.ok(ms < whole / 3, `${ms} ms of ${whole} ms for the whole`)
  })

  test('on a prefix of its own, where there is no room on the other', async t => {
    const house = await openReal(t, 'native', {
      ...{ instructions, tasks: true, config: { context: { max_tokens: 4096 } } },
    })
    await house.session.prompt('hello')
    const { reason } = await house.session.prompt('task: greet')
    assert.equal(reason, 'done')
    const [task] = tasks(house)
    assert.equal(task?.way, 'fresh room')
    const [, call, child, after] = house.asked
    assert.equal(child?.request.messages.length, 2)
    assert.equal(child?.request.context, call?.request.context, 'the model is not loaded anew')
    t.diagnostic(`call ${prefill(call)} ms, agent ${prefill(child)} ms, after it ${prefill(after)} ms`)
  })
})

test('old history is summarised, and the conversation goes on', async t => {
  const house = await openReal(t, 'native', { config: { context: { max_tokens: 4096, keep_recent: 2 } } })
  for (const prompt of ['hello', 'hello again', 'and again']) await house.session.prompt(prompt)
  assert.equal(await house.session.compact(), true)
  const entry = house.journal().find(({ type }) => type === 'compaction')
  assert.ok(entry?.type === 'compaction')
  assert.match(entry.summary, /Hello, I am a scripted model/)
  const { text } = await house.session.prompt('hello')
  assert.match(text, /^Hello, I am/)
})

test('a model stays loaded for as long as was asked, with one context, and is never loaded anew in a session', async t => {
  await unload()
  const house = await openReal(t, 'native', { config: { ollama: { keep_alive: '7m' } }, prewarm: 'open' })
  await house.session.open()
  await house.when(([asked]) => asked?.isOver === true)
  for (const prompt of ['hello', 'call: x', 'fence']) await house.session.prompt(prompt)
  const contexts = new Set(house.asked.map(({ request }) => request.context))
  const [model] = await running()
  assert.deepEqual([...contexts], [model?.context_length])
  const minutes = (Date.parse(model?.expires_at ?? '') - Date.now()) / 60_000
  assert.ok(minutes > 6 && minutes <= 7, `${minutes} minutes`)
  const [first, ...others] = house.asked.map(({ metrics }) => metrics?.load_ms ?? Number.NaN)
  for (const load of others) assert.ok(load < (first ?? 0), `${load} ms of loading after ${first} ms`)
})

test('a model that may not stay is gone after the answer', async t => {
  const house = await openReal(t, 'native', { config: { ollama: { keep_alive: '0s' } } })
  await house.session.prompt('hello')
  while ((await running()).length > 0) await new Promise(resolve => setTimeout(resolve, 50))
  assert.match((await house.session.prompt('hello')).text, /^Hello/)
})
