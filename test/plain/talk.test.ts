import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { promptCommand } from '../../src/kit/commands/prompt-command.ts'
import { BUILT_IN } from '../../src/kit/commands/table.ts'
import { PlainFace } from '../../src/plain/plain.ts'
import { EN } from '../../src/words/en.ts'
import { gate } from '../support/demo/reply.ts'
import { call, nowhere, openHouse } from '../support/house.ts'

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
  const { last } = await face.talk(session, {
    first: 'go',
    showTokens: false,
    commands: BUILT_IN,
    place: nowhere,
  })
  assert.equal(last?.text, 'Fine.', written)
})

test('after a run that failed it names the command that asks once more, which does', async t => {
  const [input, output] = [terminal(), terminal()]
  const face = new PlainFace({ input, output, onInterrupt: () => () => {}, colour: false, words: EN })
  const house = await openHouse(t, { replies: [['half of ', { cut: true }], 'Whole.'] })
  output.on('data', piece => {
    if (/\/retry asks once more/.test(piece)) input.end('/retry\n')
  })
  const { last } = await face.talk(house.session, {
    first: 'go',
    showTokens: false,
    commands: BUILT_IN,
    place: nowhere,
  })
  assert.equal(last?.text, 'Whole.')
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
  const talked = face.talk(house.session, {
    first: 'go',
    showTokens: false,
    commands: BUILT_IN,
    place: nowhere,
  })
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
  const { last } = await face.talk(session, {
    first: 'go',
    showTokens: false,
    commands: BUILT_IN,
    place: nowhere,
  })
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
  await face.talk(house.session, {
    first: 'and @a.txt',
    showTokens: false,
    commands: BUILT_IN,
    place: nowhere,
  })
  const users = house.sent(1).filter(({ role }) => role === 'user')
  assert.deepEqual(
    users.map(({ content }) => content),
    ['and @a.txt', 'see @a.txt'].map(words => `<file path="a.txt">\n1\tAAA\n</file>\n\n${words}`),
  )
})

test('the help names the commands that there are in lines, and those from elsewhere work', async t => {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const written = text(output)
  const inspect = promptCommand({ name: 'inspect', description: 'looks at it', text: 'Review $ARGUMENTS.' })
  const house = await openHouse(t, {
    replies: ['Reviewed.'],
    sources: async () => [{ from: 'a folder', commands: async () => [inspect] }],
  })
  const face = new PlainFace({ input, output, onInterrupt: () => () => {}, colour: false, words: EN })
  input.end('/help\n/theme dark\n/inspect a.txt\n')
  const { wanted } = await face.talk(house.session, {
    showTokens: false,
    commands: [...BUILT_IN, inspect],
    place: nowhere,
  })
  output.end()
  const shown = await written
  const listed = BUILT_IN.filter(({ name }) => new RegExp(`^/${name}( .*)? {2}`, 'm').test(shown))
  assert.deepEqual(
    BUILT_IN.filter(command => !listed.includes(command)).map(({ name }) => name),
    ['copy', 'mouse', 'theme'],
  )
  assert.match(
    shown,
    /^Type what you want[\s\S]*\n\/later TEXT {2}send this[\s\S]*\n\/inspect {2}looks at it\n/,
  )
  assert.match(shown, /\/theme is for the full screen/)
  assert.deepEqual(house.sent(0).at(-1)?.content, 'Review a.txt.')
  assert.deepEqual(wanted, { type: 'leave' })
})

test('a question at the side that takes long says what its server does, besides the conversation', async t => {
  const [input, output] = [terminal(), terminal()]
  const told: string[] = []
  const held = gate()
  const face = new PlainFace({
    ...{ input, output, onInterrupt: () => () => {}, colour: false, words: EN },
    tellWait: line => {
      told.push(line)
      held.open()
    },
  })
  const { session } = await openHouse(t, { replies: [[{ gate: held }, 'Four.']] })
  output.on('data', piece => {
    if (/Answered;/.test(piece)) input.end('/quit\n')
  })
  input.write('/btw what is two and two?\n')
  await face.talk(session, { showTokens: false, commands: BUILT_IN, place: nowhere })
  assert.match(told[0] ?? '', /^… (reading|waiting|writing).* · 5 s$/)
})
