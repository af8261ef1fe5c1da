/** Commands of a person's own that name a model or an agent: for their run, and then all is as it was. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import type { ChatBody } from '../../src/demo/request.ts'
import { folderSources } from '../../src/kit/folders/folders.ts'
import { replay } from '../../src/session/replay.ts'
import { call, type House, type HouseOptions, openHouse } from '../support/house.ts'

const bodyOf = ({ server }: House, index: number) => server.chats[index]?.body as ChatBody
const models = ({ server }: House) => server.chats.map(({ body }) => (body as ChatBody).model)
const said = (house: House) =>
  house.events.flatMap(event => (event.type === 'notice' ? [event.message] : [])).join('\n')
const write = call('write', { path: 'a.ts', content: 'changed' })
const isWritten = ({ cwd }: House) => existsSync(path.join(cwd, 'a.ts'))

const command = (head: string, body = 'Look at it.') => `---\n${head}\n---\n${body}\n`
const FILES = {
  '.gopi/commands/big.md': command('model: big:70b', 'Look at $ARGUMENTS.'),
  '.gopi/commands/look.md': command('agent: Explore'),
  '.gopi/commands/free.md': command('agent: build'),
  '.gopi/commands/own.md': command('agent: own\nmodel: inherit'),
  '.gopi/commands/gone.md': command('model: sonnet'),
  '.gopi/agents/own.md': command('model: big:70b\ntemperature: 0.3\nmax_turns: 1\ntools: Read', 'Be brief.'),
}

const withCommands = (more: HouseOptions = {}): HouseOptions => ({
  files: FILES,
  sources: ({ home, cwd }) => folderSources({ home, cwd, person: home, trusted: true, deny: [] }),
  server: { models: ['scripted', 'big:70b'] },
  ...more,
})

test('the model of a command answers its run; the next prompt is the session’s own again, byte for byte', async t => {
  const house = await openHouse(t, withCommands({ replies: ['One.', write, 'Two.', 'Three.'] }))
  const { session } = house
  await session.prompt('one')
  const seen: (string | undefined)[] = []
  session.subscribe(({ type }) => type === 'turn_start' && seen.push(session.model))
  await session.prompt('/big a.ts', { typed: '/big a.ts' })
  assert.deepEqual(seen, ['big:70b', 'big:70b'])
  assert.equal(session.model, 'scripted')
  await session.prompt('three')
  assert.deepEqual(models(house), ['scripted', 'big:70b', 'big:70b', 'scripted'])
  const [first, big, , last] = [0, 1, 2, 3].map(n => bodyOf(house, n))
  assert.equal(big?.messages.at(-1)?.content, 'Look at a.ts.')
  assert.deepEqual(big?.messages.slice(0, 2), first?.messages)
  assert.deepEqual([last?.tools, last?.messages.slice(0, 2)], [first?.tools, first?.messages])
  assert.deepEqual(last?.options, first?.options)
  assert.match(said(house), /^big:70b goes on where scripted was: it has to read the conversation so far/)
  assert.deepEqual(
    house
      .journal()
      .flatMap(entry => (entry.type === 'model_change' ? [[entry.model, 'for_run' in entry]] : [])),
    [
      ['scripted', false],
      ['big:70b', true],
      ['scripted', false],
    ],
  )
})

test('one that is not there is said, and the session’s own answers; a kill on the way leaves that one, too', async t => {
  let journal = ''
  const house = await openHouse(
    t,
    withCommands({
      model: async ({ model }) => {
        if (model === 'big:70b') {
          await house.session.save()
          journal = house
            .journal()
            .map(entry => JSON.stringify(entry))
            .join('\n')
        }
        return 'Here.'
      },
    }),
  )
  await house.session.prompt('/gone')
  assert.deepEqual(models(house), ['scripted'])
  assert.match(said(house), /^sonnet is not installed; using scripted\.$/)
  await house.session.prompt('/big this')
  assert.match(journal, /"model":"big:70b"/)
  assert.equal(replay(journal, () => 'new').sent?.model, 'scripted')
})

test('the agent of a command has its run, with its model, settings and limits; then nobody has', async t => {
  const house = await openHouse(
    t,
    withCommands({
      replies: [write, 'No.', call('read', { path: '.gopi/commands/big.md' }), write, 'Done.'],
    }),
  )
  const { session } = house
  await session.prompt('/look')
  assert.equal(isWritten(house), false)
  assert.match(house.sent(0).at(-1)?.content ?? '', /^Look at it\.\n\n[\s\S]*explore/)
  assert.equal(session.agent, undefined)
  const { reason, turns } = await session.prompt('/own')
  assert.deepEqual([reason, turns], ['limit', 1])
  const { model, options } = bodyOf(house, 2)
  assert.deepEqual([model, options?.temperature], ['big:70b', 0.3])
  assert.match(house.sent(2).at(-1)?.content ?? '', /Be brief\./)
  await session.prompt('go on')
  assert.equal(isWritten(house), true)
  assert.deepEqual(
    [bodyOf(house, 3).model, bodyOf(house, 3).options?.temperature],
    ['scripted', bodyOf(house, 0).options?.temperature],
  )
  assert.notEqual(house.sent(3).at(-1)?.content, 'go on', 'the model hears that it is over')
  assert.deepEqual(
    house.journal().flatMap(entry => (entry.type === 'agent_change' ? [entry.agent?.name] : [])),
    ['explore', undefined, 'own', undefined],
  )
})

test('a command widens nothing: what the session’s agent may not do, the command’s may not either', async t => {
  const house = await openHouse(t, withCommands({ agent: 'explore', replies: [write, 'No.'] }))
  await house.session.prompt('/free')
  assert.equal(isWritten(house), false)
  assert.equal(house.session.agent?.name, 'explore')
})

test('it steps in: from there on to the end of the run', async t => {
  const house = await openHouse(
    t,
    withCommands({
      replies: [call('bash', { command: 'true' }), write, 'No.', 'Yes.'],
    }),
  )
  const { session } = house
  session.subscribe(event => {
    if (event.type === 'tool_call_start' && event.name === 'bash') void session.steer('/look')
  })
  await session.prompt('go')
  assert.equal(isWritten(house), false)
  assert.match(house.sent(1).at(-1)?.content ?? '', /^Look at it\.\n\n[\s\S]*explore/)
  assert.equal(session.agent, undefined)
})
