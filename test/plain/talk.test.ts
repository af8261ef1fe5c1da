import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { gate } from '../../src/demo/reply.ts'
import { PlainFace } from '../../src/plain/plain.ts'
import { EN } from '../../src/words/en.ts'
import { call, openHouse } from '../support/house.ts'

/** A terminal that a test types on. */
const terminal = () => Object.assign(new PassThrough(), { isTTY: true })

test('a question that an abort has ended does not take the next line for its answer', async t => {
  const [input, output] = [terminal(), terminal()]
  const face = new PlainFace({ input, output, onInterrupt: () => () => {}, colour: false, words: EN })
  const house = await openHouse(t, {
    replies: [call('bash', { command: 'echo one' }), 'Fine.'],
    maxTurns: 1,
    goOn: (turns, signal) => face.goOn(turns, signal),
  })
  const { session } = house
  let written = ''
  output.on('data', piece => {
    written += piece
    if (/as many more\?/.test(piece)) session.abort()
    if (/Stopped\./.test(piece)) input.end('and now?\n')
  })
  const { last } = await face.talk(session, { first: 'go', showTokens: false })
  assert.equal(last?.text, 'Fine.', written)
})

test('when the input has ended, nobody says yes any more: the call is not run, and the conversation ends', async t => {
  const [input, output] = [terminal(), terminal()]
  output.resume()
  const face = new PlainFace({ input, output, onInterrupt: () => () => {}, colour: false, words: EN })
  const held = gate()
  const house = await openHouse(t, {
    config: { permission: { mode: 'ask' } },
    replies: [
      [{ gate: held }, { call: { name: 'bash', arguments: { command: 'kill -0 $$; echo one' } } }],
      'Then not.',
    ],
    ...(face.approve && { approve: face.approve }),
  })
  const talked = face.talk(house.session, { first: 'go', showTokens: false })
  await held.reached
  input.end()
  await new Promise(resolve => input.once('close', resolve))
  held.open()
  const { last } = await talked
  assert.equal(last?.text, 'Then not.')
  assert.equal(house.session.messages.find(({ role }) => role === 'tool')?.content.includes('one'), false)
})

test('words that the run they were typed in did not take begin the next one, and the conversation goes on after it', async t => {
  const same = call('bash', { command: 'sleep 0.2; echo same' })
  const house = await openHouse(t, { replies: [same, same, same, same, same, 'Sorry.', 'Fine.'] })
  const { session } = house
  const [input, output] = [terminal(), terminal()]
  const written = text(output)
  const face = new PlainFace({ input, output, onInterrupt: () => () => {}, colour: false, words: EN })
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

test('lines bring the files that they name with @', async t => {
  const [input, output] = [new PassThrough(), new PassThrough()]
  output.resume()
  const house = await openHouse(t, { files: { 'a.txt': 'AAA\n' }, replies: ['One.', 'Two.'] })
  const face = new PlainFace({ input, output, onInterrupt: () => () => {}, colour: false, words: EN })
  input.end('/later see @a.txt\n')
  await face.talk(house.session, { first: 'and @a.txt', showTokens: false })
  const users = house.sent(1).filter(({ role }) => role === 'user')
  assert.deepEqual(
    users.map(({ content }) => content),
    ['and @a.txt', 'see @a.txt'].map(words => `<file path="a.txt">\n1\tAAA\n</file>\n\n${words}`),
  )
})
