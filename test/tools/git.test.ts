import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { it } from 'node:test'
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
