import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { performance as ours } from '../../src/cli/performance.ts'
import { allImports, src } from '../support/imports.ts'

test('the bundle’s clock counts milliseconds as Node’s does', () => {
  const [before, measured, after] = [performance.now(), ours.now(), performance.now()]
  const drift = ours.timeOrigin + measured - (performance.timeOrigin + before)
  assert.ok(Math.abs(drift) < after - before + 1_000, String(drift))
  assert.ok(ours.now() >= measured)
})

test('the sources ask the clock for nothing that the bundle’s does not have', () => {
  const asked = [...allImports().keys()].flatMap(file => {
    const text = readFileSync(path.join(src, file), 'utf8')
    return [...text.matchAll(/\bperformance\??\.(\w+)/g)].map(([, name = '']) => ({ file, name }))
  })
  assert.ok(asked.length > 5)
  assert.deepEqual(
    asked.filter(({ name }) => !(name in ours)),
    [],
  )
})
