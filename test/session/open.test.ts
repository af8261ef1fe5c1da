/** What lies among a directory's journals, and which of it a start goes on with. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { UsageError } from '../../src/protocol/errors.ts'
import { openSession, type Resume } from '../../src/session/open.ts'
import { lastSession, pastSessions, skippedJournals } from '../../src/session/past.ts'
import { sessionsDirectory } from '../../src/session/store.ts'

const cwd = '/project'
const journal = (version = 1) =>
  `{"type":"header","version":${version},"id":"good","cwd":"${cwd}"}\n{"type":"message","id":"1","role":"user","content":"hi"}\n`

function place(t: TestContext) {
  const home = mkdtempSync(path.join(tmpdir(), 'gopi-open-'))
  t.after(() => rmSync(home, { recursive: true, force: true }))
  const directory = sessionsDirectory(home, cwd)
  mkdirSync(directory, { recursive: true })
  const file = (name: string) => path.join(directory, `${name}.jsonl`)
  let ids = 0
  const open = (resume: Resume) =>
    openSession({ home, cwd, resume, keep: true, newId: () => `fresh${ids++}` })
  return { home, directory, file, open }
}

test('a session is known by its name, else by how it began, which no question at the side is', t => {
  const { home, file } = place(t)
  const aside = '{"type":"message","id":"0","role":"user","content":"what is this?","thread":"t"}\n'
  const [header = '', words = ''] = journal().split('\n')
  writeFileSync(file('aside'), `${header}\n${aside}`)
  utimesSync(file('aside'), 3, 3)
  writeFileSync(file('begun'), `${header}\n${aside}${words}\n`)
  utimesSync(file('begun'), 2, 2)
  assert.deepEqual(
    pastSessions(home, cwd).map(({ first }) => first),
    ['', 'hi'],
  )
  assert.equal(lastSession(home, cwd, '')?.first, 'hi')
  writeFileSync(file('begun'), `${header}\n${words}\n{"type":"name","name":"mine"}\n`)
  assert.equal(lastSession(home, cwd, '')?.first, 'mine')
})

test('-c goes on where a model has answered; one that met none is passed over for it', async t => {
  const { home, file, open } = place(t)
  const unmet = `${journal()}{"type":"error","code":"no_server","message":"No Ollama answers"}\n{"type":"agent_end","reason":"error","turns":0}\n`
  const answer = '{"type":"message","id":"2","role":"assistant","content":"Hello."}\n'
  const ids = async () => {
    const { place: opened, notices, release } = await open({ last: true })
    release()
    return { id: opened.id, notices: notices.map(({ message }) => message) }
  }
  const passed = 'Passed over: unmet, where no model was there to answer; gopi --resume unmet opens it.'
  writeFileSync(file('unmet'), unmet)
  assert.deepEqual(await ids(), { id: 'unmet', notices: [] }, 'there is no other')
  const named = await open({ id: 'unm' })
  named.release()
  assert.equal(named.place.id, 'unmet')
  // Something else that kept the answer away is no reason.
  writeFileSync(file('good'), journal() + unmet.split('\n').slice(3).join('\n'))
  utimesSync(file('good'), 1, 1)
  assert.deepEqual(await ids(), { id: 'good', notices: [passed] })
  assert.equal(lastSession(home, cwd, '')?.id, 'good')
  // Long words that quote an answer are none.
  const quoting = JSON.stringify(`"role":"assistant"${'x'.repeat(70_000)}`)
  writeFileSync(file('unmet'), unmet.replace('"hi"', quoting))
  assert.equal((await ids()).id, 'good')
  writeFileSync(file('unmet'), unmet.replace('"hi"', quoting) + answer)
  assert.deepEqual(await ids(), { id: 'unmet', notices: [] })
})

test('what is no journal of ours is named, and ends neither a list nor -c', async t => {
  const { home, file, open } = place(t)
  writeFileSync(file('good'), journal())
  writeFileSync(file('empty'), '')
  utimesSync(file('good'), 1, 1)
  mkdirSync(file('directory'))
  execFileSync('mkfifo', [file('fifo')])
  symlinkSync('loop.jsonl', file('loop'))
  writeFileSync(file('huge'), '')
  truncateSync(file('huge'), 600e6)
  const bad = ['directory', 'fifo', 'huge', 'loop']
  if (process.getuid?.() === 0) {
    writeFileSync(file('other'), journal())
    chownSync(file('other'), 12_345, 12_345)
    bad.push('other')
  }
  assert.deepEqual(
    pastSessions(home, cwd).map(({ id, first }) => [id, first]),
    [['good', 'hi']],
  )
  const named = (sentences: readonly string[]) =>
    sentences.map(sentence => /(\w+)\.jsonl was passed over: it \w/.exec(sentence)?.[1]).sort()
  assert.deepEqual(named(skippedJournals(home, cwd).map(({ message }) => message)), bad)
  const opened = await open({ last: true })
  assert.equal(opened.place.id, 'good')
  assert.deepEqual(named(opened.notices.map(({ message }) => message)), bad)
  opened.release()
  for (const id of bad) {
    await assert.rejects(() => open({ id }), UsageError, id)
    await assert.rejects(() => open({ fork: id }), UsageError, id)
  }
})

test('a line that is nonsense does not end a list', t => {
  const { home, file } = place(t)
  const rows = [
    '{"type":"message","role":"user","content":5}',
    '{"type":"model_change","model":[]}',
    'null',
    '',
  ]
  for (const [index, line] of rows.entries()) writeFileSync(file(`n${index}`), `${line}\n`)
  assert.deepEqual(new Set(pastSessions(home, cwd).map(({ first }) => first)), new Set(['']))
})

test('a journal of a newer gopi is gone on with in a copy, which is of this one', async t => {
  const { directory, file, open } = place(t)
  writeFileSync(file('good'), journal(2))
  const opened = await open({ last: true })
  assert.match(opened.place.id, /^fresh/)
  assert.equal(opened.resumed?.history.length, 1)
  assert.match(opened.notices[0]?.message ?? '', /written by a newer gopi: going on in a copy, fresh/)
  assert.match(readFileSync(opened.place.file, 'utf8'), /^\{"type":"header","version":1,"id":"fresh/)
  assert.equal(existsSync(path.join(directory, 'good')), false, 'the original is locked no more')
})

test('a resume that threw has given its lock back', async t => {
  const { directory, file, open } = place(t)
  writeFileSync(file('good'), journal(2))
  // The copy cannot be written: something else has its name.
  mkdirSync(file('fresh0'))
  await assert.rejects(() => open({ id: 'good' }), UsageError)
  assert.equal(existsSync(path.join(directory, 'good')), false)
})
