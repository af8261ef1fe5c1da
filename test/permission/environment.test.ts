import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { commandEnvironment } from '../../src/permission/environment.ts'
import { READERS } from '../../src/permission/gate/programs/readers.ts'
import { harmlessEnvironment } from '../../src/shell/harmless.ts'

test('no program of the project runs for a reader: its folders come last, or not at all where nobody else has it', t => {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'gopi-path-')))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  const put = (directory: string, ...names: string[]) => {
    mkdirSync(path.join(root, directory), { recursive: true })
    for (const name of names) {
      writeFileSync(path.join(root, directory, name), '#!/bin/sh\n')
      chmodSync(path.join(root, directory, name), 0o755)
    }
    return path.join(root, directory)
  }
  const system = put('system', 'ls', 'cat')
  const cwd = put('project')
  const tools = put('project/tools', 'tsc')
  const shadows = put('project/shadows', 'ls', 'tsc')
  const alone = put('project/alone', 'ls', 'rg')
  const above = put('node_modules/.bin', 'ls')
  const { PATH } = commandEnvironment(
    { PATH: ['', '.', './bin', shadows, above, alone, tools, system].join(':') },
    { hidden: [], cwd },
  )
  assert.deepEqual(PATH?.split(':'), [tools, system, shadows, above])
  assert.equal(
    harmlessEnvironment({ PATH: `${above}:${above}/:${tools}:${system}` }, { project: cwd }).PATH,
    system,
  )
})

test('every program that may run unasked is known there', t => {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'gopi-path-')))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  const builtins = new Set([':', 'type', 'command'])
  for (const name of new Set([...READERS.keys(), 'git', 'gawk', 'mawk', 'jq', 'xargs', 'node'])) {
    const own = path.join(root, name === ':' ? 'colon' : name)
    mkdirSync(own)
    writeFileSync(path.join(own, name), '')
    const { PATH } = commandEnvironment({ PATH: own }, { hidden: [], cwd: root })
    // The one that it says the version of is the project's to have.
    assert.equal(PATH, builtins.has(name) || name === 'node' ? own : '', name)
  }
})
