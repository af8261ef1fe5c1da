import assert from 'node:assert/strict'
import { test } from 'node:test'
import { builtin } from '../../src/kit/builtin.ts'
import { BUILT_IN } from '../../src/kit/commands/table.ts'
import { kitOf } from '../../src/kit/kit.ts'
import type { Source } from '../../src/kit/source.ts'
import { customTool } from '../../src/tools/custom.ts'
import { builtinTools } from '../../src/tools/list.ts'
import { toWire } from '../../src/tools/tool.ts'
import { EN } from '../../src/words/en.ts'
import { ZH } from '../../src/words/zh.ts'
import { call, openHouse } from '../support/house.ts'

const tool = (name: string, answer = name) =>
  customTool({
    name,
    description: `answers ${answer}`,
    parameters: {},
    readOnly: true,
    execute: () => answer,
  })

/** As a folder or a server will be one. */
const folder = (more: Partial<Source>): Source => ({ from: 'a folder', ...more })

test('gopi itself is a source: its tools in their order, its commands, nothing else', async () => {
  const kit = kitOf([builtin()])
  assert.deepEqual(kit.wire, builtinTools().map(toWire))
  const { commands } = await kit.commands()
  assert.deepEqual(commands.slice(0, -1), BUILT_IN)
  assert.equal(commands.at(-1)?.name, 'kit')
  assert.deepEqual([kit.hooks, kit.skills, kit.agents, kit.clashes], [[], [], [], []])
})

test('the nearer one of two things with a name is kept, in the place of the other, and that is told', async () => {
  const skill = { name: 'review', description: 'looks', file: '/far/review.md', body: '' }
  const agent = { name: 'explore', description: 'looks around', prompt: 'Look around.' }
  const far = folder({ from: 'far', tools: [tool('lint'), tool('Read')], skills: [skill], agents: [agent] })
  const near = folder({
    from: 'near',
    tools: [tool('lint', 'nearer')],
    skills: [{ ...skill, file: '/near' }],
  })
  const kit = kitOf([builtin(), far, near])
  const names = kit.tools.map(({ name }) => name)
  assert.deepEqual(names, ['bash', 'Read', 'edit', 'write', 'grep', 'find', 'ls', 'lint'])
  assert.equal(kit.tools.at(-1)?.description, 'answers nearer')
  assert.deepEqual(
    kit.skills.map(({ file }) => file),
    ['/near'],
  )
  assert.deepEqual(kit.agents, [agent])
  assert.deepEqual(
    kit.clashes.map(clash => [EN.say(clash), /同名/.test(ZH.say(clash))]),
    [
      ['The tool Read of far is used in place of the one of gopi.', true],
      ['The tool lint of near is used in place of the one of far.', true],
      ['The skill review of near is used in place of the one of far.', true],
    ],
  )
})

test('what the model is told is frozen with the first look, whatever a source does later', async t => {
  const mine = { ...tool('mine') }
  const tools = [...builtinTools(), mine]
  const house = await openHouse(t, { tools, replies: ['One.', call('mine', {}), 'Two.'] })
  await house.session.prompt('one')
  Object.assign(mine, { description: 'something else now' })
  tools.splice(0, 3)
  await house.session.prompt('two')
  const [first, second] = house.server.chats.map(({ body }) =>
    JSON.stringify((body as { tools: object }).tools),
  )
  assert.equal(second, first)
  assert.ok(
    house.events.some(event => event.type === 'message' && event.role === 'tool' && event.content === 'mine'),
  )
})

test('a source that brings nothing costs nothing: the same bytes', () => {
  assert.equal(JSON.stringify(kitOf([builtin(), folder({})]).wire), JSON.stringify(kitOf([builtin()]).wire))
})
