/** What attacks on the judge found. Lines that looked as if they only read, and did more: each is asked about, or denied in mode plan. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { makeProject } from './ground.ts'

const LINES = [
  "printf 'abc%ln' PATH; ls",
  "printf 'abc%hhn' PATH; ls",
  'awk 1 -v ../secret.txt',
  'awk 1 -F .env',
  'diff -N . sub',
  'git stash -- list',
  'git show --unified HEAD:.env',
  'git show :0:id_rsa',
  "git show 'HEAD@{12:00}:.env'",
  "find . -name '*.ts' | grep -v z list | xargs cat",
  "find . -name '*.ts' | sort list | xargs cat",
  'git ls-files | xargs fd -E --',
  'strings -n @f f',
  'cmake -v',
  "jq -n '$ ENV'",
  "jq -n '$#c\\nENV.HOME'",
  // In these character sets a letter of UTF-8 swallows the backslash behind it, so that what is quoted to one program is not to another.
  "LC_ALL=zh_CN.GBK sed -n 's/你\\/touch CANARY #/e;s/p;/,q/p' f",
  "LANG=ja_JP.SJIS awk '{ print 1 }' f",
  'LC_CTYPE=zh_TW cat f',
]

for (const line of LINES)
  test(`not unasked: ${line}`, async t => {
    const project = makeProject()
    t.after(project.remove)
    assert.notEqual((await project.bash(line, { mode: 'plan' })).decision, 'allow')
  })

test('a search leaves out secrets, whichever of its options names what to find', async t => {
  const project = makeProject({ 'credentials.json': 'CANARY', 'b.json': 'b' })
  t.after(project.remove)
  for (const glob of ['-g', '--glob', '--iglob']) {
    const { decision, runs = '' } = await project.bash(`rg ${glob} '*.json' ''`)
    assert.equal(decision, 'allow')
    const found = execFileSync('bash', ['-c', runs], {
      cwd: project.cwd,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    assert.equal(found, 'b.json:b\n', glob)
  }
})
