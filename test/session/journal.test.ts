import assert from 'node:assert/strict'
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { FileJournal, MemoryJournal } from '../../src/session/journal.ts'
import { replay } from '../../src/session/replay.ts'
import { call, openHouse } from '../support/house.ts'

function scratch(t: { after(fn: () => void): void }): string {
  const directory = mkdtempSync(path.join(tmpdir(), 'gopi-journal-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

const never = () => assert.fail('there was no trouble to tell')

test('files are 0600 and directories 0700, whatever the umask', async t => {
  const before = process.umask(0)
  t.after(() => void process.umask(before))
  const file = path.join(scratch(t), 'sessions', 'hash', 'id.jsonl')
  const journal = new FileJournal(file)
  journal.onTrouble = never
  journal.append({ type: 'agent_start' })
  await journal.save()
  journal.close()
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.equal(statSync(path.dirname(file)).mode & 0o777, 0o700)
  assert.equal(statSync(path.dirname(path.dirname(file))).mode & 0o777, 0o700)
})

test('a torn last line is ended before the first new one', t => {
  const file = path.join(scratch(t), 'id.jsonl')
  writeFileSync(file, '{"type":"header"}\n{"type":"mess')
  const journal = new FileJournal(file)
  journal.onTrouble = never
  journal.append({ type: 'agent_start' })
  journal.close()
  const [, torn, entry] = readFileSync(file, 'utf8').split('\n')
  assert.equal(torn, '{"type":"mess')
  assert.equal(JSON.parse(entry ?? '').type, 'agent_start')
})

test('what cannot be written waits, in order, and the trouble is told once', t => {
  const directory = scratch(t)
  const blocked = path.join(directory, 'blocked')
  writeFileSync(blocked, 'a file where a directory should be')
  const told: string[] = []
  const journal = new FileJournal(path.join(blocked, 'id.jsonl'))
  journal.onTrouble = ({ message }) => void told.push(message)
  journal.append({ type: 'agent_start' })
  journal.append({ type: 'turn_start' })
  assert.equal(told.length, 1)
  rmSync(blocked)
  journal.append({ type: 'turn_end' })
  journal.close()
  const types = readFileSync(path.join(blocked, 'id.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line).type)
  assert.deepEqual(types, ['agent_start', 'turn_start', 'turn_end'])
})

test('what waits for room is written at the end, when there is some', t => {
  const directory = scratch(t)
  const blocked = path.join(directory, 'blocked')
  writeFileSync(blocked, 'a file where a directory should be')
  const journal = new FileJournal(path.join(blocked, 'id.jsonl'))
  for (const type of ['agent_start', 'turn_start', 'turn_end'] as const) journal.append({ type })
  rmSync(blocked)
  journal.close()
  assert.equal(readFileSync(path.join(blocked, 'id.jsonl'), 'utf8').split('\n').length, 4)
})

const damages: Readonly<Record<string, (file: string) => void>> = {
  removed: file => rmSync(file),
  renamed: file => renameSync(file, `${file}.old`),
  'replaced by another': file => {
    rmSync(file)
    writeFileSync(file, '{"type":"header"}\n'.repeat(50))
  },
  'a circle of links': file => {
    rmSync(file)
    symlinkSync(file, file)
  },
  'removed with its directory': file => rmSync(path.dirname(file), { recursive: true }),
}

for (const [title, damage] of Object.entries(damages))
  test(`a file that is ${title} is written anew with all that stood in it, and that is said once`, t => {
    for (let at = 1; at < 24; at += 3) {
      const file = path.join(scratch(t), 'sessions', 'id.jsonl')
      const journal = new FileJournal(file)
      const told: string[] = []
      journal.onTrouble = ({ message }) => void told.push(message)
      for (let id = 0; id < 24; id++) {
        if (id === at || id === at + 2) damage(file)
        if (id === 0) journal.append({ type: 'agent_start' })
        else journal.append({ type: 'steer', id: `${id}`, content: 'x'.repeat(50_000) })
      }
      journal.close()
      const ids = readFileSync(file, 'utf8').match(/(?<="id":")\d+/g)
      assert.deepEqual(
        ids,
        Array.from({ length: 23 }, (_, id) => `${id + 1}`),
      )
      assert.match(
        told.join(),
        /^\S+id\.jsonl was removed, replaced or cut short [^,]*: it was written anew\.$/,
      )
    }
  })

test('looking whether the file is there costs next to nothing', t => {
  const journal = new FileJournal(path.join(scratch(t), 'id.jsonl'))
  const began = performance.now()
  journal.append({ type: 'agent_start' })
  for (let id = 0; id < 5_000; id++) journal.append({ type: 'steer', id: `${id}`, content: 'text' })
  const each = (performance.now() - began) / 5_000
  journal.close()
  t.diagnostic(`${each.toFixed(4)} ms for each entry`)
  assert.ok(each < 1, `${each}`)
})

test('a session whose journal is cut short tells it anew: it replays to the same, threads and all', async t => {
  const first = await openHouse(t, {
    replies: ['One.', call('bash', { command: 'echo x' }), 'Two.', 'Side.', 'Three.'],
  })
  const { session } = first
  await session.prompt('one')
  await session.prompt('two')
  const side = session.thread({ branch: true })
  const { signal } = new AbortController()
  await side.run({ id: 'words', role: 'user', content: 'aside' }, { signal })
  const file = session.sessionFile ?? ''
  for (const left of [0, 700, statSync(file).size - 5]) {
    truncateSync(file, left)
    session.setMode(session.mode === 'plan' ? 'yolo' : 'plan')
    const state = replay(readFileSync(file, 'utf8'), () => 'new')
    assert.deepEqual(plain(state.history), plain(session.messages), `${left}`)
    assert.deepEqual(plain(state.threads.get(side.id ?? '')?.history ?? []), plain(side.history))
    assert.deepEqual([state.id, state.mode, state.repairs], [session.id, session.mode, []])
    assert.equal(state.prompt?.system, session.setup?.system)
  }
  await session.prompt('three')
  const losses = first.events.filter(event => event.type === 'notice' && event.facts?.case === 'lost')
  assert.equal(losses.length, 1)
  await session.close()

  const next = await openHouse(t, { before: first, resume: { last: true }, replies: ['Four.'] })
  truncateSync(file, 0)
  await next.session.prompt('four')
  const state = replay(readFileSync(file, 'utf8'), () => 'new')
  assert.deepEqual(plain(state.history), plain(next.session.messages))
  assert.deepEqual(plain(state.threads.get(side.id ?? '')?.history ?? []), plain(side.history))
  assert.deepEqual([state.id, state.prompt?.system], [session.id, next.session.setup?.system])
})

/** As a journal keeps it. */
const plain = (messages: readonly object[]): unknown => JSON.parse(JSON.stringify(messages))

test('a session in which nothing was asked leaves no file; the first run brings what came before it', async t => {
  const file = path.join(scratch(t), 'id.jsonl')
  const unused = new FileJournal(file)
  unused.onTrouble = never
  unused.append({ type: 'mode_change', mode: 'plan' })
  unused.close()
  assert.equal(existsSync(file), false)
  const used = new FileJournal(file)
  used.onTrouble = never
  used.append({ type: 'mode_change', mode: 'plan' })
  used.append({ type: 'agent_start' })
  used.close()
  const types = readFileSync(file, 'utf8').match(/(?<="type":")\w+/g)
  assert.deepEqual(types, ['mode_change', 'agent_start'])
  const saved = new FileJournal(`${file}2`)
  saved.onTrouble = never
  saved.append({ type: 'mode_change', mode: 'plan' })
  await saved.save()
  saved.close()
  assert.match(readFileSync(`${file}2`, 'utf8'), /mode_change/)
})

test('a journal in memory goes to its file only when it is saved', async t => {
  const file = path.join(scratch(t), 'deep', 'id.jsonl')
  const journal = new MemoryJournal(file)
  journal.append({ type: 'turn_start' })
  assert.equal(journal.file, undefined)
  assert.equal(await journal.save(), file)
  assert.match(readFileSync(file, 'utf8'), /^\{"type":"turn_start","timestamp":"\d{4}-.*Z"\}\n$/)
  assert.equal(statSync(file).mode & 0o777, 0o600)
})
