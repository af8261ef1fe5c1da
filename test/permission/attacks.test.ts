/** Lines that looked as if they only read, and did more: each is asked about, or denied in mode plan. */
import assert from 'node:assert/strict'
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
]

for (const line of LINES)
  test(`not unasked: ${line}`, async t => {
    const project = makeProject()
    t.after(project.remove)
    assert.notEqual((await project.bash(line, { mode: 'plan' })).decision, 'allow')
  })
