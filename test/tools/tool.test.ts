import assert from 'node:assert/strict'
import { homedir } from 'node:os'
import path from 'node:path'
import { describe, it } from 'node:test'
import * as z from 'zod/mini'
import { ToolError } from '../../src/protocol/errors.ts'
import { defineTool } from '../../src/tools/define.ts'
import { pathParameter } from '../../src/tools/path.ts'
import { cut, toWire } from '../../src/tools/tool.ts'
import { contextFor } from './context.ts'

const sample = defineTool({
  name: 'sample',
  parameters: z.object({
    path: pathParameter(),
    pattern: z.optional(z.string()),
    offset: z.optional(z.int().check(z.minimum(1), z.describe('first line'))),
    all: z.optional(z.boolean()),
  }),
  description: 'A sample.',
  narrow: 'Narrow it.',
  access: ({ path }) => [{ read: path }],
  preview: async args => ({ type: 'text', text: args.path }),
  execute: async args => ({ output: JSON.stringify(args) }),
})

describe('arguments of a call', () => {
  const mended: [what: string, given: unknown, args: Record<string, unknown>][] = [
    ['as they should be', { path: 'a', offset: 2, all: true }, { path: 'a', offset: 2, all: true }],
    ['another name', { file_path: 'a' }, { path: 'a' }],
    ['the right name before another', { filename: 'b', path: 'a' }, { path: 'a' }],
    ['another name when the right one is null', { filename: 'b', path: null }, { path: 'b' }],
    ['a number in quotes', { path: 'a', offset: ' 12 ' }, { path: 'a', offset: 12 }],
    ['a boolean in quotes', { path: 'a', all: 'True' }, { path: 'a', all: true }],
    ['a number where text is meant', { path: 7, pattern: 404 }, { path: '7', pattern: '404' }],
    ['nothing in many forms', { path: 'a', pattern: '', offset: '', all: null }, { path: 'a' }],
    ['keys that mean nothing', { path: 'a', description: 'why', explanation: 1 }, { path: 'a' }],
    ['the object as JSON text', '{"path": "a"}', { path: 'a' }],
    ['the home directory', { path: '~/x' }, { path: path.join(homedir(), 'x') }],
    ['the home directory alone', { path: '~' }, { path: homedir() }],
    ['a name that begins with a tilde', { path: '~x' }, { path: '~x' }],
  ]
  for (const [what, given, args] of mended) {
    it(`may be ${what}`, () => assert.deepEqual(sample.check(given), { ok: true, args }))
  }

  const expected = 'expected {path, pattern?, offset?, all?}'
  const refused: [given: unknown, problem: string][] = [
    [{}, '"path" is missing'],
    [{ pattern: 'x', paht: 'a' }, '"path" is missing (not known: paht)'],
    [{ path: '' }, '"path" is empty'],
    [{ path: ['a'] }, '"path" must be a string, got a list'],
    [{ path: { a: 1 } }, '"path" must be a string, got an object'],
    [{ path: 'a', offset: 0 }, '"offset" must be at least 1, got 0'],
    [{ path: 'a', offset: 1.5 }, '"offset" must be an integer, got 1.5'],
    [{ path: 'a', offset: 'ten' }, '"offset" must be a number, got "ten"'],
    [{ path: 'a', all: 'maybe' }, '"all" must be a boolean, got "maybe"'],
    [
      { offset: 0, all: 'x'.repeat(99) },
      `"path" is missing, "offset" must be at least 1, got 0, "all" must be a boolean, got "${'x'.repeat(39)}…`,
    ],
    [{ path: 'a\nb' }, '"path" holds a control character'],
    [{ path: 'a\x1b[2Jb' }, '"path" holds a control character'],
    [{ path: '\\\\evil\\share' }, '"path" is a network or device path'],
    [{ path: '\\??\\UNC\\evil' }, '"path" is a network or device path'],
    ['not JSON', 'got "not JSON"'],
    [['a'], 'got a list'],
    [null, 'got nothing'],
    [undefined, 'got nothing'],
  ]
  for (const [given, problem] of refused) {
    it(`may not be ${JSON.stringify(given)}`, () => {
      assert.deepEqual(sample.check(given), { ok: false, problem: `sample: ${problem}; ${expected}` })
    })
  }

  it('cannot reach the prototype', () => {
    const checked = sample.check(JSON.parse('{"path": "a", "__proto__": {"all": true}}'))
    assert.deepEqual(checked, { ok: true, args: { path: 'a' } })
    assert.equal(checked.ok && 'all' in checked.args, false)
  })
})

describe('a tool', () => {
  it('is told to the model without a word too many', () => {
    assert.equal(
      JSON.stringify(toWire(sample)),
      '{"type":"function","function":{"name":"sample","description":"A sample.","parameters":{"type":"object",' +
        '"properties":{"path":{"type":"string"},"pattern":{"type":"string"},' +
        '"offset":{"type":"integer","description":"first line"},"all":{"type":"boolean"}},"required":["path"]}}}',
    )
  })

  it('gets checked arguments only, in each of its parts', async () => {
    const context = contextFor('/')
    assert.deepEqual(await sample.execute({ filename: 'a' }, context), { output: '{"path":"a"}' })
    await assert.rejects(sample.execute({}, context), {
      name: 'ToolError',
      message: /^sample: "path" is missing/,
    })
    assert.deepEqual(await sample.preview?.({ file: 'a' }, context), { type: 'text', text: 'a' })
    await assert.rejects(async () => sample.preview?.({}, context), { name: 'ToolError' })
    const checked = sample.check({ file: 'a' })
    assert.deepEqual(checked.ok && sample.access(checked.args, '/'), [{ read: 'a' }])
  })

  const failing = (error: unknown) =>
    defineTool({
      name: 'failing',
      parameters: z.object({}),
      description: '',
      access: () => [{ none: true }],
      execute: () => Promise.reject(error),
    })

  it('tells the model what the file system refuses', async () => {
    const table: [code: string, path: string | undefined, sentence: string][] = [
      ['EACCES', '/root/x', '/root/x: permission denied (EACCES)'],
      ['ENOSPC', undefined, 'the disk is full (ENOSPC)'],
      ['EROFS', '/x', '/x: the file system is read-only (EROFS)'],
    ]
    for (const [code, file, message] of table) {
      const error = Object.assign(new Error('no'), { code, ...(file && { path: file }) })
      await assert.rejects(failing(error).execute({}, contextFor('/')), { name: 'ToolError', message })
    }
  })

  it('does not hide our own bugs, and passes on what it wants to say', async () => {
    const bug = new TypeError('x is not a function')
    await assert.rejects(failing(bug).execute({}, contextFor('/')), bug)
    const said = new ToolError('no such thing', { code: 1 })
    await assert.rejects(failing(said).execute({}, contextFor('/')), said)
  })

  it('throws the reason when it is cancelled, before and while it runs', async () => {
    await assert.rejects(
      sample.execute({ path: 'a' }, contextFor('/', { signal: AbortSignal.abort('steer') })),
      reason => reason === 'steer',
    )
    const controller = new AbortController()
    const running = defineTool({
      name: 'running',
      parameters: z.object({}),
      description: '',
      access: () => [{ none: true }],
      async execute() {
        controller.abort('user')
        throw new ToolError('half done')
      },
    }).execute({}, contextFor('/', { signal: controller.signal }))
    await assert.rejects(running, reason => reason === 'user')
  })

  it('says no more than it may', () => {
    assert.equal(cut('short', 5), 'short')
    const lines = 'line of text\n'.repeat(100)
    const said = cut(lines, 200, 'Narrow it.')
    assert.match(said, /^(line of text\n)+Cut: the context has no room for all of 1\.3 KB\. Narrow it\.$/)
    assert.ok(Buffer.byteLength(said) <= 200)
    const one = cut('你'.repeat(200), 200)
    assert.match(one, /^你+\nCut: /)
    assert.ok(Buffer.byteLength(one) <= 200)
    assert.match(cut(lines, 0), /^Cut: /)
  })
})
