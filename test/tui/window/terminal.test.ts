import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import { type IPty, spawn } from '@lydell/node-pty'
import xterm from '@xterm/headless'
import { eventually } from '../../support/program.ts'
import { buildFixture, type Fixture } from './program.ts'

let fixture: Fixture

before(async () => {
  fixture = await buildFixture()
})

after(() => fixture.remove())

interface Shell {
  pty: IPty
  emulator: xterm.Terminal
  /** The rows of the screen that is seen. */
  text(): string
  /** Resolves when the screen shows it. */
  shows(wanted: RegExp): Promise<void>
  type(keys: string): void
  /** What the program has told. */
  told(): string[]
  /** Its process. */
  pid(): number
  exited(): boolean
}

let count = 0

/**
 * An interactive bash on a terminal of its own, to `run` the program in; `alone`: the program, without a shell. The
 * terminal answers nothing before `answers`.
 */
async function openShell(
  t: TestContext,
  { args = '', alone = false, answers = Promise.resolve() } = {},
): Promise<Shell & { run(): Promise<void> }> {
  const log = path.join(fixture.directory, `log-${++count}`)
  writeFileSync(log, '')
  const emulator = new xterm.Terminal({ cols: 80, rows: 20, allowProposedApi: true })
  const { PATH = '' } = process.env
  const [command, words] = alone
    ? [process.execPath, [fixture.program, log]]
    : ['bash', ['--norc', '--noprofile', '-i']]
  const pty = spawn(command, words, {
    name: 'xterm-256color',
    cols: 80,
    rows: 20,
    cwd: fixture.directory,
    env: { PATH, HOME: fixture.directory, TERM: 'xterm-256color', PS1: 'shell> ', LANG: 'C.UTF-8' },
  })
  let isOver = false
  pty.onExit(() => {
    isOver = true
  })
  pty.onData(data => emulator.write(data))
  emulator.onData(data => void answers.then(() => !isOver && pty.write(data)))
  const text = () => {
    const { active } = emulator.buffer
    return Array.from({ length: emulator.rows }, (_, row) =>
      (active.getLine(active.baseY + row)?.translateToString(true) ?? '').trimEnd(),
    ).join('\n')
  }
  const lines = () => readFileSync(log, 'utf8').split('\n').slice(0, -1)
  const shell: Shell = {
    pty,
    emulator,
    text,
    shows: wanted =>
      eventually('', () => wanted.test(text())).catch(() => {
        throw new Error(`${wanted} never came; there is:\n${text()}`)
      }),
    type: keys => pty.write(keys),
    told: () => lines().filter(line => !line.startsWith('pid ')),
    pid: () => Number(/^pid (\d+)$/m.exec(lines().join('\n'))?.[1]),
    exited: () => isOver,
  }
  t.after(() => {
    if (!isOver) pty.kill('SIGKILL')
    // A shell that is killed does not end what runs in it.
    if (shell.pid() > 0) endProcess(shell.pid())
  })
  if (!alone) await shell.shows(/shell>/)
  return {
    ...shell,
    async run() {
      shell.type(
        `clear; ${process.execPath} ${fixture.program} ${log} ${args}; echo "code $?"; stty -a | tr ';' '\\n' | grep -wo -e '-*icanon' -e '-*echo'\r`,
      )
      await shell.shows(/^window 80x20/m)
      await eventually('the program told its number', () => shell.pid() > 0)
    },
  }
}

/** What a program may have switched on, and which screen is seen. */
const modesOf = ({ emulator: { modes, buffer } }: Shell) => ({ ...modes, screen: buffer.active.type })

const ENDS: [how: string, code: number, shown: RegExp, told: string[]][] = [
  ['q', 0, /the last words/, ['key q', 'closed']],
  ['e', 7, /the last words/, ['key k', 'key e']],
  ['x', 1, /Error: thrown on purpose\n +at /, ['key x', 'gone failure', 'aborted']],
  ['r', 1, /Error: rejected on purpose\n +at /, ['key r', 'gone failure', 'aborted']],
  ['SIGINT', 130, /the last words/, ['gone SIGINT', 'aborted']],
  ['SIGTERM', 143, /the last words/, ['gone SIGTERM', 'aborted']],
  ['SIGHUP', 129, /the last words/, ['gone SIGHUP', 'aborted']],
  ['SIGQUIT', 131, /the last words/, ['gone SIGQUIT', 'aborted']],
]

for (const [how, code, shown, told] of ENDS) {
  test(`after ${how} the terminal is as it was, the shell gets ${code}, and what ran has been ended`, async t => {
    const shell = await openShell(t)
    const before = modesOf(shell)
    await shell.run()
    assert.notDeepEqual(modesOf(shell), before)
    if (how === 'e') {
      // An exit cannot wait for the terminal's answers: they come before a key that is typed after them.
      shell.type('k')
      await shell.shows(/^window 80x20 k$/m)
    }
    if (how.length === 1) shell.type(how)
    else process.kill(shell.pid(), how as NodeJS.Signals)
    await shell.shows(/^code \d+\n(.*\n)?icanon\necho\nshell>$/m)
    assert.match(shell.text(), new RegExp(`^code ${code}$`, 'm'))
    assert.match(shell.text(), shown)
    assert.doesNotMatch(shell.text(), /window 80x20/)
    assert.deepEqual(shell.told(), told)
    assert.deepEqual(modesOf(shell), before)
  })
}

test('what the terminal answers after a signal does not reach the shell', async t => {
  let answer = () => {}
  const answers = new Promise<void>(resolve => {
    answer = resolve
  })
  const shell = await openShell(t, { answers })
  await shell.run()
  process.kill(shell.pid(), 'SIGTERM')
  await eventually('it left', () => shell.emulator.buffer.active.type === 'normal')
  answer()
  await shell.shows(/^code 143\n(.*\n)?icanon\necho\nshell>$/m)
  shell.type('echo $((6 * 7))\r')
  await shell.shows(/^shell> echo \$\(\(6 \* 7\)\)\n42\nshell>$/m)
})

test('what does not end in time is ended, and a second signal does not wait', async t => {
  const shell = await openShell(t, { args: 'never' })
  await shell.run()
  process.kill(shell.pid(), 'SIGTERM')
  await eventually('it heard the first', () => shell.told().includes('gone SIGTERM'))
  process.kill(shell.pid(), 'SIGINT')
  // Nobody waits for what the terminal still answers: it may stand before it.
  await shell.shows(/code 130$/m)
  const other = await openShell(t, { args: 'never' })
  await other.run()
  process.kill(other.pid(), 'SIGTERM')
  await other.shows(/^code 143$/m)
  assert.deepEqual(other.told(), ['gone SIGTERM'])
})

test('Ctrl+Z gives the shell its terminal back; after fg the window is there in the new size, and keys reach it', async t => {
  const shell = await openShell(t)
  const before = modesOf(shell)
  await shell.run()
  const during = modesOf(shell)
  shell.type('z')
  await shell.shows(/Stopped/)
  await shell.shows(/^shell>$/m)
  assert.deepEqual(modesOf(shell), before)
  shell.pty.resize(60, 10)
  shell.emulator.resize(60, 10)
  shell.type('fg; echo "code $?"\r')
  await shell.shows(/^window 60x10/m)
  assert.deepEqual(modesOf(shell), during)
  shell.type('k')
  await shell.shows(/^window 60x10 .*k$/m)
  shell.type('q')
  await shell.shows(/^code 0\nshell>$/m)
})

test('a job that somebody else stopped comes back whole, with one set of modes', async t => {
  const shell = await openShell(t)
  const before = modesOf(shell)
  await shell.run()
  // The terminal's answers come before the key.
  shell.type('k')
  await shell.shows(/^window 80x20 k$/m)
  process.kill(shell.pid(), 'SIGSTOP')
  await shell.shows(/Stopped[\s\S]*^shell>$/m)
  shell.type('fg; echo "code $?"\r')
  await eventually('the window is drawn again', () => /^window 80x20 k\n{5}/.test(shell.text()))
  shell.type('q')
  await shell.shows(/^code 0\nshell>$/m)
  assert.deepEqual(modesOf(shell), before)
})

test('where no shell could continue it, Ctrl+Z comes back at once', async t => {
  const shell = await openShell(t, { alone: true })
  await shell.shows(/^window 80x20/m)
  shell.type('z')
  await shell.shows(/^window 80x20 z/m)
  shell.type('k')
  await shell.shows(/^window 80x20 zk/m)
})

test('another program gets the keys and Ctrl+C, and then the window again', async t => {
  const shell = await openShell(t)
  await shell.run()
  shell.type('l')
  await shell.shows(/ready$/m)
  shell.type('some words\r')
  await shell.shows(/^window 80x20 l$/m)
  assert.deepEqual(shell.told(), ['key l', 'read some words'])
  shell.type('l')
  await shell.shows(/ready[\s\S]*ready/)
  shell.type('\x03')
  await shell.shows(/^window 80x20 ll$/m)
  assert.match(shell.told().at(-1) ?? '', /^ended by (SIGINT|130)$/)
  shell.type('q')
  await shell.shows(/^code 0$/m)
})

test('a terminal that goes away ends the program, after what ran was ended', async t => {
  const shell = await openShell(t, { alone: true })
  await shell.shows(/^window 80x20/m)
  await eventually('the program told its number', () => shell.pid() > 0)
  const pid = shell.pid()
  ;(shell.pty as IPty & { destroy(): void }).destroy()
  await eventually('it was told', () => shell.told().includes('aborted'))
  assert.deepEqual(shell.told(), ['gone SIGHUP', 'aborted'])
  await eventually('the process is gone', () => !isAlive(pid))
})

test('a terminal that stops reading stalls nothing: keys are heard, and it ends on a signal', async t => {
  const shell = await openShell(t, { alone: true })
  await shell.shows(/^window 80x20/m)
  shell.type('s')
  await eventually('it draws', () => shell.told().includes('frame 100'))
  shell.pty.pause()
  await eventually('it goes on drawing', () => shell.told().includes('frame 500'))
  for (const key of ['a', 'b', 'c']) {
    shell.type(key)
    await eventually(`${key} is heard`, () => shell.told().includes(`key ${key}`))
  }
  process.kill(shell.pid(), 'SIGTERM')
  await eventually('it was told', () => shell.told().includes('aborted'))
  shell.pty.resume()
  await eventually('the process is gone', () => shell.exited())
})

/** It may have ended by itself meanwhile. */
function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has.
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
