import assert from 'node:assert/strict'
import { test } from 'node:test'
import { factsOf, lateTool } from '../../src/tools/late.ts'
import { builtinTools } from '../../src/tools/list.ts'
import { toWire } from '../../src/tools/tool.ts'
import { contextFor, project } from './context.ts'

/** Each built-in tool, late, from facts that have been through JSON as in the bundle; `loads` counts. */
function lateOnes() {
  return builtinTools().map(tool => {
    const state = { loads: 0 }
    const facts = JSON.parse(JSON.stringify(factsOf(tool)))
    const late = lateTool(facts, () => {
      state.loads++
      return tool
    })
    return { tool, late, state }
  })
}

test('what is told about a late tool is the same, byte for byte, and takes no code', () => {
  for (const { tool, late, state } of lateOnes()) {
    assert.equal(JSON.stringify(toWire(late)), JSON.stringify(toWire(tool)))
    assert.equal('preview' in late, 'preview' in tool, tool.name)
    assert.equal(state.loads, 0)
  }
})

test('a late tool checks, says what it touches, previews and runs as the tool does', async t => {
  const context = contextFor(await project(t))
  for (const { tool, late, state } of lateOnes()) {
    assert.deepEqual(late.check({}), tool.check({}))
    assert.equal(state.loads, 1)
    const args = { path: 'a', pattern: 'x', command: 'x', old: 'x', new: 'y', content: '' }
    assert.deepEqual(late.access(args, context.cwd), tool.access(args, context.cwd))
  }
  const [write] = lateOnes().filter(({ tool }) => tool.name === 'write')
  const args = { path: 'a.txt', content: 'text\n' }
  assert.equal((await write?.late.preview?.(args, context))?.type, 'diff')
  assert.match((await write!.late.execute(args, context)).output, /a\.txt/)
  const [read] = lateOnes().filter(({ tool }) => tool.name === 'read')
  assert.match((await read!.late.execute({ path: 'a.txt' }, context)).output, /text/)
})

test('code that cannot be loaded rejects, and throws nothing at who asks', async t => {
  const context = contextFor(await project(t))
  const [tool] = builtinTools()
  const broken = lateTool(factsOf(tool!), () => {
    throw new Error('no such chunk')
  })
  await assert.rejects(broken.execute({}, context), /no such chunk/)
})
