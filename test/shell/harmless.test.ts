/** Lines that only read run where they can change neither shell nor channel, with nothing of what was there before. */
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, closeSync, existsSync, mkdirSync, openSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { openShell } from './session.ts'

const harmless = { where: 'harmless' } as const

test('functions, aliases, traps, options and PATH of earlier commands are not there', async t => {
  const { run, cwd } = openShell(t)
  mkdirSync(path.join(cwd, 'bin'))
  writeFileSync(path.join(cwd, 'bin', 'ls'), '#!/bin/sh\n: > CANARY\n')
  chmodSync(path.join(cwd, 'bin', 'ls'), 0o755)
  await run(
    'shopt -s expand_aliases; alias ls=": > CANARY;"; ls() { : > CANARY; }; export -f ls\n' +
      "trap ': > CANARY' DEBUG EXIT ERR RETURN; set -T -e; builtin() { : > CANARY; }\nrm -f CANARY",
  )
  await run('trap - DEBUG; rm -f CANARY')
  await run(
    'export PATH="$PWD/bin:./bin:$PATH" BASH_ENV="$PWD/bin/ls" LD_PRELOAD="$PWD/x.so"; unset -f builtin',
  )
  // The persistent bash answers before it has told its exports, and its traps may see that. A line that only reads waits for them.
  await run('true', harmless)
  execFileSync('rm', ['-f', path.join(cwd, 'CANARY')])
  const { output, exit_code } = await run('ls', harmless)
  assert.deepEqual({ output, exit_code }, { output: 'bin\n', exit_code: 0 })
  assert.equal(existsSync(path.join(cwd, 'CANARY')), false)
})

test('it leaves nothing behind but the directory that cd went to', async t => {
  const { run, cwd, shell } = openShell(t)
  mkdirSync(path.join(cwd, 'sub/deep'), { recursive: true })
  await run('A=1; f() { echo $A; }')
  await run('A=2; f() { echo no; }; export B=3; set -e; exit 7', harmless)
  assert.equal((await run('f; echo "$B"')).output, '1\n\n')
  assert.equal((await run('cd sub && ls', harmless)).cwd, path.join(cwd, 'sub'))
  assert.equal(shell.cwd, path.join(cwd, 'sub'))
  assert.equal((await run('pwd; f')).output, `${cwd}/sub\n1\n`)
  await run('cd deep')
  assert.equal((await run('pwd', harmless)).output, `${cwd}/sub/deep\n`)
  assert.equal((await run('cd nowhere && ls', harmless)).exit_code, 1)
  assert.equal((await run('cd .. && ls && cd ..', harmless)).cwd, cwd)
  assert.equal((await run('pwd')).output, `${cwd}\n`)
})

test('several beside each other wait for the same exports', async t => {
  const { run, shell } = openShell(t)
  const others = [shell.beside(), shell.beside(), shell.beside()]
  t.after(() => Promise.all(others.map(other => other.close())))
  const options = { maxOutput: 1000, signal: t.signal, timeout: 60_000, spillDir: async () => '/nowhere' }
  for (let round = 0; round < 20; round++) {
    await run(`export ROUND=${round} LONG=$(printf '%060000d' 0)`)
    const said = await Promise.all(others.map(other => other.run('echo $ROUND', options)))
    assert.deepEqual(
      said.map(({ output }) => output),
      others.map(() => `${round}\n`),
    )
  }
})

test('N-107: a folder of the project on PATH has no part in it, whatever it holds', async t => {
  const { cwd, run } = openShell(t)
  const bin = path.join(cwd, 'node_modules/.bin')
  mkdirSync(bin, { recursive: true })
  writeFileSync(path.join(bin, 'hexdump'), '#!/bin/sh\n: > CANARY\n')
  chmodSync(path.join(bin, 'hexdump'), 0o755)
  await run(`export PATH='${bin}':"$PATH"`)
  await run('hexdump -C CANARY', harmless)
  assert.deepEqual(readdirSync(cwd), ['node_modules'])
})

test('the shell exports what no program is led astray by', async t => {
  const { run } = openShell(t)
  await run(
    "export FOO='a b' LANG=C LANGUAGE=/x LESSOPEN='|x' GIT_DIR=/x GIT_EXTERNAL_DIFF=x TZ=/x LC_ALL=../x",
  )
  const { output } = await run('env', harmless)
  assert.match(output, /^FOO=a b$/m)
  assert.doesNotMatch(output, /^(LANGUAGE|LESSOPEN|GIT_DIR|GIT_EXTERNAL_DIFF|TZ|LC_ALL)=/m)
  assert.match(output, /^GIT_OPTIONAL_LOCKS=0$/m)
})

test('of the descriptors of gopi it has its output only', async t => {
  const { run, cwd } = openShell(t)
  if (existsSync('/proc/self/fd')) {
    const { output } = await run('readlink /proc/$BASHPID/fd/*', harmless)
    assert.doesNotMatch(output, /socket/)
    assert.equal(output.match(/gopi-shell/g)?.length, 2, output)
  }
  const forged = [9, 10, 11, 12, 13, 14, 15, 29].map(
    fd => `printf '\\0@x /\\0x 0 h\\0touch CANARY\\n\\0' >&${fd}; read -t 0.1 x <&${fd} && echo "read $x"`,
  )
  for (const cd of ['', 'cd . && ']) {
    const { output } = await run(`${cd}{ ${forged.join(';')}; } 2>/dev/null`, harmless)
    assert.doesNotMatch(output, /read/)
    assert.equal((await run('pwd', harmless)).output, `${cwd}\n`)
    assert.equal((await run('exec true')).cwd, cwd)
    assert.equal((await run('echo on')).output, 'on\n')
  }
  assert.deepEqual(readdirSync(cwd), [])
})

test('no command gets descriptors that gopi itself was given', async t => {
  const { cwd } = openShell(t)
  const shell = JSON.stringify(path.join(import.meta.dirname, '../../src/shell/shell.ts'))
  const script = `const { createShell } = await import(${shell})
    const shell = createShell({ cwd: ${JSON.stringify(cwd)} })
    for (const where of [undefined, 'harmless']) {
      const { output } = await shell.run('ls /dev/fd/', { signal: new AbortController().signal, timeout: 9000, maxOutput: 999,
        spillDir: async () => '/tmp', where })
      console.log(output.replaceAll('\\n', ' '))
    }
    await shell.close()`
  const given = openSync(cwd, 'r')
  t.after(() => closeSync(given))
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [
      `--import=${path.join(import.meta.dirname, '../support/typescript.mjs')}`,
      '--input-type=module',
      '-e',
      script,
    ],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe', ...Array(17).fill('ignore'), given] },
  )
  // 3: that of ls itself.
  assert.equal(stdout, '0 1 2 3 \n0 1 2 3 \n', stderr)
})

test('a cut line takes nothing along', async t => {
  const { run } = openShell(t)
  await run('A=1')
  const { ended, notes } = await run('tail -f /dev/null', { ...harmless, timeout: 200 })
  assert.equal(ended, 'timeout')
  assert.deepEqual(notes, ['The command did not end within 0.2 s; its processes were ended.'])
  assert.equal((await run('echo $A', harmless)).output, '\n')
  assert.equal((await run('echo $A')).output, '1\n')
})

test('git runs nothing that a repository names', async t => {
  const { run, cwd } = openShell(t)
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=u', '-c', 'user.email=u@x', ...args], { cwd, stdio: 'pipe' })
  git('init', '-q')
  writeFileSync(path.join(cwd, 'a.txt'), 'one\n')
  git('add', 'a.txt')
  git('commit', '-q', '-m', 'first')
  writeFileSync(path.join(cwd, 'a.txt'), 'one\ntwo\n')
  writeFileSync(path.join(cwd, '.gitattributes'), '* filter=evil diff=evil\n')
  const evil = (name: string) => `touch '${cwd}/CANARY-${name}'; cat`
  for (const key of [
    ...['core.fsmonitor', 'core.pager', 'pager.log', 'pager.diff', 'diff.external', 'core.sshCommand'],
    ...['diff.evil.textconv', 'diff.evil.command', 'gpg.program', 'core.alternateRefsCommand'],
    ...['filter.evil.smudge', 'alias.status'],
  ])
    git('config', key, evil(key))
  writeFileSync(
    path.join(cwd, '.git/more'),
    `[filter "evil"]\n\tclean = ${evil('clean')}\n\trequired = true\n`,
  )
  git('config', 'include.path', 'more')
  git('config', 'log.showSignature', 'true')
  for (const hook of ['post-index-change', 'fsmonitor-watchman', 'post-checkout']) {
    writeFileSync(path.join(cwd, '.git/hooks', hook), `#!/bin/sh\ntouch '${cwd}/CANARY-${hook}'\n`)
    chmodSync(path.join(cwd, '.git/hooks', hook), 0o755)
  }
  const lines = [
    'git status',
    'git status -s',
    'git diff',
    'git diff HEAD',
    'git diff --stat | cat',
    'git log -p',
    'git show',
  ]
  const more = [
    'git blame a.txt',
    'git grep one',
    'git ls-files -m',
    'git branch -a',
    'git -C . diff',
    'git -c color.ui=never -C . -c a.b=c diff',
    'git -c core.fsmonitor=false --no-pager status',
    'git stash list',
    'git reflog',
  ]
  for (const line of [...lines, ...more]) {
    const { exit_code, output } = await run(line, harmless)
    assert.equal(exit_code, 0, `${line}: ${output}`)
    assert.deepEqual(
      readdirSync(cwd).filter(name => name.startsWith('CANARY')),
      [],
      line,
    )
  }
  assert.match((await run('git diff', harmless)).output, /^\+two$/m)
  // The trap is armed.
  await run('git diff')
  assert.notDeepEqual(
    readdirSync(cwd).filter(name => name.startsWith('CANARY')),
    [],
  )
})
