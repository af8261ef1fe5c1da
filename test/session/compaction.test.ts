import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { ChatBody } from '../../src/demo/request.ts'
import type { CompactionEntry } from '../../src/protocol/events.ts'
import { replay } from '../../src/session/replay.ts'
import { gate } from '../support/demo/reply.ts'
import { call, type House, openHouse } from '../support/house.ts'

/** A text of so many tokens, as the server counts here: four characters each. */
const words = (tokens: number) => 'abc '.repeat(tokens).trimEnd()
/** A reply of so many tokens, in one piece. */
const said = (tokens: number) => [{ atOnce: words(tokens), tokens }]
/** Small enough to be full after a few replies. */
const small = { context: { max_tokens: 12_000, keep_recent: 4 } }

const isSummaryRequest = ({ messages }: ChatBody) =>
  /Stop working for a moment/.test(messages.at(-1)?.content ?? '')

const compactionOf = (house: House): CompactionEntry | undefined =>
  house.journal().find(entry => entry.type === 'compaction')

const systemAndTools = (body: unknown) => {
  const { messages, tools, options } = body as ChatBody & { options: Record<string, unknown> }
  return { system: messages[0], tools, num_ctx: options.num_ctx }
}

test('a run that ends above the threshold is summarised while the person reads, with the prefix that was read', async t => {
  const house = await openHouse(t, {
    config: small,
    files: { 'a.txt': 'x', 'b.txt': 'y' },
    model: (request, index) => {
      if (isSummaryRequest(request)) return 'Task: count words.\nNext: nothing.'
      return [call('read', { path: 'a.txt' }), said(5_000), 'Short.', said(3_000)][index] ?? 'After.'
    },
  })
  for (const prompt of ['count', 'and', 'more']) await house.session.prompt(prompt)
  await house.seen(({ type }) => type === 'compaction')

  const summary = house.server.chats[4]
  assert.deepEqual(systemAndTools(summary?.body), systemAndTools(house.server.chats[3]?.body))
  assert.ok((summary?.read ?? Number.NaN) < 400, `the summary request read ${summary?.read} tokens anew`)
  const entry = compactionOf(house)
  assert.ok(entry && entry.token_after < entry.token_before)
  assert.match(entry.summary, /Task: count words/)
  assert.match(entry.summary, /Files read: a\.txt/)

  await house.session.prompt('go on')
  const sent = house.sent(5)
  assert.equal(sent[0]?.role, 'user')
  assert.match(sent[0]?.content ?? '', /Task: count words/)
  assert.equal(sent.at(-1)?.content.endsWith('go on'), true)
  assert.deepEqual(house.server.violations, [])
})

test('a history of recent messages alone cannot be summarised; it is, as soon as it has an old one', async t => {
  const house = await openHouse(t, {
    config: { context: { max_tokens: 12_000, keep_recent: 4 } },
    model: (request, index) =>
      isSummaryRequest(request) ? 'Summed up.' : index === 0 ? said(7_300) : 'Short.',
  })
  for (const prompt of ['one', 'two']) await house.session.prompt(prompt)
  // Longer than a pause begins after: the try that finds nothing old has been made.
  await new Promise(resolve => setTimeout(resolve, 200))
  assert.equal(compactionOf(house), undefined)
  await house.session.prompt('three')
  await house.seen(({ type }) => type === 'compaction')
  assert.match(compactionOf(house)?.summary ?? '', /Summed up/)
  assert.deepEqual(
    house.events.filter(({ type }) => type === 'notice'),
    [],
    'the entry says it, once',
  )
})

test('what has just become old is summarised in the pause after the run, not before its first request', async t => {
  const house = await openHouse(t, {
    // So small that the reserve for an answer makes every prompt here one that does not fit.
    config: { context: { max_tokens: 6_000, keep_recent: 4 } },
    model: (request, index) =>
      isSummaryRequest(request) ? 'Summed up.' : index === 0 ? said(4_000) : 'Short.',
  })
  for (const prompt of ['one', 'two', 'three']) await house.session.prompt(prompt)
  const summaries = house.server.chats.filter(({ body }) => isSummaryRequest(body as ChatBody))
  assert.equal(summaries.length, 0, 'nobody waited for a summary')
  await house.seen(({ type }) => type === 'compaction')
})

test('a resumed session sends the same bytes after a compaction', async t => {
  const reply = (request: ChatBody) => (isSummaryRequest(request) ? 'Summed up.' : said(2_500))
  const first = await openHouse(t, { config: small, model: reply })
  for (const prompt of ['one', 'two', 'three', 'four']) await first.session.prompt(prompt)
  await first.seen(({ type }) => type === 'compaction')
  await first.session.prompt('five')
  const before = first.sent(first.server.chats.length - 1)
  await first.session.close()
  const next = await openHouse(t, {
    before: first,
    resume: { last: true },
    config: small,
    model: () => 'Six.',
  })
  await next.session.prompt('six')
  const after = next.sent(0)
  assert.equal(after.length, before.length + 2)
  const changed = before.findIndex((message, n) => JSON.stringify(message) !== JSON.stringify(after[n]))
  assert.equal(changed, -1)
})

test('a prompt during a compaction that fits without it abandons it, and the next pause tries again', async t => {
  const held = gate()
  let summaries = 0
  const house = await openHouse(t, {
    config: small,
    model: request => {
      const { length } = request.messages
      if (!isSummaryRequest(request))
        return length === 2 ? said(6_000) : length === 6 ? said(2_000) : 'Short.'
      return summaries++ === 0 ? ['Task', { gate: held }, ': never'] : 'Second summary.'
    },
  })
  for (const prompt of ['one', 'two', 'three']) await house.session.prompt(prompt)
  await held.reached
  assert.equal((await house.session.prompt('four')).text, 'Short.')
  assert.equal(house.server.chats[3]?.aborted, true)
  await house.seen(({ type }) => type === 'compaction')
  assert.match(compactionOf(house)?.summary ?? '', /Second summary/)
})

test('in the middle of a run history is summarised only when the next request does not fit', async t => {
  const house = await openHouse(t, {
    config: small,
    files: { 'big.txt': `${words(1_800)}\n` },
    model: request => {
      if (isSummaryRequest(request)) return 'Summed up in between.'
      const results = request.messages.filter(({ role }) => role === 'tool').length
      const text = JSON.stringify(request.messages)
      if (text.includes('Summed up in between')) return 'Done.'
      return results < 8 ? call('bash', { command: `echo ${results}; cat big.txt` }) : 'No need.'
    },
  })
  const result = await house.session.prompt('read it again and again')
  assert.equal(result.error?.message, undefined)
  assert.equal(result.text, 'Done.')
  assert.equal(result.reason, 'done')
  assert.deepEqual(house.server.violations, [])
  assert.equal(
    house.server.chats.every(({ status }) => status === 200),
    true,
  )
})

test('without a summary from the model the certain facts must do, and that is said', async t => {
  const house = await openHouse(t, {
    config: small,
    model: (request, index) => {
      if (isSummaryRequest(request)) return { failure: { status: 500, error: 'out of luck' } }
      return [call('write', { path: 'a.txt', content: 'y' }), said(4_000), 'Short.'][index] ?? said(4_000)
    },
  })
  for (const prompt of ['change it', 'and', 'more']) await house.session.prompt(prompt)
  await house.seen(event => event.type === 'notice' && /no summary/.test(event.message))
  assert.match(compactionOf(house)?.summary ?? '', /Files changed: a\.txt/)
})

test('/compact keeps what the person asks for, and says when there is nothing to do', async t => {
  const house = await openHouse(t, {
    config: { context: { keep_recent: 2 } },
    model: request => (isSummaryRequest(request) ? 'Kept.' : said(500)),
  })
  assert.equal(await house.session.compact(), false)
  for (const prompt of ['one', 'two', 'three']) await house.session.prompt(prompt)
  assert.equal(await house.session.compact('the names'), true)
  const request = house.server.chats.at(-1)?.body as ChatBody
  assert.match(request.messages.at(-1)?.content ?? '', /keep above all: the names/)
})

test('prompts back to back leave no pause: nothing is summarised between them, nor after a run that failed', async t => {
  const house = await openHouse(t, {
    config: small,
    model: (request, index) => {
      if (isSummaryRequest(request)) return 'Summed up.'
      return index < 4 ? said(1_900) : { failure: { status: 500, error: 'out of luck' } }
    },
  })
  const { session } = house
  const later: Promise<unknown>[] = []
  const run = session.prompt('one')
  for (const text of ['two', 'three', 'four', 'fail']) later.push(session.followUp(text))
  await run
  await Promise.all(later)
  // Longer than a pause begins after.
  await new Promise(resolve => setTimeout(resolve, 200))
  assert.equal(house.server.chats.filter(({ body }) => isSummaryRequest(body as ChatBody)).length, 0)
  assert.ok(session.contextTokens > 0.6 * 12_000)
})

test('a compaction that was asked for is waited for by the next prompt, and a compaction never outlasts an abort', async t => {
  const held = gate()
  const house = await openHouse(t, {
    config: { context: { keep_recent: 2 } },
    model: request => (isSummaryRequest(request) ? ['Kept', { gate: held }, '.'] : said(500)),
  })
  const { session } = house
  for (const prompt of ['one', 'two', 'three']) await session.prompt(prompt)
  const compacted = session.compact()
  const next = session.prompt('four')
  await held.reached
  held.open()
  assert.equal(await compacted, true)
  assert.equal((await next).reason, 'done')
  assert.match(house.sent(4)[0]?.content ?? '', /Kept\./)
})

test('an abort ends the wait for a compaction', async t => {
  const held = gate()
  const house = await openHouse(t, {
    config: { context: { keep_recent: 2 } },
    model: request => (isSummaryRequest(request) ? ['Kept', { gate: held }] : said(500)),
  })
  const { session } = house
  for (const prompt of ['one', 'two', 'three']) await session.prompt(prompt)
  const compacted = session.compact()
  const next = session.prompt('four')
  await held.reached
  session.abort()
  assert.equal((await next).reason, 'aborted')
  assert.equal(await compacted, false)
})

test('a history that the server refuses as too long, though we believed that it fits, is shortened once and asked again', async t => {
  const failure = { failure: { status: 400, error: 'the input length exceeds the context length' } }
  const tokens = ({ messages }: ChatBody) =>
    messages.reduce((sum, { content }) => sum + content.length / 4, 0)
  const house = await openHouse(t, {
    files: { 'big.txt': `${words(1_500)}\n` },
    config: { context: { keep_recent: 4 } },
    model: request => {
      assert.equal(isSummaryRequest(request), false, 'a longer request is refused too')
      if (tokens(request) > 4_000) return failure
      const results = request.messages.filter(({ role }) => role === 'tool').length
      return results < 3 ? call('bash', { command: `echo ${results}; cat big.txt` }) : 'Done.'
    },
  })
  const result = await house.session.prompt('read it three times')
  assert.deepEqual([result.reason, result.text], ['done', 'Done.'])
  const entry = compactionOf(house)
  assert.ok(entry?.cut && entry.token_after <= entry.token_before / 2)
  const replayed = replay(readFileSync(house.session.sessionFile ?? '', 'utf8'), () => 'new')
  assert.deepEqual(replayed.history, house.session.messages)
  assert.deepEqual(replayed.repairs, [])
  assert.deepEqual(house.server.violations, [])
  const counted = house.journal().flatMap(entry => ('usage' in entry && entry.usage ? [entry.usage] : []))
  const sum = counted.reduce((all, { prompt_tokens }) => all + prompt_tokens, 0)
  assert.equal(result.usage.prompt_tokens, sum, 'what was said before the compaction counts too')

  const hopeless = await openHouse(t, { model: () => failure })
  const refused = await hopeless.session.prompt(words(50))
  assert.deepEqual([refused.error?.code, hopeless.server.chats.length], ['context', 1])
})

/** The same, as a file that is read whole. */
const lines = (tokens: number) => `${words(8)}\n`.repeat(tokens / 10)
const roleOf = (body: unknown) => (body as ChatBody).messages.at(-1)?.role

test('a long run is summarised between its turns once it passes the threshold, and the wait is shown and measured', async t => {
  const house = await openHouse(t, {
    config: small,
    files: {
      'a.txt': lines(1_800),
      'b.txt': lines(1_800),
      'c.txt': lines(1_800),
      'd.txt': lines(1_800),
      'e.txt': 'e',
    },
    model: (request, index) => {
      if (isSummaryRequest(request)) return 'Read a and b.'
      return [...'abcde'].map(name => call('read', { path: `${name}.txt` }))[index] ?? 'Done.'
    },
  })
  const { reason } = await house.session.prompt('read them all')
  assert.equal(reason, 'done')
  const types = house.events.map(({ type }) => type)
  const compacted = types.indexOf('compaction')
  assert.ok(compacted > 0 && compacted < types.indexOf('agent_end'), 'within the run')
  const entry = compactionOf(house)
  assert.match(entry?.summary ?? '', /Read a and b/)
  assert.equal(typeof entry?.waited_ms, 'number')
  assert.ok(
    house.events.some(event => event.type === 'phase' && event.what === 'summary'),
    'the person sees what is waited for',
  )
  assert.deepEqual(house.server.violations, [])
})

test('never before the first request of a run, while the history fits', async t => {
  const house = await openHouse(t, {
    config: small,
    model: request => (isSummaryRequest(request) ? 'Summed up.' : said(2_600)),
  })
  for (const prompt of ['one', 'two', 'three']) await house.session.prompt(prompt)
  const summaries = house.server.chats.filter(({ body }) => isSummaryRequest(body as ChatBody))
  assert.equal(summaries.length, 0)
})

test('the summary is asked for while tools run, and a run that ends earlier gives it up', async t => {
  const asked = gate()
  const order: string[] = []
  const house = await openHouse(t, {
    config: small,
    files: { 'a.txt': lines(2_600), 'b.txt': lines(2_600), 'c.txt': lines(2_600) },
    approve: async () => {
      // The command waits for its yes until the summary has been asked for.
      await asked.reached
      order.push('yes')
      return { allow: true }
    },
    model: (request, index) => {
      if (isSummaryRequest(request)) {
        order.push('summary')
        assert.equal(roleOf(request), 'user')
        return [{ gate: asked }, 'Read a.']
      }
      const calls = [...'abc'].map(name => call('read', { path: `${name}.txt` }))
      return [...calls, call('bash', { command: 'touch x' })][index] ?? 'Done.'
    },
  })
  house.session.setMode('ask')
  asked.reached.then(() => asked.open())
  const { reason } = await house.session.prompt('go')
  assert.equal(reason, 'done')
  assert.equal(order[0], 'summary')
  assert.deepEqual(house.server.violations, [])
})
