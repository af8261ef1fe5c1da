import assert from 'node:assert/strict'
import { userInfo } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { gopiHome } from '../../src/config/home.ts'

test('an empty HOME is none, and never means the directory that one is in', t => {
  const { HOME } = process.env
  t.after(() => Object.assign(process.env, { HOME }))
  process.env.HOME = ''
  assert.equal(gopiHome({ HOME: '' }), path.join(userInfo().homedir, '.gopi'))
  assert.equal(gopiHome({ HOME: '/home/ann' }), '/home/ann/.gopi')
  assert.equal(gopiHome({ HOME: '', GOPI_HOME: '/elsewhere' }), '/elsewhere')
})
