import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import type { Entry } from '../../src/protocol/events.ts'
import { gate } from '../support/demo/reply.ts'
import { call } from '../support/house.ts'
import { eventually, openProgram } from '../support/program.ts'
import { openScreen } from '../support/screen.ts'

const idOf = (journal: readonly Entry[] | undefined): string =>
  journal?.[0]?.type === 'header' ? journal[0].id : 'no header'

test('-c, -r with a whole id or its beginning, and --fork go on where the session was', async t => {
  const gopi = await openProgram(t, { replies: ['One.', 'Two.', 'Three.', 'Four.', 'Five.'] })
  await gopi.run(['-p', 'first'])
  const id = idOf(gopi.journals()[0])
  await gopi.run(['-p', '-c', 'second'])
  await gopi.run(['-p', '--resume', id, 'third'])
  await gopi.run(['-p', '-r', id.slice(0, 5), 'fourth'])
  const all = ['first', 'One.', 'second', 'Two.', 'third', 'Three.', 'fourth']
  assert.deepEqual(gopi.sent(3), all)
  assert.equal(gopi.journals().length, 1)

  await gopi.run(['-p', '--fork', id, 'elsewhere'])
  assert.deepEqual(gopi.sent(4), [...all, 'Four.', 'elsewhere'])
  assert.equal(gopi.journals().length, 2)
  assert.deepEqual(gopi.server.violations, [])

  const { stdout, code } = await gopi.run(['sessions'])
  assert.equal(code, 0)
  assert.equal(stdout.trimEnd().split('\n').length, 2)
  for (const line of stdout.trimEnd().split('\n'))
    assert.match(line, /^[0-9a-z]{10} {2}first {2}\(just now · \d prompts · \S+ · [\d,]+ tokens\)$/)

  const listed = await gopi.run(['sessions', '--all', '--json'])
  const [newest, oldest] = listed.stdout
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))
  assert.deepEqual([newest.prompts, newest.turns, oldest.id, oldest.cwd], [5, 5, id, gopi.cwd])
  const unsure = await gopi.run(['sessions', 'delete', id])
  assert.deepEqual([unsure.code, /--yes/.test(unsure.stderr)], [2, true])
  assert.equal((await gopi.run(['sessions', 'delete', id, '--yes'])).code, 0)
  assert.deepEqual(gopi.journals().map(idOf), [newest.id])
  await gopi.run(['sessions', 'prune', '--older-than', '0h', '--yes'])
  assert.equal(gopi.journals().length, 0)
})

test('--no-session leaves nothing; -c without a session begins one and says so on stderr alone', async t => {
  const gopi = await openProgram(t, { replies: ['Hi.', 'One.'] })
  await gopi.run(['-p', '--no-session', 'hi'])
  assert.deepEqual(
    readdirSync(gopi.home, { recursive: true }).filter(name => !/^\.gopi$|cache/.test(String(name))),
    [],
  )
  const begun = await gopi.run(['-p', '-c', 'hi'])
  assert.deepEqual([begun.code, begun.stdout], [0, 'One.\n'])
  assert.match(begun.stderr, /There is no session of this directory to go on with/)
  assert.deepEqual(gopi.sent(1), ['hi'])
})

test('what gopi keeps is its owner’s alone, whatever the umask', async t => {
  const gopi = await openProgram(t, {
    replies: [
      call('bash', { command: 'umask; seq 1 20000' }),
      call('write', { path: 'made.sh', content: 'x' }),
      'Done.',
    ],
  })
  const umask = process.umask(0)
  t.after(() => process.umask(umask))
  const started = gopi.start(['-p', '--yolo', '--debug', 'write it'])
  process.umask(umask)
  assert.equal((await started.ended).code, 0)
  const own = path.join(gopi.home, '.gopi')
  const names = ['.', ...readdirSync(own, { recursive: true }).map(String)]
  assert.ok(names.length > 6, `${names}`)
  for (const name of names) {
    const { mode } = statSync(path.join(own, name))
    const wanted = statSync(path.join(own, name)).isDirectory() ? 0o700 : 0o600
    assert.equal(mode & 0o777, wanted, `${name} has ${(mode & 0o777).toString(8)}`)
  }
  assert.equal(statSync(path.join(gopi.cwd, 'made.sh')).mode & 0o777, 0o666)
})

test('--debug writes JSON lines in which no prompt, reply or file stands', async t => {
  const gopi = await openProgram(t, {
    files: { 'a.txt': 'file-secret' },
    replies: [call('bash', { command: 'cat a.txt; echo tool-secret' }), 'reply-secret'],
  })
  await gopi.run(['-p', '--yolo', 'prompt-secret'], { env: { GOPI_DEBUG: '1' } })
  const log = readFileSync(path.join(gopi.home, '.gopi', 'logs', 'gopi.log'), 'utf8')
  assert.doesNotMatch(log, /secret/)
  const events = log
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line).event)
  for (const wanted of ['request', 'reply', 'permission', 'tool_call_end', 'agent_end'])
    assert.ok(events.includes(wanted), `${wanted} in ${events}`)
})

test('two gopis in one directory: both sessions are whole, and -c of a session in use goes on in a copy', async t => {
  const held = gate()
  const gopi = await openProgram(t, {
    server: { parallel: 4 },
    model: ({ messages }) => {
      const [last = ''] = messages.at(-1)?.content.split('\n') ?? []
      return last.startsWith('slow') ? ['begun ', { gate: held }, 'and done'] : `Reply to ${last}.`
    },
  })
  await gopi.run(['-p', 'first'])
  const slow = gopi.start(['-p', '-c', 'slow'])
  await held.reached
  const copied = await gopi.run(['-p', '-c', 'quick'])
  const other = await gopi.run(['-p', 'other'])
  held.open()
  const ended = await slow.ended
  assert.deepEqual([ended.code, ended.stdout], [0, 'begun and done\n'])
  assert.deepEqual([copied.code, copied.stdout], [0, 'Reply to quick.\n'])
  assert.match(copied.stderr, /open in another gopi \(process \d+\): going on in a copy/)
  assert.deepEqual([other.code, other.stdout], [0, 'Reply to other.\n'])

  const journals = gopi.journals()
  assert.equal(journals.length, 3)
  for (const journal of journals) {
    assert.equal(journal.filter(({ type }) => type === 'header').length, 1)
    const starts = journal.filter(({ type }) => type === 'agent_start').length
    const ends = journal.filter(({ type }) => type === 'agent_end').length
    assert.equal(starts, ends)
  }
  assert.equal(new Set(journals.map(idOf)).size, 3)
  assert.deepEqual(gopi.server.violations, [])
})

test('what was never answered is said when it is gone on with, and asked once more', async t => {
  const gopi = await openProgram(t, { replies: ['Here I am.'] })
  const failed = await gopi.run(['-p', 'are you there?'], { env: { OLLAMA_HOST: '127.0.0.1:1' } })
  assert.equal(failed.code, 3)
  const screen = openScreen(t, gopi, { args: ['-c'] })
  await screen.shows(/› are you there\?[\s\S]*was not answered to the end; \/retry asks once more\./)
  await screen.enter('/retry')
  await screen.shows(/Here I am\./)
  screen.press('\x04')
  assert.equal(await screen.ended, 0)
  const again = openScreen(t, gopi, { args: ['-c'] })
  const shown = (await again.shows(/Here I am\.[\s\S]*Say what/)).join('\n')
  assert.doesNotMatch(shown, /not answered/)
  again.press('\x04')
  assert.equal(await again.ended, 0)
})

test('gone on with after a kill: the call that it cut short stands once, a reply that it cut short is called that', async t => {
  const held = gate()
  const gopi = await openProgram(t, {
    replies: [call('bash', { command: 'touch made' }), ['Once upon ', { gate: held }], 'Whole.'],
  })
  const first = openScreen(t, gopi)
  await first.shows(/\nask · /)
  await first.enter('go')
  await first.shows(/Run this command\?/)
  first.pty.kill('SIGKILL')
  await first.ended
  const second = openScreen(t, gopi, { args: ['-c'] })
  const rows = await second.shows(/gopi ended before[\s\S]*not answered to the end; \/retry/)
  assert.equal(rows.join('\n').split('gopi ended before').length, 2)
  await second.enter('tell')
  await held.reached
  // What was said is kept within a quarter of a second.
  await eventually('it is kept', () =>
    gopi.journalFiles().some(file => readFileSync(file, 'utf8').includes('message_partial')),
  )
  second.pty.kill('SIGKILL')
  await second.ended
  held.open()
  const third = openScreen(t, gopi, { args: ['-c'] })
  await third.shows(/› tell[\s\S]*Once upon[\s\S]*not answered to the end; \/retry/)
  await third.enter('/retry')
  await third.shows(/Whole\./)
  third.press('\x04')
  assert.equal(await third.ended, 0)
})
