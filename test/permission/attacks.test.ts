/** What attacks on the judge found. Lines that looked as if they only read, and did more: each is asked about, or denied in mode plan. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import path from 'node:path'
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

test('where there is a file that is called like what stands for the input, it is looked at', async t => {
  const project = makeProject()
  t.after(project.remove)
  const lines = ['cat < -', 'fold <-', 'tail <"-"', 'column -', 'cat f | rev -']
  for (const line of lines) assert.equal((await project.bash(line)).decision, 'allow', line)
  symlinkSync('../secret.txt', path.join(project.cwd, '-'))
  for (const line of lines) assert.equal((await project.bash(line)).decision, 'ask', line)
})

test('what a number of an exit names is no file that was looked at', async t => {
  const project = makeProject()
  t.after(project.remove)
  symlinkSync('../secret.txt', path.join(project.cwd, '0'))
  for (const line of ['cat < $?', 'cat <"$?"', `true; cat 0<f$?`, `cat f | cat < \${?}`])
    assert.equal((await project.bash(line)).decision, 'ask', line)
})

test('a rule that forbids a command of git does so whatever git is told before it', async t => {
  const project = makeProject()
  t.after(project.remove)
  for (const line of [
    'git push',
    'git -C . push',
    'git --no-pager -C sub -P push origin',
    '/usr/bin/git -C . push',
  ])
    for (const wanted of ['deny', 'ask'] as const)
      assert.equal(
        (await project.bash(line, { mode: 'yolo', [wanted]: ['Bash(git push:*)'] })).decision,
        wanted,
        line,
      )
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

/** Rule, what it must not speak for, and what it still speaks for. */
const COVERED: [rule: string, more: string, plain: string][] = [
  ['npm test:*', 'npm test -C ../evil', 'npm test -- --grep x'],
  ['npm test:*', 'npm test -script-shell=./evil', 'npm test --silent -w pkg'],
  ['npm run build:*', 'npm run build -prefix ../evil', 'npm run build --if-present'],
  ['pnpm test:*', 'pnpm test --config.script-shell=./evil', 'pnpm test -r'],
  ['tsc:*', 'tsc -outDir /etc', 'tsc --noEmit --watch'],
  ['tsc:*', 'tsc @args', 'tsc --pretty false'],
  ['jest:*', 'jest --global-setup=./evil.js', 'jest --coverage -t name --watchAll=false'],
  ['jest:*', 'jest --env=./evil.js', 'jest -i'],
  ['vitest:*', 'vitest --coverage.custom-provider-module=./evil', 'vitest run --coverage src/a.test.ts'],
  ['vitest:*', 'vitest --poolOptions.forks.execArgv=-r', 'vitest --coverage.enabled'],
  ['pytest:*', 'pytest -W error::evil.X', 'pytest -q -x -k foo tests/test_a.py --maxfail=1 -vv -s'],
  ['go test:*', 'go test -coverprofile=/x', 'go test -v -run TestX -count=1 -race ./...'],
  ['go test:*', 'go test -args -test.cpuprofile=/x', 'go test ./...'],
  ['eslint:*', 'eslint --inspect-config', 'eslint . --fix --ext .ts --max-warnings 0'],
  ['mypy:*', 'mypy --html-report /x', 'mypy --strict src'],
  ['g++ *', 'g++ -B. a.cc', 'g++ -O2 -Wall -o a a.cc'],
  ['clang *', 'clang -fplugin=./evil a.c', 'clang -O2 a.c'],
  ['pandoc *', 'pandoc --filter ./evil a.md', 'pandoc a.md'],
  ['sqlite3 *', "sqlite3 a.db '.shell touch CANARY'", "sqlite3 a.db 'select 1'"],
  ['psql *', "psql -c '\\! touch CANARY'", "psql -c 'select 1'"],
  ['docker *', 'docker cp a:/x /etc/x', 'docker ps -a'],
]

for (const [rule, more, plain] of COVERED)
  test(`a rule for ${rule} does not speak for ${more}`, async t => {
    const project = makeProject()
    t.after(project.remove)
    const allow = [`bash(${rule})`]
    assert.equal((await project.bash(plain, { allow })).decision, 'allow')
    assert.notEqual((await project.bash(more, { allow })).decision, 'allow')
    const exact = [`bash(${more})`]
    // What lies outside, and what a rule cannot say, aside: who names it means it.
    if (!/\/etc|\.\.|'/.test(more))
      assert.equal((await project.bash(more, { allow: exact })).decision, 'allow')
  })
