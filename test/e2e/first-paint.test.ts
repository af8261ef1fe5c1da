import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { openProgram } from '../support/program.ts'
import { ctrlC, ctrlD, openTerminal } from '../support/terminal.ts'

const ENTER = '\x1b[?1049h'
const LEAVE = '\x1b[?1049l'
const times = (text: string, part: string) => text.split(part).length - 1

test('the prompt is painted before anything else, and what was typed by then is in it', async t => {
  const program = await openProgram(t)
  const terminal = openTerminal(t, program)
  await terminal.until(ENTER)
  terminal.press('typed ahead')
  assert.ok(terminal.output.startsWith(ENTER))
  await terminal.until('\x1b[?2026l')
  await terminal.until('typed ahead')
  for (let times = 0; times < 3; times++) terminal.press(ctrlC)
  assert.equal(await terminal.ended, 0)
  assert.equal(times(terminal.output, ENTER), 1)
  assert.equal(times(terminal.output, LEAVE), 1)
})

test('a start that fails gives the terminal back before it says why', async t => {
  const program = await openProgram(t)
  mkdirSync(program.env.GOPI_HOME ?? '', { recursive: true })
  writeFileSync(path.join(program.env.GOPI_HOME ?? '', 'config.yaml'), 'ollama: { modle: x }\n')
  const rows: [args: string[], message: RegExp][] = [
    [[], /modle/],
    [['--bogus'], /there is no option --bogus/],
    [['--mode', 'nonsense'], /--mode/],
  ]
  for (const [args, message] of rows) {
    const terminal = openTerminal(t, program, { args })
    assert.equal(await terminal.ended, 2)
    assert.equal(times(terminal.output, ENTER), 1, terminal.output)
    const [, after = ''] = terminal.output.split(LEAVE)
    assert.match(after, message)
    assert.equal(times(terminal.output, LEAVE), 1)
  }
})

test('in a directory that is gone the terminal stays as it is, and one sentence says so', async t => {
  const program = await openProgram(t, { files: { 'gone/x': '' } })
  // A module that is loaded first: a terminal cannot be opened in a directory that is not there.
  const leave = path.join(program.home, 'leave.cjs')
  writeFileSync(leave, "process.chdir('gone'); require('node:fs').rmSync('../gone', { recursive: true })")
  const terminal = openTerminal(t, program, { env: { NODE_OPTIONS: `--require ${JSON.stringify(leave)}` } })
  assert.equal(await terminal.ended, 2, terminal.output)
  assert.match(terminal.output, /^gopi: The directory in which gopi was started is gone[^\n]*\n$/)
})

test('a signal during the start gives the terminal back', async t => {
  const program = await openProgram(t)
  for (const [signal, code] of [
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const) {
    const terminal = openTerminal(t, program)
    await terminal.until(ENTER)
    const ended = new Promise<number | undefined>(resolve =>
      terminal.pty.onExit(({ exitCode, signal: by }) => resolve(by ? 128 + by : exitCode)),
    )
    process.kill(terminal.pty.pid, signal)
    assert.equal(await ended, code)
    assert.equal(times(terminal.output, LEAVE), 1, JSON.stringify(terminal.output))
  }
})

test('where no full screen opens, nothing is painted', async t => {
  const program = await openProgram(t)
  for (const args of [['--version'], ['sessions'], ['--help'], ['models', '--help'], ['config']]) {
    const terminal = openTerminal(t, program, { args })
    assert.equal(await terminal.ended, 0, terminal.output)
    assert.ok(!terminal.output.includes(ENTER), args.join(' '))
  }
  const terminal = openTerminal(t, program, { args: ['--plain'] })
  await terminal.until('/help')
  assert.ok(!terminal.output.includes('\x1b[?'), terminal.output)
  terminal.press(ctrlD)
  assert.equal(await terminal.ended, 0)
})
