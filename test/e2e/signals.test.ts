import assert from 'node:assert/strict'
import { type AddressInfo, createServer as createConnections } from 'node:net'
import { test } from 'node:test'
import type { Entry } from '../../src/protocol/events.ts'
import { gate } from '../support/demo/reply.ts'
import { call } from '../support/house.ts'
import {
  eventually,
  openProgram,
  type ProgramOptions,
  processesWith,
  type Started,
} from '../support/program.ts'

/** Commands that can be told apart in `ps`: no other test sleeps so long. */
const markedSleep = (mark: number): string => `sleep 98765.${process.pid}${mark}`

interface Row extends ProgramOptions {
  title: string
  /** Resolves when the program is where the signal should meet it. */
  there(started: Started, server: { chat(index: number): Promise<unknown> }): Promise<unknown>
  /** A command that must be gone afterwards. */
  mark?: string
}

const never = new Promise<void>(() => {})
const inText = gate()

const rows: Row[] = [
  {
    title: 'while the model is loaded',
    server: { load: () => never },
    there: (_, server) => server.chat(0),
  },
  {
    title: 'while the prompt is read',
    server: { prefill: () => never },
    there: (_, server) => server.chat(0),
  },
  {
    title: 'in the text of a reply',
    replies: [['It was a dark', { gate: inText }, ' and stormy night']],
    there: started => started.until('stdout', /a dark/),
  },
  {
    title: 'in a tool',
    replies: [call('bash', { command: `echo begun; ${markedSleep(1)} & ${markedSleep(1)}` })],
    there: started => started.until('stdout', /"tool_output".*begun/),
    mark: markedSleep(1),
  },
  {
    title: 'in a tool that does not listen',
    replies: [call('bash', { command: `trap '' INT TERM HUP; echo begun; ${markedSleep(2)}` })],
    there: started => started.until('stdout', /"tool_output".*begun/),
    mark: markedSleep(2),
  },
  {
    title: 'in several tools at once',
    replies: [
      {
        calls: [
          { name: 'bash', arguments: { command: `echo begun; ${markedSleep(3)}` } },
          { name: 'bash', arguments: { command: 'echo never' } },
          { name: 'ls', arguments: {} },
        ],
      },
    ],
    there: started => started.until('stdout', /"tool_output".*begun/),
    mark: markedSleep(3),
  },
]

/** A run that was cut is a finished run: one end, and every call with its result. */
function assertWhole(journal: readonly Entry[] | undefined, reason: string): void {
  assert.ok(journal)
  const ends = journal.filter(({ type }) => type === 'agent_end')
  assert.deepEqual(
    ends.map(end => end.type === 'agent_end' && end.reason),
    [reason],
  )
  const count = (wanted: string) => journal.filter(({ type }) => type === wanted).length
  assert.equal(count('turn_start'), count('turn_end'))
  assert.equal(count('tool_call_start'), count('tool_call_end'))
  const calls = journal.flatMap(entry =>
    entry.type === 'message' && entry.role === 'assistant' ? (entry.tool_calls ?? []) : [],
  )
  const results = journal.flatMap(entry =>
    entry.type === 'message' && entry.role === 'tool' ? [entry.tool_call_id] : [],
  )
  assert.deepEqual(
    results,
    calls.map(({ id }) => id),
  )
}

const signals = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const

test('Ctrl+C with -p: gone at once with 130, the journal whole, no process left', async t => {
  for (const { title, there, mark, ...options } of rows) {
    await t.test(title, async t => {
      const gopi = await openProgram(t, options)
      const started = gopi.start(['-p', '--yolo', '--output-format', 'stream-json', 'go'])
      await there(started, gopi.server)
      started.child.kill('SIGINT')
      const { code, signal, stderr } = await started.ended
      assert.deepEqual([code, signal], [130, null], stderr)
      assertWhole(gopi.journals()[0], 'aborted')
      if (mark) await eventually('the command is gone', () => processesWith(mark).length === 0)
      // The next start finds a history that it can send.
      const next = await gopi.run(['sessions'])
      assert.match(next.stdout, / {2}go {2}\(/)
    })
  }
})

test('SIGTERM and SIGHUP end it likewise, each with its code', async t => {
  for (const [name, code] of signals.slice(1)) {
    const held = gate()
    const gopi = await openProgram(t, { replies: [['Once upon', { gate: held }, ' a time']] })
    const started = gopi.start(['-p', '--output-format', 'stream-json', 'go'])
    await started.until('stdout', /upon/)
    started.child.kill(name)
    assert.equal((await started.ended).code, code)
    assertWhole(gopi.journals()[0], 'aborted')
  }
})

test('Ctrl+C before a server that takes the connection and says nothing', async t => {
  const server = createConnections(socket => socket.on('error', () => {}))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  const gopi = await openProgram(t, {
    env: { OLLAMA_HOST: `127.0.0.1:${(server.address() as AddressInfo).port}` },
  })
  const started = gopi.start(['-p', '--output-format', 'stream-json', 'go'])
  await started.until('stdout', /"waiting"/)
  started.child.kill('SIGINT')
  assert.equal((await started.ended).code, 130)
  assertWhole(gopi.journals()[0], 'aborted')
})

test('a signal while it waits for standard input, or for the server, ends it', async t => {
  const gopi = await openProgram(t)
  const reading = gopi.start(['-p', 'hi'], { stdin: 'open', env: { GOPI_DEBUG: '1' } })
  await eventually('it has asked the server', () => gopi.server.requests.length > 0)
  reading.child.kill('SIGINT')
  const { code, signal } = await reading.ended
  assert.ok(code === 130 || signal === 'SIGINT', `${code} ${signal}`)
})

test('what was said before Ctrl+C is kept, and the next run goes on from it', async t => {
  const held = gate()
  const gopi = await openProgram(t, { replies: [['The answer', { gate: held }, ' is 42'], 'Yes.'] })
  const started = gopi.start(['-p', '--output-format', 'stream-json', 'go'])
  await started.until('stdout', /The answer/)
  started.child.kill('SIGINT')
  await started.ended
  const next = await gopi.run(['-p', '-c', 'and?'])
  assert.equal(next.stdout, 'Yes.\n')
  assert.deepEqual(gopi.sent(1), ['go', 'The answer', 'and?'])
  assert.deepEqual(gopi.server.violations, [])
})

test('kill -9: neither bash nor the demo server outlives it, and the journal can be gone on with', async t => {
  const mark = markedSleep(4)
  const gopi = await openProgram(t, {
    replies: [call('bash', { command: `echo begun; ${mark}` }), 'Going on.'],
  })
  const started = gopi.start(['-p', '--yolo', '--output-format', 'stream-json', 'go'])
  await started.until('stdout', /"tool_output".*begun/)
  started.child.kill('SIGKILL')
  await started.ended
  const next = await gopi.run(['-p', '-c', 'and?'])
  assert.deepEqual([next.code, next.stdout], [0, 'Going on.\n'], next.stderr)
  assert.deepEqual(gopi.server.violations, [])
  await eventually('bash is gone', () => processesWith(mark).length === 0)
})

test('a server that is killed in mid-stream ends the run in one sentence', async t => {
  const held = gate()
  const gopi = await openProgram(t, { replies: [['Once upon', { gate: held }, ' a time']] })
  const started = gopi.start(['-p', '--output-format', 'stream-json', 'go'])
  await started.until('stdout', /Once upon/)
  await gopi.server.close()
  const { code, stdout, stderr } = await started.ended
  assert.deepEqual([code, stderr], [1, ''])
  const error = stdout.split('\n').find(line => line.startsWith('{"type":"error"'))
  assert.match(JSON.parse(error ?? '{}').message, /broke in the middle of the answer.*then ask again\.$/)
  assertWhole(gopi.journals()[0], 'error')
  const said = gopi.journals()[0]?.find(entry => entry.type === 'message' && entry.role === 'assistant')
  assert.equal(said?.type === 'message' && said.content, 'Once upon')
})
