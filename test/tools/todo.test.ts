import assert from 'node:assert/strict'
import { it } from 'node:test'
import { builtin } from '../../src/kit/builtin.ts'
import { kitOf } from '../../src/kit/kit.ts'
import { checklist } from '../../src/text/checklist.ts'
import { builtinTools } from '../../src/tools/list.ts'
import { todo } from '../../src/tools/todo.ts'
import { call, openHouse } from '../support/house.ts'
import { contextFor, run, told } from './context.ts'

it('a list of things to do is read line by line, asks nobody, and is off unless it is wanted', async () => {
  const context = contextFor('/')
  const list = '- [x] read\n[~] change\n[ ] test\n'
  const { output, details } = await run(todo, { list }, context)
  assert.equal(output, '1 of 3 done.')
  assert.deepEqual(checklist(details), ['☑ read', '◐ change', '☐ test'])
  assert.match(await told(todo, { list: '[ ] fine\nnot so' }, context), /came "not so"/)
  const names = kitOf([builtin()]).wire.map(({ function: { name } }) => name)
  assert.ok(!names.includes('todo'))
  assert.deepEqual(
    kitOf([builtin({ todo: true })]).wire.map(({ function: { name } }) => name),
    [...names, 'todo'],
  )
})

it('the list outlives the summary of the conversation', async t => {
  const house = await openHouse(t, {
    tools: builtinTools({ todo: true }),
    config: { permission: { mode: 'plan' }, context: { keep_recent: 2 } },
    replies: [
      call('todo', { list: '[x] look\n[ ] mend it' }),
      ...Array.from({ length: 6 }, (_, n) => `Answer ${n} ${'and words '.repeat(200)}`),
      'Summary one.',
      `More ${'and words '.repeat(600)}`,
      'And more.',
      'Summary two.',
      'On.',
    ],
  })
  const { session } = house
  for (const prompt of ['one', 'two', 'three', 'four', 'five', 'six']) await session.prompt(prompt)
  assert.ok(await session.compact())
  for (const prompt of ['seven', 'eight']) await session.prompt(prompt)
  assert.ok(await session.compact())
  const [summary] = session.messages
  assert.match(summary?.content ?? '', /^To do: \[x\] look; \[ \] mend it$/m)
})
