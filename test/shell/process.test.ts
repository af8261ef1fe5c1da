import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { descendants, endProcesses, listProcesses, startedBy } from '../../src/shell/process.ts'
import { type Process, parsePs, parseStat } from '../../src/shell/process-lines.ts'

const one = (pid: number, parent: number, rest: Partial<Process> = {}): Process => ({
  ...{ pid, parent, session: 1, age: 0, command: 'x' },
  ...rest,
})
const pids = (processes: Process[]) => processes.map(({ pid }) => pid)

test('a line of /proc/PID/stat is read past any name', () => {
  const rest = `S 1 20 30 ${Array(15).fill('0').join(' ')} 500 7`
  const [found] = parseStat(`42 (a) b ) (c) ${rest}`, { uptime: 9000, command: 'sleep 5' })
  assert.deepEqual(found, { pid: 42, parent: 1, session: 30, age: 9000 - 5000 - 20, command: 'sleep 5' })
  const [kernel] = parseStat(`2 (kthreadd) ${rest}`, { uptime: 9000, command: '' })
  assert.equal(kernel?.command, 'kthreadd')
  assert.deepEqual(parseStat(`42 (a) Z${rest.slice(1)}`, { uptime: 9000, command: '' }), [])
})

test('the table of ps is read: every form of the elapsed time, no zombies', () => {
  const text = [
    '    1     0     1 Ss      02:03 /sbin/init splash',
    '  200     1   200 S    01:02:03 bash -c x: 1',
    '  201   200   200 R+ 3-00:00:01 /bin/sleep 5',
    '  202   200   200 Z+      00:01 (gone)',
    'no process',
  ].join('\n')
  assert.deepEqual(parsePs(text), [
    { pid: 1, parent: 0, session: 1, age: 123_000, command: '/sbin/init splash' },
    { pid: 200, parent: 1, session: 200, age: 3_723_000, command: 'bash -c x: 1' },
    { pid: 201, parent: 200, session: 200, age: 3 * 86_400_000 + 1000, command: '/bin/sleep 5' },
  ])
})

test('descendants come parents first, and a circle ends', () => {
  const table = [one(5, 4), one(4, 2), one(3, 2), one(9, 1), one(2, 1)]
  assert.deepEqual(pids(descendants(table, 2)), [4, 3, 5])
  assert.deepEqual(pids(descendants([one(0, 0), one(1, 0)], 0)), [1])
})

test('a command owns the tree of its shell and the orphans of its session, but nothing older than itself', () => {
  const table = [
    one(10, 1, { session: 10, age: 900 }),
    one(11, 10, { session: 10, age: 50 }),
    one(12, 11, { session: 12, age: 40 }),
    one(13, 1, { session: 10, age: 30 }),
    one(14, 10, { session: 10, age: 800 }),
    one(15, 1, { session: 15, age: 5 }),
  ]
  assert.deepEqual(pids(startedBy(table, 10, 100)), [11, 12, 13])
})

test('this process is in the list, with its parent', async () => {
  const self = (await listProcesses()).find(({ pid }) => pid === process.pid)
  assert.equal(self?.parent, process.ppid)
  assert.match(self?.command ?? '', /node/)
})

test('TERM ends who listens to it, KILL who does not', async t => {
  const deafness = "trap '' TERM; echo ready; while :; do sleep 0.01; done"
  const deaf = spawn('bash', ['-c', deafness], { stdio: ['ignore', 'pipe', 'inherit'] })
  const good = spawn('sleep', ['1000'])
  t.after(() => [deaf, good].map(child => child.kill('SIGKILL')))
  await once(deaf.stdout, 'data')
  const ends = Promise.all([once(deaf, 'exit'), once(good, 'exit')])
  await endProcesses(all => all.filter(({ pid }) => pid === good.pid), { grace: 60_000 })
  await endProcesses(all => all.filter(({ pid }) => pid === deaf.pid), { grace: 30 })
  const signals = (await ends).map(([, signal]) => signal)
  assert.deepEqual(signals, ['SIGKILL', 'SIGTERM'])
})
