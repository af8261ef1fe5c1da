/** What is over is over: a closed session sends, writes and tells nothing more, however slow the server is. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import type { ChatBody } from '../../src/demo/request.ts'
import { gate } from '../support/demo/reply.ts'
import { call, openHouse } from '../support/house.ts'

const words = (tokens: number) => 'abc '.repeat(tokens).trimEnd()
const small = { context: { max_tokens: 12_000, keep_recent: 2 } }
const isSummaryRequest = ({ messages }: ChatBody) =>
  /Stop working for a moment/.test(messages.at(-1)?.content ?? '')

/** A server that takes every request and answers none. `arrived` resolves with the first, `gone` when its client leaves. */
async function silentServer(t: TestContext) {
  let arrive = () => {}
  let leave = () => {}
  const arrived = new Promise<void>(resolve => (arrive = resolve))
  const gone = new Promise<void>(resolve => (leave = resolve))
  const server: Server = createServer((_, response) => {
    response.once('close', leave)
    arrive()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.closeAllConnections())
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  return { host: `http://127.0.0.1:${port}`, arrived, gone }
}

test('a server that does not answer at all holds up neither an abort nor the end, and hears of it', async t => {
  const { host, arrived, gone } = await silentServer(t)
  const { session } = await openHouse(t, { config: { ollama: { host } } })
  const run = session.prompt('hello?')
  await arrived
  session.abort()
  assert.equal((await run).reason, 'aborted')
  const written = readFileSync(session.sessionFile ?? '', 'utf8')
  await session.close()
  await gone
  assert.equal(readFileSync(session.sessionFile ?? '', 'utf8'), written)
})

test('everybody who closes a session waits for its end', async t => {
  const { session, seen } = await openHouse(t, {
    replies: [call('bash', { command: 'echo begun; sleep 60' })],
  })
  const run = session.prompt('go')
  await seen(({ type }) => type === 'tool_output')
  let ended = false
  void session.close().then(() => (ended = true))
  await session.close()
  assert.ok(ended)
  assert.equal((await run).reason, 'aborted')
})

test('a closed session sends nothing more: no prewarm, no draft, no compaction', async t => {
  const { session, server } = await openHouse(t, { prewarm: 'type', replies: ['Hi.'] })
  await session.prompt('hello')
  await session.close()
  const before = server.chats.length
  session.draft(words(500))
  await assert.rejects(session.compact(), /closed/)
  await assert.rejects(session.steer('more'), /closed/)
  await assert.rejects(session.followUp('more'), /closed/)
  // Longer than a draft waits for the next key.
  await new Promise(resolve => setTimeout(resolve, 400))
  assert.equal(server.chats.length, before)
})

test('closing in the middle of a compaction ends its request and leaves the history alone', async t => {
  const held = gate()
  const house = await openHouse(t, {
    config: small,
    model: request => (isSummaryRequest(request) ? ['Task', { gate: held }] : words(2_500)),
  })
  for (const prompt of ['one', 'two', 'three', 'four']) await house.session.prompt(prompt)
  await held.reached
  await house.session.close()
  const summary = house.server.chats.at(-1)
  await summary?.ended
  assert.equal(summary?.aborted, true)
  assert.equal(
    house.journal().some(({ type }) => type === 'compaction'),
    false,
  )
})

test('what was saved before anything was asked is a whole journal', async t => {
  const { session, journal } = await openHouse(t, { replies: ['Hi.'] })
  await session.save()
  assert.equal(journal()[0]?.type, 'header')
  await session.prompt('hello')
  assert.equal(journal().filter(({ type }) => type === 'header').length, 1)
})
