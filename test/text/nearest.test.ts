import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nearest, typingSlips } from '../../src/text/nearest.ts'

test('slips are counted, a swap of neighbours as one', () => {
  const rows: [string, string, number][] = [
    ['', '', 0],
    ['', 'abc', 3],
    ['abc', 'abc', 0],
    ['abc', 'abd', 1],
    ['abc', 'acb', 1],
    ['abc', 'ab', 1],
    ['bash', 'bahs', 1],
    ['kitten', 'sitting', 3],
    ['model', 'mdoe', 2],
  ]
  for (const [a, b, slips] of rows) {
    assert.equal(typingSlips(a, b), slips, `${a} → ${b}`)
    assert.equal(typingSlips(b, a), slips, `${b} → ${a}`)
  }
})

test('a near name is found, a far one is not', () => {
  const known = ['model', 'mode', 'tool_calling', 'keep_alive', 'think', 'todo', 'continue']
  const rows: [string, string | undefined][] = [
    ['modle', 'model'],
    ['mod', 'mode'],
    ['MODEL', 'model'],
    ['toolCalling', 'tool_calling'],
    ['tool-calling', 'tool_calling'],
    ['keepalive', 'keep_alive'],
    ['cont', 'continue'],
    ['thnik', 'think'],
    ['x', undefined],
    ['', undefined],
    ['--', undefined],
    ['temperature', undefined],
    ['m'.repeat(100_000), undefined],
  ]
  for (const [name, meant] of rows) assert.equal(nearest(name, known), meant, name.slice(0, 20))
})
