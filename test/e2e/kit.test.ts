/** What other people made, in the built program: skills, commands and extensions, listed, checked and used. */
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { call } from '../support/house.ts'
import { openProgram, root } from '../support/program.ts'

const extension = (name: string) => path.join(root, 'test/fixtures/extensions', name)

test('skills, commands and extensions: nothing of a folder before it is trusted, then listed, checked and used', async t => {
  const gopi = await openProgram(t, {
    files: {
      '.claude/commands/git/sync.md':
        '---\ndescription: syncs\nargument-hint: FILE\n---\nSync $1 with !`echo $((40+2))`: @$1 ($ARGUMENTS)',
      '.agents/skills/careful/SKILL.md': '---\ndescription: for care\n---\nBe careful; see more.md.',
      '.agents/skills/careful/more.md': 'more of it',
      '.agents/skills/broken/SKILL.md': '---\ndescription: [a, b]\n---\nx',
      'notes.txt': 'the notes',
    },
    replies: [call('skill', { name: 'careful' }), call('disk_usage', {}), 'Synced.', 'What?'],
  })
  const home = path.join(gopi.home, '.gopi')
  mkdirSync(home)
  const config = {
    extensions: [{ path: extension('disk-usage.sh') }, { path: path.join(gopi.home, 'nowhere.mjs') }],
    mcp: {
      far: { url: 'https://mcp.example.org/', headers: { Authorization: 'Bearer sk-abcdefghijklmnopqrst' } },
    },
  }
  writeFileSync(path.join(home, 'config.yaml'), JSON.stringify(config))

  const unknown = await gopi.run(['skills'])
  assert.deepEqual([unknown.code, unknown.stdout], [0, ''])
  assert.match(unknown.stderr, /There are no skills here/)
  const { stdout: skills } = await gopi.run(['skills', '--trust'])
  assert.match(
    skills,
    /careful · \.agents\/skills[\s\S]*broken\/SKILL\.md:2: description is not what it should be/,
  )
  const { stdout: extensions } = await gopi.run(['extensions'])
  assert.match(extensions, /disk-usage\.sh[\s\S]*nowhere\.mjs/)
  const { stdout: server } = await gopi.run(['mcp', 'get', 'far'])
  assert.match(server, /"url": "https:\/\/mcp\.example\.org\/"/)
  assert.doesNotMatch(server, /abcdefghijklmnopqrst/, 'a secret is not shown')
  const kit = JSON.parse((await gopi.run(['kit', '--json', '--trust'])).stdout) as Record<
    string,
    { name: string; from: string }[]
  >
  const from = (kind: string, name: string) => kit[kind]?.find(one => one.name === name)?.from
  assert.equal(from('commands', 'git:sync'), '.claude/commands')
  assert.equal(from('skills', 'careful'), '.agents/skills')
  assert.equal(from('tools', 'disk_usage'), 'disk-usage.sh')

  const used = await gopi.run(['-p', '--trust', '/git:sync notes.txt now'])
  assert.deepEqual([used.code, used.stdout], [0, 'Synced.\n'], used.stderr)
  const [first = ''] = gopi.sent(0)
  assert.match(
    first,
    /<file path="notes\.txt">[\s\S]*the notes[\s\S]*Sync notes\.txt with 42: @notes\.txt \(notes\.txt now\)/,
  )
  const results = gopi.sent(2)
  assert.match(results.join('\n'), /Be careful; see more\.md\.[\s\S]*own files are in .*careful[\s\S]*\d+ KB/)
  // Without trust there is no such command, and nothing is asked of the model.
  const none = await gopi.run(['-p', '/git:sync'])
  assert.equal(none.code, 2, none.stdout)
  assert.match(none.stderr, /There is no command \/git:sync/)
})
