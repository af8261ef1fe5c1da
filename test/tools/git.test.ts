import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { it } from 'node:test'
import { ownGit } from '../../src/tools/git/run.ts'
import { builtinTools } from '../../src/tools/list.ts'
import { call, openHouse } from '../support/house.ts'

it('git runs as lines of the session’s bash: diffs are cut behind their list of files, commits commit', async t => {
  const asked: string[] = []
  const house = await openHouse(t, {
    files: { 'a.txt': 'one\n', 'b.txt': 'b\n' },
    tools: builtinTools({ git: true }),
    config: { permission: { mode: 'ask', allow: ['Bash(git add:*)'] } },
    approve: async ({ call: { name, arguments: args } }) => {
      asked.push(`${name} ${args.action}`)
      return { allow: args.action !== 'push' }
    },
    replies: [
      call('git', { action: 'status' }),
      call('git', { action: 'diff' }),
      call('git', { action: 'commit', path: 'a.txt', message: 'It’s longer' }),
      call('git', { action: 'log' }),
      call('git', { action: 'commit' }),
      call('git', { action: 'diff', path: '$(touch evil)' }),
      call('git', { action: 'push' }),
      'Done.',
    ],
  })
  const git = (...args: string[]) => execFileSync('git', args, { cwd: house.cwd, encoding: 'utf8' })
  git('init', '-q', '-b', 'main')
  git('config', 'user.name', 'A')
  git('config', 'user.email', 'a@b.c')
  git('add', '.')
  git('commit', '-qm', 'first')
  const { writeFileSync } = await import('node:fs')
  writeFileSync(`${house.cwd}/a.txt`, `${Array.from({ length: 500 }, (_, n) => `line ${n}`).join('\n')}\n`)
  await house.session.prompt('go')
  const results = house.session.messages.flatMap(message =>
    message.role === 'tool' ? [message.content] : [],
  )
  const [status = '', diff = '', , log = '', bare = '', quoted = ''] = results
  assert.match(status, /^## main\n M a\.txt/)
  assert.match(
    diff,
    /^ a\.txt \| 501 [\s\S]*1 file changed[\s\S]*\+line 100\n[\s\S]*Cut: \d+ more lines\. Name a path/,
  )
  assert.ok(diff.split('\n').length <= 202)
  assert.match(log, /It’s longer\n[0-9a-f]+ first/)
  assert.match(bare, /needs a message/)
  assert.equal(quoted, 'No changes.')
  assert.equal(git('status', '--short'), '')
  assert.deepEqual(asked, ['git commit', 'git commit', 'git push'])
})

it('the person’s git is none that lies in the folder, whatever PATH says', async t => {
  const cwd = mkdtempSync(path.join(tmpdir(), 'gopi-test-'))
  t.after(() => rmSync(cwd, { recursive: true }))
  writeFileSync(path.join(cwd, 'git'), `#!/bin/sh\n: > '${cwd}/CANARY'\n`)
  chmodSync(path.join(cwd, 'git'), 0o755)
  const env = { ...process.env, PATH: `.::${cwd}:${process.env.PATH}` }
  assert.match((await ownGit(['--version'], { cwd, env })).text, /^git version/)
  assert.equal(existsSync(path.join(cwd, 'CANARY')), false)
})
