import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createKnownModels, type Verdict, verify } from '../../src/backends/ollama/known-models.ts'
import { memory } from '../support/memory.ts'

const host = 'http://localhost:11434'
const digest = 'ab'.repeat(32)
const facts = { capabilities: ['completion', 'tools'], trained_context: 32_768 }
const day = 24 * 3_600_000

test('what a model can do is remembered by server and name, and asked again after a day', () => {
  const kept = memory()
  let now = 1_000_000
  const models = createKnownModels({ memory: kept, host, now: () => now })
  assert.equal(models.lookUp('qwen3:8b'), undefined)
  models.remember('qwen3:8b', `sha256:${digest.toUpperCase()}`, facts)
  const known = { digest, facts, fresh: true }
  assert.deepEqual(models.lookUp('qwen3:8b'), known)
  assert.equal(models.lookUp('qwen3:4b'), undefined)
  assert.equal(createKnownModels({ memory: kept, host: 'http://other:11434' }).lookUp('qwen3:8b'), undefined)
  now += day + 1
  assert.deepEqual(models.lookUp('qwen3:8b'), { ...known, fresh: false })
  now = 0
  assert.equal(models.lookUp('qwen3:8b')?.fresh, false, 'a clock that was set back')
})

test('a trained length that the server does not tell stays unknown', () => {
  const models = createKnownModels({ memory: memory(), host })
  models.remember('m', digest, { ...facts, trained_context: undefined })
  assert.equal(models.lookUp('m')?.facts.trained_context, undefined)
})

test('without a digest nothing is kept', () => {
  const models = createKnownModels({ memory: memory(), host })
  models.remember('m', undefined, facts)
  models.remember('n', '', facts)
  assert.deepEqual([models.lookUp('m'), models.lookUp('n')], [undefined, undefined])
})

test('a damaged memory knows nothing', () => {
  const damaged: unknown[] = [
    'x',
    null,
    [],
    {},
    { digest: 5, capabilities: [] },
    { digest: '', capabilities: [] },
    { digest, capabilities: 'tools' },
    { digest, capabilities: [1] },
  ]
  for (const entry of damaged) {
    const models = createKnownModels({ memory: memory({ [`${host} m`]: entry }), host })
    assert.equal(models.lookUp('m'), undefined, JSON.stringify(entry))
  }
})

test('a model whose files have changed is noticed', () => {
  const listed = (name: string, digest: string) => ({ name, digest, size: 1, parameter_size: undefined })
  const running = (name: string, digest: string | undefined) => ({
    name,
    digest,
    size: 1,
    size_vram: 1,
    context_length: 4096,
    expires_at: undefined,
  })
  const other = 'cd'.repeat(32)
  const changed: Verdict = { verdict: 'changed', digest: other }
  const rows: [what: string, answers: Parameters<typeof verify>[2], wanted: Verdict][] = [
    ['the same', { installed: [listed('m:latest', digest)] }, { verdict: 'same' }],
    ['the same, with a prefix', { installed: [listed('m:latest', `sha256:${digest}`)] }, { verdict: 'same' }],
    ['another', { installed: [listed('x:1b', digest), listed('m:latest', other)] }, changed],
    ['gone', { installed: [listed('x:1b', digest)] }, { verdict: 'missing' }],
    ['only /api/ps has answered', { loaded: [running('m:latest', other)] }, changed],
    [
      'an old one is still loaded',
      { installed: [listed('m', other)], loaded: [running('m', digest)] },
      changed,
    ],
    ['not loaded', { loaded: [] }, { verdict: 'unknown' }],
    ['nobody has answered', {}, { verdict: 'unknown' }],
    [
      'no digests',
      { installed: [listed('m', '')], loaded: [running('m', undefined)] },
      { verdict: 'unknown' },
    ],
  ]
  for (const [what, answers, wanted] of rows) assert.deepEqual(verify('m', digest, answers), wanted, what)
})
