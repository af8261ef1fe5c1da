import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { gate } from '../support/demo/reply.ts'
import { openProgram } from '../support/program.ts'

test('what Node warns of reaches no face; --debug writes it to the log', async t => {
  for (const debug of [[], ['--debug']]) {
    const held = gate()
    const gopi = await openProgram(t, { replies: [['Hello', { gate: held }, '.']] })
    const preload = path.join(gopi.home, 'warn.cjs')
    writeFileSync(
      preload,
      `process.on('SIGUSR2', () => {
        process.emitWarning('CANARY-WARNING')
        setImmediate(() => process.stderr.write('WARNED'))
      })`,
    )
    const run = gopi.start([...debug, '-p', 'hi'], { env: { NODE_OPTIONS: `--require=${preload}` } })
    await held.reached
    run.child.kill('SIGUSR2')
    await run.until('stderr', /WARNED/)
    held.open()
    const { code, stdout, stderr } = await run.ended
    assert.deepEqual([code, stdout], [0, 'Hello.\n'])
    assert.doesNotMatch(stderr, /CANARY|Warning/)
    if (debug.length > 0)
      assert.match(readFileSync(path.join(gopi.home, '.gopi/logs/gopi.log'), 'utf8'), /CANARY-WARNING/)
  }
})
