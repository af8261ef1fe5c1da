import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, type TestContext, test } from 'node:test'
import { startTokenProcess } from '../../src/cli/token-process.ts'
import { createTokenCounter, type TokenCounter } from '../../src/context/token-counter.ts'

/** Speaks as the real process does, without its tables, which take a second to load: every word is a token. */
const wordCounter = `
  process.on('message', texts => process.send(texts.map(text => text.split(' ').length)))
  process.on('disconnect', () => process.exit())`
const startWordCounter = () =>
  spawn(process.execPath, ['-e', wordCounter], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })

/** A counter whose processes the test can see; it leaves none behind. */
function open(
  t: TestContext,
  start: () => ChildProcess = startWordCounter,
): { counter: TokenCounter; children: ChildProcess[] } {
  const children: ChildProcess[] = []
  const counter = createTokenCounter({
    start() {
      const child = start()
      children.push(child)
      return child
    },
    delay: 0,
  })
  t.after(() => counter.close())
  return { counter, children }
}

const gone = async (child: ChildProcess | undefined): Promise<void> => {
  assert.ok(child)
  if (child.exitCode === null && child.signalCode === null) {
    child.ref()
    await once(child, 'exit')
  }
}

test('counts are cl100k’s, a word without end is counted in pieces, and without work the process ends', async t => {
  const { counter, children } = open(t, () => startTokenProcess(20))
  const rows: [text: string, least: number, most?: number][] = [
    ['hello world', 2],
    ['<|endoftext|>', 7],
    ['const a = 1\n', 6],
    ['你好，世界', 6],
    ['12345', 2],
    ['🙂', 2],
    ['x'.repeat(20_000), 60, 20_000],
    [' '.repeat(20_000), 60, 20_000],
    ['='.repeat(20_000), 60, 20_000],
    ['ab-'.repeat(7_000), 60, 20_000],
  ]
  for (const [text] of rows) assert.equal(counter.count(text), undefined, text.slice(0, 20))
  assert.equal(counter.count(''), 0)
  await counter.counted()
  for (const [text, least, most = least] of rows) {
    const tokens = counter.count(text) ?? Number.NaN
    assert.ok(tokens >= least && tokens <= most, `${text.slice(0, 20)}: ${tokens}`)
  }
  assert.equal(children.length, 1)
  await gone(children[0])
  assert.equal(children[0]?.exitCode, 0)
})

test('a text is asked for once', async t => {
  const { counter, children } = open(t)
  assert.equal(counter.count('one two'), undefined)
  await counter.counted()
  assert.equal(counter.count('one two'), 2)
  children[0]?.kill()
  await gone(children[0])
  assert.equal(counter.count('one two'), 2)
  assert.equal(children.length, 1)
})

test('a process that is killed in the middle of its work is replaced by another', async t => {
  const { counter, children } = open(t)
  counter.count('first')
  await counter.counted()
  counter.count('second')
  children[0]?.kill('SIGKILL')
  await counter.counted()
  assert.equal(counter.count('second'), 1)
  await gone(children[0])
  counter.count('third')
  await counter.counted()
  assert.equal(counter.count('third'), 1)
  assert.ok(children.length === 2 || children.length === 3)
})

test('a process that has ended is followed by another when there is work again', async t => {
  const { counter, children } = open(t)
  counter.count('one')
  await counter.counted()
  children[0]?.disconnect()
  await gone(children[0])
  assert.equal(children[0]?.exitCode, 0)
  counter.count('two')
  await counter.counted()
  assert.equal(counter.count('two'), 1)
  assert.equal(children.length, 2)
})

test('where no process can be started, nothing is counted and nobody waits for ever', async t => {
  const failing: Record<string, () => ChildProcess> = {
    'no such program': () => spawn('/nowhere/gopi-tokens', { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] }),
    'ends at once': () =>
      spawn(process.execPath, ['-e', 'process.exit(3)'], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] }),
    throws: () => {
      throw new Error('no more processes')
    },
  }
  for (const [name, start] of Object.entries(failing)) {
    const { counter, children } = open(t, start)
    counter.count('text')
    await counter.counted()
    assert.equal(counter.count('text'), undefined, name)
    await counter.counted()
    assert.ok(children.length <= 3, `${name}: ${children.length} starts`)
  }
})

test('close ends the process, and whoever waits is released', async t => {
  const { counter, children } = open(t)
  counter.count('text')
  const counted = counter.counted()
  counter.close()
  await counted
  await gone(children[0])
  counter.count('later')
  await counter.counted()
  assert.equal(counter.count('later'), 1)
})

/** A program that asks for a count and then does what `rest` says. */
const program = (rest: string) => `
  import { startTokenProcess } from ${JSON.stringify(path.resolve('src/cli/token-process.ts'))}
  import { createTokenCounter } from ${JSON.stringify(path.resolve('src/context/token-counter.ts'))}
  let child
  const counter = createTokenCounter({ start: () => (child = startTokenProcess()), delay: 0 })
  counter.count('text')
  await counter.counted()
  console.log(child.pid, counter.count('text'))
  ${rest}`

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe('the real process does not outlive', { concurrency: true }, () => {
  const programs: Record<string, string> = {
    'a program that has nothing else to do': 'counter.count("another")',
    'a program that dies': 'process.kill(process.pid, "SIGKILL")',
  }
  for (const [name, rest] of Object.entries(programs)) {
    test(name, async () => {
      const child = spawn(process.execPath, ['--import=tsx', '--input-type=module', '-e', program(rest)])
      const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
      const [pid, count] = stdout.split(' ').map(Number)
      assert.equal(count, 1, stderr)
      while (isAlive(pid ?? 0)) await new Promise(resolve => setTimeout(resolve, 5))
    })
  }
})
