import assert from 'node:assert/strict'
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { isSilent } from '../../src/cli/silent-input.ts'

test('the null device and a closed descriptor are silent; a file, a pipe and other devices are not', async t => {
  const directory = mkdtempSync(path.join(tmpdir(), 'gopi-input-'))
  t.after(() => rmSync(directory, { recursive: true }))
  const opened = (file: string, flags: string) => {
    const descriptor = openSync(file, flags)
    const silent = isSilent(descriptor)
    closeSync(descriptor)
    return { silent, descriptor }
  }
  const nothing = opened('/dev/null', 'r')
  assert.equal(nothing.silent, true)
  assert.equal(isSilent(nothing.descriptor), true)
  assert.equal(opened('/dev/zero', 'r').silent, false)
  assert.equal(opened(path.join(directory, 'file'), 'w+').silent, false)
})
