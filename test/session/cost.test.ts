import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { openProvider } from '../../src/assembly/provider.ts'
import { defaults } from '../../src/config/config.ts'
import { printer } from '../../src/print/print.ts'
import { storyOf, tallyOf } from '../../src/session/story.ts'
import { EN } from '../../src/words/en.ts'
import { script } from '../support/demo/reply.ts'
import { startServer } from '../support/demo/server.ts'
import { deskOf, obeyed } from '../support/desk.ts'
import { openHouse } from '../support/house.ts'

test('what a session cost, by the prices of its model and by what the server still had', async t => {
  const server = await startServer({ model: script(['Hello there.', 'Again.']) })
  t.after(() => server.close())
  const lab = {
    type: 'openai' as const,
    base_url: `${server.host}/v1`,
    models: { scripted: { price: { input: 2, output: 8, cached: 0.5 } } },
  }
  const backend = await openProvider({ ...defaults, providers: { lab } }, { name: 'lab', provider: lab })
  const config = { ollama: { model: 'lab/scripted' }, providers: { lab } }
  const house = await openHouse(t, { backend, config })
  const { session } = house
  const [stdout, stderr] = [new PassThrough(), new PassThrough().resume()]
  const run = printer(session, { stdout, stderr, format: 'json', words: EN })
  await run('hi')
  const { cost } = await run('and again')
  stdout.end()
  const chats = server.requests.filter(({ path }) => path === '/v1/chat/completions')
  const costs = chats.map(
    ({ read = 0, cached = 0, generated = 0 }) => (read * 2 + cached * 0.5 + generated * 8) / 1e6,
  )
  const printed = (await text(stdout))
    .trim()
    .split('\n')
    .map(line => JSON.parse(line).cost)
  assert.deepEqual(printed, costs)
  assert.equal(cost, costs[1])
  assert.ok(chats[1]!.cached! > 0)
  const sum = tallyOf(storyOf(session), model => session.priceOf(model)).cost
  assert.equal(sum?.toFixed(9), (costs[0]! + costs[1]!).toFixed(9))
  const desk = deskOf(house)
  await obeyed('/cost', desk)
  assert.match(desk.shown[0] ?? '', new RegExp(`^cost: ${sum?.toFixed(4)}, by`, 'm'))
  assert.equal(session.priceOf('scripted'), undefined)
})
