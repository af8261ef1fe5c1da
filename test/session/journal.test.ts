import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { FileJournal, MemoryJournal } from '../../src/session/journal.ts'

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
  const journal = new FileJournal(file, { onTrouble: never })
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
  const journal = new FileJournal(file, { onTrouble: never })
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
  const journal = new FileJournal(path.join(blocked, 'id.jsonl'), {
    onTrouble: ({ message }) => told.push(message),
  })
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

test('a session in which nothing was asked leaves no file; the first run brings what came before it', async t => {
  const file = path.join(scratch(t), 'id.jsonl')
  const unused = new FileJournal(file, { onTrouble: never })
  unused.append({ type: 'mode_change', mode: 'plan' })
  unused.close()
  assert.equal(existsSync(file), false)
  const used = new FileJournal(file, { onTrouble: never })
  used.append({ type: 'mode_change', mode: 'plan' })
  used.append({ type: 'agent_start' })
  used.close()
  const types = readFileSync(file, 'utf8').match(/(?<="type":")\w+/g)
  assert.deepEqual(types, ['mode_change', 'agent_start'])
  const saved = new FileJournal(`${file}2`, { onTrouble: never })
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
