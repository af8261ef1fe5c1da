/** What a sandbox finds to hide and to keep, on real disks: nothing is overlooked because of how much else there is. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { survey } from '../../src/sandbox/survey.ts'

function makeHome(t: TestContext, files: readonly string[]) {
  const home = realpathSync(mkdtempSync(path.join(tmpdir(), 'gopi-survey-')))
  t.after(() => rmSync(home, { recursive: true, force: true }))
  for (const file of files) {
    mkdirSync(path.join(home, path.dirname(file)), { recursive: true })
    writeFileSync(path.join(home, file), '')
  }
  const project = path.join(home, 'work/p')
  mkdirSync(project, { recursive: true })
  const found = (env: NodeJS.ProcessEnv = {}) => {
    const { hidden, kept, held } = survey({ project, home, gopiHome: path.join(home, '.gopi'), env })
    const inHome = (places: readonly string[]) =>
      places.filter(place => place.startsWith(`${home}/`)).map(place => path.relative(home, place))
    return { hidden: inHome(hidden.map(place => place.path)).sort(), kept: inHome(kept), held: inHome(held) }
  }
  return { home, project, found }
}

test('secrets are hidden in all of the home, and a full folder hides nothing in another', t => {
  const secrets = [
    '.config/gh/hosts.yml',
    '.local/share/app/credentials.json',
    'Documents/passwords.txt',
    'keys/id_rsa',
    'other/.env',
    'work/more/p/.env',
  ]
  const full = Array.from({ length: 600 }, (_, n) => `.cache/${n}/z`)
  const { found } = makeHome(t, [...full, ...secrets])
  assert.deepEqual(
    found().hidden,
    secrets.map(name => (name.startsWith('.config') ? '.config/gh' : name)),
  )
})

test('a project with very many files hides the secrets that lie behind them', t => {
  const full = Array.from({ length: 2_100 }, (_, n) => `work/p/data/${n}/z`)
  const { found } = makeHome(t, [...full, 'work/p/packages/a/config/.env', 'work/p/sub/AGENTS.md'])
  const { hidden, kept } = found()
  assert.deepEqual(hidden, ['work/p/packages/a/config/.env'])
  assert.deepEqual(kept, ['work/p/sub/AGENTS.md'])
})

test('what git runs is kept wherever its configuration says that it is', t => {
  const { home, found } = makeHome(t, [
    'work/p/.git/worktrees/w/commondir',
    'work/p/.git/worktrees/w/gitdir',
    'work/p/scripts/hooks/pre-commit',
    'work/p/git/shared.config',
  ])
  writeFileSync(
    path.join(home, 'work/p/.git/config'),
    '[core]\n\thooksPath = scripts/hooks\n[include]\n\tpath = "../git/shared.config"\n',
  )
  const { kept, held } = found()
  assert.deepEqual(kept.sort(), [
    'work/p/.git/config',
    'work/p/.git/worktrees/w/commondir',
    'work/p/.git/worktrees/w/gitdir',
    'work/p/git/shared.config',
    'work/p/scripts/hooks',
  ])
  assert.ok(held.includes('work/p/.git/worktrees/w'))
})

test('sockets are hidden: those in the project, and those that the environment names', {
  skip: process.platform !== 'linux',
}, async t => {
  const { home, project, found } = makeHome(t, [])
  const listen = (file: string) => {
    const server = createServer()
    t.after(() => server.close())
    return new Promise<void>(resolve => server.listen(file, resolve))
  }
  await listen(path.join(project, 'dev.sock'))
  await listen(path.join(home, 'elsewhere.sock'))
  symlinkSync(path.join(home, 'elsewhere.sock'), path.join(project, 'link.sock'))
  const env = { DOCKER_HOST: `unix://${path.join(project, 'link.sock')}`, PATH: `${home}:/usr/bin` }
  const { hidden } = found(env)
  assert.ok(hidden.includes('work/p/dev.sock'), hidden.join())
  assert.ok(hidden.includes('elsewhere.sock'), hidden.join())
})
