import assert from 'node:assert/strict'
import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { createShell } from '../../src/shell/shell.ts'
import { isAlive, openShell, temporary, until } from './session.ts'

test('who steals the end of its own command can say where it is, and there the next one runs', async t => {
  const { run, cwd, shell } = openShell(t)
  const forged = await run(
    `IFS= read -r -t 1 line <&10; t=\${line##* }\n` +
      `builtin printf '=%s /tmp\\n\\0%s 0 h\\0\\0' $t $t >&13`,
  )
  assert.equal(forged.cwd, '/tmp', forged.output)
  assert.equal((await run('pwd')).output, '/tmp\n')
  await run(`cd '${cwd}'`)
  // What no token goes with is nothing, whoever says it.
  await run(`for n in 10 11 12 13 14 15; do builtin printf '/tmp' >&$n; done 2>/dev/null`)
  assert.equal(shell.cwd, cwd)
})

test('directory, variables, functions, aliases, options and the last status persist', async t => {
  const { cwd, run, shell } = openShell(t)
  mkdirSync(path.join(cwd, 'a b'))
  await run(`cd 'a b'; plain=1; list=(x 'y z'); export OUT="q\\"'
  $"; say() { echo "said $*"; }; shopt -s expand_aliases; alias greet='say hi'; set -o pipefail; umask 027`)
  const { output, cwd: now } = await run(
    `pwd; echo "$plain \${list[1]}"; printenv OUT; greet; false | true; echo "$? $(umask)"`,
  )
  assert.equal(output, `${cwd}/a b\n1 y z\nq"'\n  $\nsaid hi\n1 0027\n`)
  assert.equal(now, `${cwd}/a b`)
  assert.equal(shell.cwd, now)
  await run('(exit 42)')
  assert.equal((await run('echo $?')).output, '42\n')
})

test('output and errors come mixed in order, live, without anything added', async t => {
  const { run } = openShell(t)
  let live = ''
  const { output, total_bytes, exit_code, notes } = await run(
    'echo one; echo two >&2; echo three >/dev/stderr; sh -c "echo four >/dev/stdout"; printf five',
    {
      onOutput: text => {
        live += text
      },
    },
  )
  assert.equal(output, 'one\ntwo\nthree\nfour\nfive')
  assert.equal(live, output)
  assert.equal(total_bytes, output.length)
  assert.equal(exit_code, 0)
  assert.deepEqual(notes, [])
})

test('output is shown while the command still runs', async t => {
  const { cwd, run } = openShell(t)
  const result = await run('echo waiting; until [ -e go ]; do sleep 0.01; done; echo done', {
    onOutput: text => {
      if (text.includes('waiting')) mkdirSync(path.join(cwd, 'go'))
    },
  })
  assert.equal(result.output, 'waiting\ndone\n')
})

/** Commands that could break the framing, with what they give. The shell must survive each of them. */
const ODD: [command: string, exit_code: number, output: RegExp | string][] = [
  ['', 0, ''],
  ['# only a comment', 0, ''],
  ['   \n\n ', 0, ''],
  ['echo "open', 2, /unexpected EOF/],
  ["echo 'open", 2, /unexpected EOF/],
  ['echo $(', 2, /unexpected EOF|syntax error/],
  ['cat <<X\nhello\n$((1+1))', 0, /hello\n2\n$/],
  ["cat <<'X'\nit's $HOME\nX", 0, "it's $HOME\n"],
  ['for x in', 2, /syntax error/],
  ['echo before\n)', 2, /before\n(.*\n)?.*syntax error/],
  ['}', 2, /syntax error/],
  ['fi; echo x', 2, /syntax error/],
  ['(exit 7)', 7, ''],
  ['nosuchcommand-x', 127, /nosuchcommand-x: command not found/],
  ['false', 1, ''],
  ['! true', 1, ''],
  ["sh -c 'kill -9 $$'", 137, /^(bash: .*Killed.*\n)?$/],
  ['break; continue; return 3', 2, /only meaningful/],
  ['exec >/dev/null 2>&1; echo nothing', 0, ''],
  ['exec >&- 2>&-', 0, ''],
  ['exec 3>&- 4>&- 29>&- 30>&-; echo ok', 0, 'ok\n'],
  ['exec 0</etc/passwd; echo ok', 0, 'ok\n'],
  ['cat; read x; echo "$?"', 0, '1\n'],
  [
    'printf(){ :; }; echo(){ :; }; eval(){ :; }; pwd(){ :; }; set(){ :; }; declare(){ :; }; unset(){ :; }',
    0,
    '',
  ],
  ['builtin unset -f printf echo eval pwd set declare unset; echo ok', 0, 'ok\n'],
  ['builtin(){ :; }', 0, ''],
  [
    'shopt -s expand_aliases; alias builtin=false eval=false printf=false pwd=false declare=false unset=false',
    0,
    '',
  ],
  ['unalias -a', 0, ''],
  ["trap 'echo debugging' DEBUG; trap 'echo failed' ERR", 0, /^(debugging\n)?$/],
  ['trap - DEBUG ERR', 0, /^(debugging\n)?$/],
  ['set -x; echo traced', 0, /traced\n$/],
  ['echo again', 0, '++ echo again\nagain\n'],
  ['set +x', 0, '++ set +x\n'],
  ['set -v; echo loud', 0, /loud\n$/],
  ['set +v', 0, ''],
  ['set -uf -o pipefail; false && true', 1, ''],
  ['set -e; false || echo caught; false && true', 1, 'caught\n'],
  ['echo $-', 0, /e/],
  ['set +euf +o pipefail; echo $-', 0, /^[^e]*$/],
  ['set -o noclobber; set -a', 0, ''],
  ['echo x; set +o noclobber; set +a', 0, 'x\n'],
  ['set -o posix', 0, ''],
  ['echo posix; set +o posix', 0, 'posix\n'],
  ['shopt -s failglob nullglob extglob', 0, ''],
  ['shopt -u failglob nullglob extglob', 0, ''],
  ['IFS=0123456789; x=a1b; printf "%s." $x; unset IFS', 0, 'a.b.'],
  ['PS4=$(echo oops >&2); PROMPT_COMMAND="echo oops"; PS1=oops; PS2=oops', 0, 'oops\n'],
  ['readonly __gopi_x=1; PIPESTATUS=5; _=7', 0, ''],
  ["printf 'a\\0b\\n'", 0, 'a␀b\n'],
  ["printf '\\377\\n'", 0, '\ufffd\n'],
  ['printf "no newline"', 0, 'no newline'],
  ['env -i /bin/echo bare', 0, 'bare\n'],
  ['unset PATH; /bin/echo lost', 0, 'lost\n'],
  ['PATH=/usr/bin:/bin; ls -d /', 0, '/\n'],
  ['PWD=/nowhere; pwd >/dev/null', 0, ''],
  ['LC_ALL=C; echo ü; unset LC_ALL', 0, 'ü\n'],
  ['ulimit -n 64; echo few', 0, 'few\n'],
  [`: ${'x'.repeat(70_000)}`, 0, ''],
  ['echo "漢字 😀 \\\\ \\$ ! ` `"', 0, '漢字 😀 \\ $ ! \n'],
  ['echo \r', 0, '\r\n'],
  ['time true', 0, /real/],
  ['coproc cat; kill $!; wait $! 2>/dev/null; true', 0, /^(.*Terminated.*\n)?$/],
  ['x() { exit 3; }; (x); echo $?', 0, '3\n'],
]

test('no odd command breaks the shell: each has its result, and the next command works', async t => {
  const { run, cwd } = openShell(t)
  await run('kept=yes')
  const old = process.env.TEST_BASH !== undefined
  for (const [command, exit_code, output] of ODD) {
    if (old && command.startsWith('coproc')) continue
    const result = await run(command)
    const name = command.slice(0, 60)
    assert.equal(result.ended, 'exit', name)
    if (old && exit_code === 2) assert.notEqual(result.exit_code, 0, name)
    else assert.equal(result.exit_code, exit_code, `${name}: ${result.output}`)
    if (typeof output === 'string') assert.equal(result.output, output, name)
    else assert.match(result.output, output, name)
    const next = await run('command echo "alive $kept $(command pwd -P)"')
    assert.match(
      next.output,
      new RegExp(`alive yes ${cwd}\n$`),
      `after ${name}: ${next.output} ${next.notes}`,
    )
    assert.deepEqual(next.notes, [], `after ${name}`)
  }
})

/** Commands that end the shell itself. */
const DEADLY: [command: string, exit_code: number | undefined, output: string | RegExp][] = [
  ['echo bye; exit 3', 3, 'bye\n'],
  ['exit', 0, ''],
  ['exec echo replaced', 0, 'replaced\n'],
  ['exec sh -c "exit 9"', 9, ''],
  ['kill $$', undefined, ''],
  ['kill -9 $$', undefined, ''],
  ['kill -9 0', undefined, ''],
  ['for fd in 10 11 12 13; do eval "exec $fd>&-"; done; echo closed', 1, /^closed\n/],
  ['set -e; false; echo unreachable', 1, ''],
  ['set -u; echo $undefined_x; echo unreachable', 1, /unbound/],
  [`echo \${undefined_x:?missing}; echo unreachable`, 1, /missing/],
]

test('a command that ends the shell has a result, and the next one gets directory and exported variables', async t => {
  const { run, cwd } = openShell(t)
  mkdirSync(path.join(cwd, 'sub'))
  await run('cd sub; export KEPT="a\nb $x \'"; unset HOME; lost=1; export -n LANG; gone() { :; }')
  for (const [command, exit_code, output] of DEADLY) {
    const result = await run(command)
    assert.equal(result.ended, 'exit', command)
    if (command.startsWith('set -u') || command.startsWith('echo ${')) assert.notEqual(result.exit_code, 0)
    else assert.equal(result.exit_code, exit_code, command)
    if (typeof output === 'string') assert.equal(result.output, output, command)
    else assert.match(result.output, output, command)
    assert.match(
      result.notes.join(),
      /ended the shell itself .* new shell in .*\/sub, with the exported/,
      command,
    )
    const next = await run(
      `pwd; printenv KEPT; echo "\${HOME-none} \${lost-none} $-"; type gone 2>&1 | grep -c not`,
    )
    assert.match(next.output, /\/sub\na\nb {2}'\nnone none h?B?s?\n1\n$/, command)
    assert.deepEqual(next.notes, [], command)
  }
})

test('a shell that dies between two commands is replaced, and that is said', async t => {
  const { run, cwd } = openShell(t)
  await run('export A=1')
  const { output } = await run('echo $$')
  process.kill(Number(output), 'SIGKILL')
  await until(() => !isAlive(Number(output)))
  const next = await run('echo $A; pwd')
  assert.equal(next.output, `1\n${cwd}\n`)
  assert.match(next.notes.join(), /had ended since the last command \(killed by SIGKILL\)/)
})

test('a line that was meant for a directory that is gone runs nowhere else, and that is its output', async t => {
  const { run, cwd } = openShell(t)
  const gone = `Not run: the directory ${cwd}/a/b is gone. The next command runs in ${cwd}.\n`
  for (const where of [undefined, 'harmless'] as const) {
    await run('mkdir -p a/b; cd a/b')
    rmSync(path.join(cwd, 'a'), { recursive: true })
    assert.equal((await run('echo still here')).output, 'still here\n')
    if (where === undefined) await run('exit')
    const { output, exit_code, notes } = await run('pwd', { where })
    assert.deepEqual([output, exit_code, notes], [gone, 1, []])
    assert.equal((await run('pwd', { where })).output, `${cwd}\n`)
    assert.equal((await run('pwd')).output, `${cwd}\n`)
  }
})

test('a directory reached through a symbolic link keeps its name, also in a new shell', async t => {
  const { run, cwd } = openShell(t)
  mkdirSync(path.join(cwd, 'real'))
  symlinkSync('real', path.join(cwd, 'link'))
  assert.equal((await run('cd link')).cwd, `${cwd}/link`)
  await run('exit')
  assert.equal((await run('pwd')).output, `${cwd}/link\n`)
})

test('a shell without its pipes is replaced, and that is said', async t => {
  const { run } = openShell(t)
  const { output } = await run('export A=1; readlink /proc/self/fd/1 || lsof -a -p $$ -d 1 -Fn')
  rmSync(path.dirname(output.trim().replace(/^[^/]*/, '')), { recursive: true })
  const next = await run('echo $A')
  assert.equal(next.output, '1\n')
  assert.match(next.notes.join(), /pipes were removed/)
})

test('nobody is there: no terminal, no input, no pager, no editor', async t => {
  const { run } = openShell(t, { ...process.env, PAGER: 'less', EDITOR: 'vi', LANG: 'C.UTF-8' })
  const { output } = await run(
    'for fd in 0 1 2; do [ -t $fd ] && echo terminal; done; (: </dev/tty) 2>/dev/null || echo none; ' +
      'read -r line || echo no input; echo $PAGER $GIT_PAGER $TERM $GIT_TERMINAL_PROMPT $LANG; $EDITOR || echo no editor',
  )
  assert.equal(output, 'none\nno input\ncat cat dumb 0 C.UTF-8\nno editor\n')
})

test('what would make bash run a file, change its rules or redefine a command is not passed on', async t => {
  const { run } = openShell(t, {
    ...process.env,
    ...{ BASH_ENV: '/nowhere', ENV: '/nowhere', SHELLOPTS: 'xtrace', BASHOPTS: 'failglob', CDPATH: '/' },
    ...{ POSIXLY_CORRECT: '1', 'BASH_FUNC_ls%%': '() { echo trojan; }', 'odd.name': 'kept' },
  })
  const { output } = await run(
    'env | grep -cE "^(BASH_|ENV=|SHELLOPTS|BASHOPTS|CDPATH|POSIXLY)"; type -t ls; shopt -q failglob || echo off',
  )
  assert.equal(output, '0\nfile\noff\n')
})

test('commands run one after the other, in the order in which they were asked for', async t => {
  const { run } = openShell(t)
  const results = await Promise.all([run('sleep 0.05; x=1; echo a'), run('x=$x,2; echo b'), run('echo $x')])
  assert.deepEqual(
    results.map(({ output }) => output),
    ['a\n', 'b\n', '1,2\n'],
  )
})

test('a NUL in a command, no bash, a bash that is none: refused in a sentence', async t => {
  const { run } = openShell(t)
  const nul = await run('echo a\0b')
  assert.deepEqual([nul.output, nul.exit_code, nul.ended], ['', undefined, 'exit'])
  assert.match(nul.notes.join(), /^Not run: the command holds a NUL byte/)
  assert.equal((await run('echo next')).output, 'next\n')
  const options = {
    ...{ signal: new AbortController().signal, timeout: 60_000, maxOutput: 100 },
    spillDir: async () => temporary(t),
  }
  for (const bash of ['/nowhere/bash', '/bin/false', '/etc/passwd']) {
    const shell = createShell({ cwd: temporary(t), bash })
    const { notes, output } = await shell.run('echo x', options)
    assert.match(notes.join(), /^Not run: bash could not be started \(.+\)\./, bash)
    assert.equal(output, '')
    await shell.close()
  }
})

test('no command takes away what gopi and its bash say to each other', async t => {
  const { run, cwd } = openShell(t)
  const { output } = await run(
    'for f in $(compgen -A function); do unset -f "$f"; done 2>/dev/null; __gopi_end() { :; }; __gopi_end 7 x; echo on',
  )
  assert.match(output, /on\n$/)
  assert.equal((await run('(exit 3)')).exit_code, 3)
  assert.equal((await run('set -o posix; pwd')).output, `${cwd}\n`)
  assert.equal((await run('cd /; false')).cwd, '/')
})
