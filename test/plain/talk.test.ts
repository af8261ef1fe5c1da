import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { PlainFace } from '../../src/plain/plain.ts'
import { call, openHouse } from '../support/house.ts'

/** A terminal that a test types on. */
const terminal = () => Object.assign(new PassThrough(), { isTTY: true })

test('words that the run they were typed in did not take begin the next one, and the conversation goes on after it', async t => {
  const same = call('bash', { command: 'sleep 0.2; echo same' })
  const house = await openHouse(t, { replies: [same, same, same, same, same, 'Sorry.', 'Fine.'] })
  const { session } = house
  const [input, output] = [terminal(), terminal()]
  const written = text(output)
  const face = new PlainFace({ input, output, onInterrupt: () => () => {}, colour: false })
  let calls = 0
  session.subscribe(event => {
    if (event.type === 'tool_call_start' && ++calls === 5) input.write('stop that\n')
    if (event.type === 'message' && event.role === 'assistant' && event.content === 'Sorry.')
      setImmediate(() => input.end())
  })
  const { last } = await face.talk(session, { first: 'go', showTokens: false })
  output.end()
  assert.equal(last?.text, 'Sorry.')
  assert.match(await written, /again and again[\s\S]*Sorry\./)
  const roles = house.sent(5).map(({ role }) => role)
  assert.equal(roles.at(-1), 'user')
  assert.deepEqual(house.server.violations, [])
})
