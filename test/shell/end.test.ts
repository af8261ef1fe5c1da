/** Commands that must be ended, and the end of the shell. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { describe, type TestContext, test } from 'node:test'
import { isAlive, openShell, type ShellSession, until } from './session.ts'

/** Aborts when the command has said `go`. */
async function abortAt(session: ShellSession, command: string) {
  const abort = new AbortController()
  let said = ''
  return session.run(command, {
    signal: abort.signal,
    onOutput: text => {
      said += text
      if (said.includes('go\n')) abort.abort()
    },
  })
}

const pidsIn = (text: string) => [...text.matchAll(/pid (\d+)/g)].map(match => Number(match[1]))

/** Each says `go` when it is where it should be ended, `pid N` for what must not survive; none may write `ran`. */
const STUCK: [name: string, command: string][] = [
  ['a program', 'sh -c \'echo "pid $$"; echo go; exec sleep 1000\'; touch ran'],
  ['the rest of a list', 'echo go; sleep 1000; touch ran'],
  ['a loop of programs', 'echo go; while :; do sleep 0.01; done; touch ran'],
  ['a loop in bash itself', 'echo go; while :; do :; done'],
  ['a wait for a background process', 'sleep 1000 & echo "pid $!"; echo go; wait; touch ran'],
  ['a pipeline', 'echo go >&2; sleep 1000 | cat | cat; touch ran'],
  ['a subshell', '(echo go; sleep 1000; touch ran)'],
  [
    'a script, its child and its orphan',
    'sh -c \'sleep 1000 & echo "pid $!"; sh -c "sleep 1000 & echo pid \\$!"; echo go; sleep 1000; touch ran\'',
  ],
  [
    'a descendant in a session of its own',
    'perl -e \'use POSIX; if (!fork) { setsid(); $|=1; print "pid $$\\ngo\\n"; sleep 1000 } wait\'',
  ],
  [
    'one that is deaf to TERM',
    'sh -c \'trap "" TERM; echo "pid $$"; echo go; while :; do sleep 0.01; done\'',
  ],
  ['a stopped one', 'sh -c \'echo "pid $$"; echo go; kill -STOP $$; touch ran\''],
  [
    'traps against everything',
    'trap "" TERM INT HUP; trap "echo trapped" EXIT; echo go; sleep 1000; touch ran',
  ],
]

describe('an abort', { concurrency: 4 }, () => {
  for (const [name, command] of STUCK) {
    test(`ends ${name}; directory and exported variables are kept`, async t => {
      const session = openShell(t)
      const { cwd, run } = session
      await run('mkdir sub; cd sub; export KEPT=yes; lost=1')
      const result = await abortAt(session, `cd /; ${command}`.replaceAll('touch ran', `touch ${cwd}/ran`))
      assert.equal(result.ended, 'aborted')
      assert.equal(result.exit_code, undefined)
      assert.match(result.output, /go\n/)
      assert.equal(result.cwd, `${cwd}/sub`)
      assert.match(result.notes.join(), /was aborted; its processes were ended, and the shell with them/)
      for (const pid of pidsIn(result.output)) assert.ok(!isAlive(pid) || isZombie(pid), `${pid} is alive`)
      const next = await run(`echo "$KEPT $\{lost-gone} $PWD"; ls ${cwd}`)
      assert.equal(next.output, `yes gone ${cwd}/sub\nsub\n`)
      assert.deepEqual(next.notes, [])
    })
  }
})

function isZombie(pid: number): boolean {
  if (process.platform !== 'linux') return false
  try {
    return readFileSync(`/proc/${pid}/stat`, 'latin1').includes(') Z ')
  } catch {
    return true
  }
}

test('a command can be given more time while it runs, and tells how much it has', async t => {
  const { shell, run, cwd } = openShell(t)
  const limits: number[] = []
  assert.equal(shell.moreTime(), false)
  const result = await run('until [ -e go ]; do sleep 0.02; done', {
    timeout: 20_000,
    onLimit(ms) {
      limits.push(ms)
      if (limits.length === 1) setImmediate(() => shell.moreTime())
      else writeFileSync(path.join(cwd, 'go'), '')
    },
  })
  assert.deepEqual([result.ended, result.exit_code, limits], ['exit', 0, [20_000, 40_000]])
  assert.equal(shell.moreTime(), false)
})

test('a timeout ends a command, tells how long it had, and keeps what it wrote', async t => {
  const { run } = openShell(t)
  const result = await run('echo partial; printf "no newline"; sleep 1000', { timeout: 200 })
  assert.equal(result.output, 'partial\nno newline')
  assert.equal(result.ended, 'timeout')
  assert.equal(result.exit_code, undefined)
  assert.match(result.notes.join(), /^The command did not end within 0\.2 s;/)
  assert.equal((await run('echo next')).output, 'next\n')
})

test('a signal that is aborted already, or before the turn comes, runs nothing', async t => {
  const { run, cwd } = openShell(t)
  const abort = new AbortController()
  const first = run('sleep 0.1; echo first')
  const second = run('touch ran', { signal: abort.signal })
  abort.abort()
  const third = run('touch ran', { signal: AbortSignal.abort() })
  assert.equal((await first).output, 'first\n')
  for (const result of [await second, await third]) {
    assert.deepEqual([result.ended, result.exit_code, result.output], ['aborted', undefined, ''])
    assert.match(result.notes.join(), /^Not run/)
  }
  assert.deepEqual(readdirSync(cwd), [])
})

test('a background process of an earlier command outlives a cut one and ends with the shell', async t => {
  const session = openShell(t)
  const { run, shell } = session
  const [server = 0] = pidsIn((await run('sleep 1000 >/dev/null 2>&1 & echo "pid $!"; sleep 0.1')).output)
  await abortAt(session, 'echo go; sleep 1000')
  assert.ok(isAlive(server))
  assert.equal((await run('echo next')).output, 'next\n')
  assert.deepEqual(await shell.close(), { escaped: [] })
  assert.ok(!isAlive(server) || isZombie(server))
})

test('closing ends what runs, also jobs in groups of their own and the deaf', async t => {
  const { run, shell } = openShell(t)
  const { output } = await run(
    'set -m; sleep 1000 & echo "pid $!"; set +m; sleep 1000 & echo "pid $!"; ' +
      'sh -c \'trap "" TERM; echo "pid $$"; while :; do sleep 0.01; done\' & sleep 0.05; echo "pid $$"',
  )
  const running = run('echo waiting; sleep 1000; echo ran')
  const queued = run('echo never')
  assert.deepEqual(await shell.close(), { escaped: [] })
  assert.equal((await running).ended, 'aborted')
  assert.match((await queued).notes.join(), /^Not run: the shell is closed/)
  const pids = pidsIn(output)
  assert.equal(pids.length, 4)
  for (const pid of pids) assert.ok(!isAlive(pid) || isZombie(pid), `${pid} is alive`)
  assert.equal((await run('echo x')).ended, 'aborted')
  assert.deepEqual(await shell.close(), { escaped: [] }, 'closing is idempotent')
})

test('closing an idle shell lets it run its EXIT trap', async t => {
  const { run, shell, cwd } = openShell(t)
  await run('trap "touch $PWD/trapped" EXIT')
  await shell.close()
  assert.ok(existsSync(path.join(cwd, 'trapped')))
})

test('a shell that was never used is closed at once', async t => {
  assert.deepEqual(await openShell(t).shell.close(), { escaped: [] })
})

test('what left the session is named on closing, and not killed', async t => {
  const { run, shell } = openShell(t)
  const { output } = await run(
    `perl -e 'use POSIX; exit if fork; setsid(); $|=1; print "pid $$\\n"; open STDOUT, ">/dev/null"; exec "sleep", "4321"' 2>/dev/null; sleep 0.1`,
  )
  const [pid = 0] = pidsIn(output)
  t.after(() => isAlive(pid) && process.kill(pid, 'SIGKILL'))
  assert.deepEqual(await shell.close(), { escaped: [{ pid, command: 'sleep 4321' }] })
  assert.ok(isAlive(pid))
})

const directories = () => new Set(readdirSync(tmpdir()).filter(name => name.startsWith('gopi-shell-')))

test('a closed shell leaves no pipes in the temporary directory', async t => {
  const before = directories()
  const { run, shell } = openShell(t)
  const { output } = await run('ls -l /dev/fd/1; exit')
  await run('sleep 1000 & sleep 0.01')
  const during = [...directories()].filter(name => !before.has(name))
  assert.ok(during.length > 0, output)
  await shell.close()
  const mine = [...directories()].filter(name => during.includes(name) && output.includes(name))
  assert.deepEqual(mine, [])
})

/** A program that starts a shell and a command in it, and prints the pids of both and of a background process. */
const PROGRAM = `
  import { createShell } from ${JSON.stringify(path.resolve('src/shell/shell.ts'))}
  const shell = createShell({ cwd: '/' })
  const options = { signal: new AbortController().signal, timeout: 60000, maxOutput: 100, spillDir: async () => '/' }
  console.log((await shell.run('sleep 1000 & echo "pid $! pid $$"', options)).output)
  COMMAND
`

async function startProgram(t: TestContext, command: string) {
  const gopi = spawn(
    process.execPath,
    ['--import=tsx', '--input-type=module', '-e', PROGRAM.replace('COMMAND', command)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  t.after(() => gopi.kill('SIGKILL'))
  const pids: number[] = []
  const lines = createInterface(gopi.stdout)
  const ready = new Promise<void>(resolve => {
    lines.on('line', line => {
      pids.push(...pidsIn(line))
      if (line.includes('go')) resolve()
    })
  })
  return { gopi, pids, ready }
}

test('when gopi is killed with -9 while a command runs, everything of its shell goes', async t => {
  const { gopi, pids, ready } = await startProgram(
    t,
    'shell.run(\'sh -c "echo pid \\\\$\\\\$; echo go; exec sleep 1000"\', { ...options, onOutput: text => console.log(text) })',
  )
  await ready
  assert.equal(pids.length, 3)
  gopi.kill('SIGKILL')
  await until(() => pids.every(pid => !isAlive(pid) || isZombie(pid)))
})

test('a gopi that exits without closing its shell is not held by it and leaves nothing behind', async t => {
  const { gopi, pids } = await startProgram(t, '')
  const [code] = await once(gopi, 'exit')
  assert.equal(code, 0)
  assert.equal(pids.length, 2)
  await until(() => pids.every(pid => !isAlive(pid) || isZombie(pid)))
})

test('the bash for lines that only read is ours, and has not escaped the persistent one', async t => {
  const { shell, run } = openShell(t)
  await run('true')
  await run('ls', { where: 'harmless' })
  assert.deepEqual(await shell.close(), { escaped: [] })
})
