import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { getEncoding } from 'js-tiktoken'
import { builtinTools } from '../../src/tools/list.ts'
import { toWire } from '../../src/tools/tool.ts'

describe('the built-in tools', () => {
  it('stand in one order, with flat parameters', () => {
    const wire = builtinTools().map(toWire)
    assert.deepEqual(
      wire.map(({ function: { name, parameters } }) => [
        name,
        Object.keys(parameters.properties),
        parameters.required,
      ]),
      [
        ['bash', ['command', 'timeout'], ['command']],
        ['read', ['path', 'offset', 'limit'], ['path']],
        ['edit', ['path', 'old', 'new', 'all'], ['path', 'old', 'new']],
        ['write', ['path', 'content'], ['path', 'content']],
        ['grep', ['pattern', 'path', 'glob', 'literal', 'ignore_case'], ['pattern']],
        ['find', ['pattern', 'path'], ['pattern']],
        ['ls', ['path'], []],
      ],
    )
    for (const {
      function: { parameters },
    } of wire) {
      assert.deepEqual(Object.keys(parameters), ['type', 'properties', 'required'])
      for (const property of Object.values(parameters.properties)) {
        assert.ok(['string', 'integer', 'number', 'boolean'].includes(property.type))
        assert.deepEqual(
          Object.keys(property).filter(key => key !== 'type' && key !== 'description'),
          [],
        )
      }
    }
  })

  it('give the same bytes each time', () => {
    assert.equal(JSON.stringify(builtinTools().map(toWire)), JSON.stringify(builtinTools().map(toWire)))
  })

  it('cost at most 600 tokens', () => {
    const text = JSON.stringify(builtinTools().map(toWire))
    const tokens = getEncoding('cl100k_base').encode(text).length
    assert.ok(tokens <= 600, `${tokens} tokens`)
  })

  it('say what they touch', () => {
    const args = { path: 'a', pattern: 'x', command: 'ls', old: 'x', new: 'y', content: '' }
    const touched = builtinTools().map(({ name, access }) => [name, access(args, '/src')])
    assert.deepEqual(Object.fromEntries(touched), {
      bash: [{ run: 'ls' }],
      read: [{ read: 'a' }],
      edit: [{ write: 'a' }],
      write: [{ write: 'a' }],
      grep: [{ read: 'a' }],
      find: [{ read: 'a' }],
      ls: [{ read: 'a' }],
    })
    for (const { access } of builtinTools().slice(-3))
      assert.deepEqual(access({ pattern: 'x' }, '/src'), [{ read: '.' }])
  })
})
