import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { suite, test } from 'node:test'
import { eventually, openProgram, root, startProcess } from '../support/program.ts'
import { ctrlC, openTerminal } from '../support/terminal.ts'

const nobody = { OLLAMA_HOST: 'http://127.0.0.1:9' }

/** The processes that come from one, however far down. */
function descendantsOf(pid: number): number[] {
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map(line => line.trim().split(/\s+/).map(Number))
  const children = rows.flatMap(([child, parent]) => (parent === pid && child !== undefined ? [child] : []))
  return children.flatMap(child => [child, ...descendantsOf(child)])
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

// They mostly wait for the demo, which reads and writes at a model's pace.
suite('the demo', { concurrency: true }, () => {
  test('npm start, in the directory from which it is called: without an Ollama it is the demo, and says so in one line', async t => {
    const gopi = await openProgram(t, { files: { 'README.md': '# Pears\n' } })
    const npm = ['npm', '--prefix', root, '--silent', '--update-notifier=false', 'start', '--']
    const place = { cwd: gopi.cwd, env: { ...gopi.env, ...nobody } }
    const { code, stdout, stderr } = await startProcess(t, [...npm, '-p', 'Read README.md'], place).ended
    assert.equal(code, 0, stderr)
    assert.match(stdout, /Pears/)
    assert.match(
      stderr,
      /^(building gopi …\n)?gopi: No Ollama answers at http:\/\/127\.0\.0\.1:9, so this is gopi's built-in demo: .*no language model\.\n/,
    )
    assert.equal(stderr.match(/demo/g)?.length, 1)
  })

  test('npm start with an Ollama at the host uses it, silently', async t => {
    const gopi = await openProgram(t, { replies: ['I am the real one.'] })
    const { code, stdout, stderr } = await gopi.run(['--demo=auto', '-p', 'who are you?'])
    assert.deepEqual([code, stdout, stderr], [0, 'I am the real one.\n', ''])
  })

  test('gopi demo prints its address, answers Ollama’s questions, and ends with Ctrl+C', async t => {
    const gopi = await openProgram(t)
    const started = gopi.start(['demo', '--port', '0', '--prefill', '1000000'], { stdin: 'open' })
    await started.until('stdout', /http:\/\/127\.0\.0\.1:\d+/)
    const host = /http:\/\/127\.0\.0\.1:\d+/.exec(started.stdout)?.[0] ?? ''
    const models = await gopi.run(['models', '--host', host])
    assert.match(models.stdout, /demo/)
    const { stdout, code } = await gopi.run(['-p', '-m', 'any:7b', '--host', host, '你好'])
    assert.equal(code, 0)
    assert.match(stdout, /演示/)
    started.child.kill('SIGINT')
    assert.equal((await started.ended).code, 0)
  })

  test('gopi demo on a port that is taken says so and what to do', async t => {
    const gopi = await openProgram(t)
    const { code, stderr } = await gopi.run(['demo', '--port', String(gopi.server.port)])
    assert.equal(code, 1)
    assert.match(stderr, /^gopi: The demo cannot listen on port \d+: it is taken; .*--port 0.*\n$/)
  })

  test('the demo on a terminal: a file is made after a yes; Ctrl+C does not end the server; nothing is left at the end', async t => {
    const gopi = await openProgram(t, { env: nobody })
    const term = openTerminal(t, gopi, { args: ['--demo', '--plain'] })
    await term.until(/demo.*no language model/)
    await term.until('> ')
    term.enter('Create hello.txt with Hello, world')
    await term.until(/\+Hello, world.*Run it\?/s)
    term.press(ctrlC)
    await term.until('Stopped.')
    await term.until('> ')
    term.enter('Create hello.txt with Hello, world')
    await term.until(/\+Hello, world.*Run it\?/s)
    term.enter('y')
    await term.until('✓ write hello.txt')
    await term.until('> ')
    const family = descendantsOf(term.pty.pid)
    assert.ok(family.length >= 1)
    term.enter('/quit')
    assert.equal(await term.ended, 0)
    assert.match(readFileSync(path.join(gopi.cwd, 'hello.txt'), 'utf8'), /^Hello, world\n?$/)
    await eventually('demo server and bash are gone', () => !family.some(isAlive))
  })

  test('kill -9 leaves neither the demo server nor bash nor its command behind', async t => {
    const gopi = await openProgram(t, { env: nobody })
    const mark = path.join(gopi.cwd, 'begun')
    const started = gopi.start(['--demo', '--yolo', '-p', 'Run `touch begun; sleep 60`'])
    await eventually('the command runs', () => existsSync(mark))
    const family = descendantsOf(started.child.pid ?? 0)
    assert.ok(family.length >= 3, `${family.length} processes: server, bash, sleep`)
    started.child.kill('SIGKILL')
    await eventually('all of them are gone', () => !family.some(isAlive))
  })
})
