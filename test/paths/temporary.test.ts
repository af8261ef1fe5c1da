import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { makeTemporary, removeForgotten } from '../../src/paths/temporary.ts'

test('what a process that is gone left among the temporary files is removed; nothing else is', async t => {
  const place = mkdtempSync(path.join(tmpdir(), 'gopi-test-'))
  const before = process.env.TMPDIR
  process.env.TMPDIR = place
  t.after(() => {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
    rmSync(place, { recursive: true, force: true })
  })
  const own = path.basename(makeTemporary('shell'))
  const { pid: gone } = spawnSync(process.execPath, ['-e', '0'])
  const left = `gopi-shell-${gone}-Abc123`
  mkdirSync(path.join(place, left))
  writeFileSync(path.join(place, left, '0'), '')
  const others = [
    `gopi-shell-${process.ppid}-Abc123`,
    `gopi-other-${gone}-Abc123`,
    `gopi-shell-${gone}-Abc123x`,
    'gopi-shell-Abc123',
    'gopi-shell-0-Abc123',
  ]
  for (const name of others) mkdirSync(path.join(place, name))
  symlinkSync(path.join(place, others[1]!), path.join(place, `gopi-proof-${gone}-Abc123`))
  writeFileSync(path.join(place, `gopi-prompt-${gone}-Abc123`), '')
  const kept = [own, ...others, `gopi-proof-${gone}-Abc123`, `gopi-prompt-${gone}-Abc123`]
  await removeForgotten()
  assert.deepEqual(readdirSync(place).sort(), kept.sort())
})
