import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { CommandResult } from '../../src/shell/shell.ts'
import { type BashDetails, bash } from '../../src/tools/bash.ts'
import { contextFor, run, scriptedShell, told } from './context.ts'

describe('bash', () => {
  const results: [what: string, result: Partial<CommandResult>, said: string, isError: boolean][] = [
    ['shows the output alone when all is well', { output: 'hi\n' }, 'hi', false],
    ['says when there is none', { output: '' }, '(no output)', false],
    ['adds the exit code of a failure', { output: 'bad\n', exit_code: 2 }, 'bad\nexit code 2', true],
    ['tells a silent failure', { exit_code: 1 }, 'exit code 1', true],
    [
      'tells how to wait longer',
      { output: 'so far\n', exit_code: undefined, ended: 'timeout' },
      'so far\nEnded after 30 s without finishing. Set timeout (seconds) if it needs longer.',
      true,
    ],
    [
      'keeps the output of what was stopped',
      { output: 'half', exit_code: undefined, ended: 'aborted', duration_ms: 1234 },
      'half\nStopped by the user after 1.2 s.',
      true,
    ],
    [
      'tells that the shell went, and what the shell says',
      { exit_code: undefined, notes: ['A new bash was started.'] },
      'The shell ended with the command.\nA new bash was started.',
      true,
    ],
    [
      'names the file with the rest',
      { output: 'head\n…\ntail\n', total_bytes: 123456, spill: '/tmp/s/1.txt' },
      'head\n…\ntail\nAll 123,456 bytes of output are in /tmp/s/1.txt; read or grep it.',
      false,
    ],
    [
      'names it once',
      { output: 'head\n[/tmp/s/1.txt]\ntail\n', total_bytes: 123456, spill: '/tmp/s/1.txt' },
      'head\n[/tmp/s/1.txt]\ntail',
      false,
    ],
  ]
  for (const [what, result, said, isError] of results) {
    it(what, async () => {
      const { output, is_error, details } = await run(
        bash,
        { command: 'x' },
        contextFor('/', { shell: scriptedShell(result) }),
      )
      assert.equal(output, said)
      assert.equal((details as BashDetails).ended, result.ended)
      assert.equal(is_error, isError)
    })
  }

  it('asks the shell for what it may take', async () => {
    const shell = scriptedShell()
    const context = contextFor('/', { shell, budget: 5000 })
    await run(bash, { command: 'a' }, context)
    await run(bash, { cmd: 'b', timeout: '2.5' }, { ...context, budget: 100_000 })
    assert.deepEqual(
      shell.asked.map(({ command, options }) => [command, options.timeout, options.maxOutput]),
      [
        ['a', 30_000, 4500],
        ['b', 2500, 8192],
      ],
    )
    assert.equal(shell.asked[0]?.options.signal, context.signal)
    assert.equal(shell.asked[0]?.options.spillDir, context.spillDir)
  })

  it('gives the screen what it needs', async () => {
    const shell = scriptedShell({ exit_code: 3, cwd: '/src', duration_ms: 7, total_bytes: 2, spill: '/s' })
    const { details } = await run(bash, { command: 'false' }, contextFor('/', { shell }))
    assert.deepEqual(details, {
      command: 'false',
      exit_code: 3,
      duration_ms: 7,
      cwd: '/src',
      total_bytes: 2,
      output_lines: 0,
      spill: '/s',
    })
    assert.deepEqual(await bash.preview?.({ command: 'rm -rf x\n# tail' }, contextFor('/')), {
      type: 'command',
      command: 'rm -rf x\n# tail',
    })
    assert.deepEqual(bash.access({ command: 'x' }, '/'), [{ run: 'x' }])
  })

  it('teaches that the timeout is in seconds', async () => {
    const context = contextFor('/')
    assert.match(
      await told(bash, { command: 'x', timeout: 30_000 }, context),
      /"timeout" must be at most 600, got 30000/,
    )
    assert.match(
      await told(bash, { command: 'x', timeout: 0 }, context),
      /"timeout" must be more than 0, got 0/,
    )
    assert.match(
      await told(bash, {}, context),
      /^bash: "command" is missing; expected \{command, timeout\?\}$/,
    )
  })
})
