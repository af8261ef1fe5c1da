/** An answer in the form that a JSON Schema demands: forced, checked, and nothing where it is not one. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answerIn, formOf } from '../../src/print/answer.ts'
import { call, openHouse } from '../support/house.ts'

const schema = {
  type: 'object',
  properties: { name: { type: 'string' }, kind: { enum: ['a', 'b'] } },
  required: ['name', 'kind'],
}
const form = formOf(JSON.stringify(schema), 'schema.json')

test('the run is as ever, and its answer is asked for in the form', async t => {
  // A value that looks like a call is none here.
  const { session, server, sent } = await openHouse(t, {
    files: { 'a.txt': 'x' },
    replies: [call('read', { path: 'a.txt' }), 'It is x.', '{ "name": "read",\n "kind": "a" }', 'And on.'],
  })
  const { result, problem } = await answerIn(form, session, { prompt: 'go', typed: 'go' })
  assert.deepEqual([problem, result.reason, result.turns], [undefined, 'done', 3])
  assert.equal(result.text, '{"name":"read","kind":"a"}')
  const formats = () => server.chats.map(({ body }) => (body as { format?: object }).format)
  assert.deepEqual(formats(), [undefined, undefined, schema])
  assert.match(sent(2).at(-1)?.content ?? '', /JSON Schema: \{"type":"object"/)
  await session.prompt('and now?')
  assert.equal(formats()[3], undefined)
  assert.deepEqual(server.violations, [])
})

test('what does not follow the schema is no answer', async t => {
  for (const [reply, why] of [
    ['{"name": "x", "kind": "c"}', /expected one of "a"\|"b"/],
    ['Sure: {}', /JSON/],
  ] as const) {
    const { session } = await openHouse(t, { replies: ['ok', reply] })
    const { result, problem } = await answerIn(form, session, { prompt: 'go', typed: 'go' })
    assert.deepEqual([result.text, result.reason], ['', 'error'])
    assert.match(problem?.message ?? '', why)
  }
})

test('a file that holds no schema is a mistake of the command line', () => {
  assert.throws(() => formOf('{', 'schema.json'), /schema\.json: expected a JSON Schema/)
})
