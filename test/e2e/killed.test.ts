/** Whatever the moment at which gopi is killed: nothing that was shown is lost, no file is half written, it goes on. */
import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import type { ChatBody } from '../../src/demo/request.ts'
import { gate } from '../support/demo/reply.ts'
import { call } from '../support/house.ts'
import { eventually, openProgram, processesWith } from '../support/program.ts'

const kills = Number(process.env.GOPI_KILLS ?? 4)

const isKept = (journals: readonly string[], id: string) =>
  journals.some(journal => journal.includes(`{"type":"message","id":"${id}"`))

const text = (version: string) => `${version}\n`.repeat(100)

test(`kill -9 at ${kills} moments of a run, each gone on with`, {
  timeout: 10_000 + kills * 10_000,
}, async t => {
  const mark = `77${process.pid % 1_000}.5`
  const gopi = await openProgram(t, {
    files: { 'a.txt': text('first') },
    model: ({ messages }) => {
      const begun = messages.findLastIndex(({ role }) => role === 'user')
      const words = messages[begun]?.content ?? ''
      if (words.includes('and?')) return 'Going on.'
      const steps = [
        { text: 'I read. '.repeat(20), calls: [{ name: 'read', arguments: { path: 'a.txt', limit: 3 } }] },
        call('write', { path: 'a.txt', content: text(words.split('\n')[0] ?? '') }),
        call('bash', { command: `echo begun; sleep ${mark} & sleep 0.01; echo ended` }),
        call('write', { path: 'b.txt', content: 'x' }),
      ]
      const done = messages.slice(begun).filter(({ role }) => role === 'tool').length
      return steps[done] ?? 'Done. '.repeat(20)
    },
  })
  const args = ['-p', '--yolo', '--output-format', 'stream-json']
  const whole = await gopi.run([...args, 'version-0'])
  assert.equal(whole.code, 0, whole.stderr)
  const lines = whole.stdout.split('\n').length
  const versions = new Set([text('version-0')])
  let shown = 0
  for (let n = 1; n <= kills; n++) {
    // Moments all over the run, and each between two lines.
    const moment = kills < 50 ? Math.floor((lines * n) / (kills + 1)) : Math.floor(Math.random() * lines)
    versions.add(text(`version-${n}`))
    const started = gopi.start([...args, `version-${n}`])
    await started.until('stdout', new RegExp(`^(?:.*\n){${Math.max(0, moment - 1)}}`)).catch(() => {})
    started.child.kill('SIGKILL')
    const { stdout } = await started.ended
    const next = await gopi.run(['-p', '-c', '--yolo', 'and?'])
    assert.deepEqual([next.code, next.stdout], [0, 'Going on.\n'], `killed at line ${moment}: ${next.stderr}`)
    assert.doesNotMatch(next.stderr, /\n +at |itself failed/)
    const journals = gopi.journalFiles().map(file => readFileSync(file, 'utf8'))
    for (const line of stdout.split('\n').slice(0, -1)) {
      const event = JSON.parse(line)
      if (event.type === 'message') assert.ok(isKept(journals, event.id), `${line} was shown and is lost`)
      if (event.type === 'message') shown += 1
    }
    assert.ok(versions.has(readFileSync(path.join(gopi.cwd, 'a.txt'), 'utf8')), 'a.txt is half of something')
    assert.deepEqual(gopi.server.violations, [])
  }
  assert.ok(shown > 0)
  assert.deepEqual(
    readdirSync(gopi.cwd).filter(name => name.startsWith('.')),
    [],
    'nothing lies beside the files',
  )
  await eventually('no command goes on', () => processesWith(`sleep ${mark}`).length === 0)
})

for (const [way, agent] of [
  ['branch', 'general'],
  ['fresh', 'far'],
] as const) {
  test(`kill -9 while an agent works (${way}): its words are kept, and the conversation goes on`, async t => {
    const held = gate()
    const gopi = await openProgram(t, {
      files: {
        'a.txt': 'a',
        '.gopi/agents/far.md': '---\ndescription: far\nmodel: other:1b\n---\nYou are far.\n',
      },
      replies: [
        call('task', { agent, prompt: 'Read and tell.' }),
        call('read', { path: 'a.txt' }),
        ['It says ', { gate: held }, 'never'],
        'Going on.',
      ],
    })
    mkdirSync(path.join(gopi.home, '.gopi'), { recursive: true })
    writeFileSync(path.join(gopi.home, '.gopi/config.yaml'), 'agents: { task: true }\n')
    const started = gopi.start(['-p', '--trust', '--output-format', 'stream-json', 'work'])
    // A quarter of a second of text may be missing.
    await eventually('what was said is kept', () =>
      gopi.journalFiles().some(file => readFileSync(file, 'utf8').includes('"text":"It says ')),
    )
    started.child.kill('SIGKILL')
    await started.ended
    held.open()
    const next = await gopi.run(['-p', '-c', '--trust', 'and?'])
    assert.deepEqual([next.code, next.stdout], [0, 'Going on.\n'], next.stderr)
    const [entries = []] = gopi.journals()
    const start = entries.find(entry => entry.type === 'thread_start')
    assert.ok(start?.type === 'thread_start' && start.way === way)
    const told = entries.flatMap(entry =>
      entry.type === 'message' && entry.thread === start.thread ? [`${entry.role}: ${entry.content}`] : [],
    )
    assert.match(told.join('\n'), /tool: .*a\nassistant: It says $/s)
    const ends = entries.flatMap(entry => (entry.type === 'agent_end' ? [[entry.thread, entry.reason]] : []))
    assert.deepEqual(ends, [
      [undefined, 'aborted'],
      [start.thread, 'aborted'],
      [undefined, 'done'],
    ])
    const sent = gopi.server.chats.map(({ body }) => (body as ChatBody).messages)
    const [first = [], last = []] = [sent[0], sent.at(-1)]
    assert.deepEqual(last.slice(0, first.length), first, 'what the server had read is sent again as it was')
    assert.deepEqual(
      last.slice(first.length).map(({ role }) => role),
      ['assistant', 'tool', 'user'],
    )
    assert.deepEqual(gopi.server.violations, [])
  })
}
