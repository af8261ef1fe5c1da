import assert from 'node:assert/strict'
import { mkdir, readFile, rename, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import type { SeenFile } from '../../src/protocol/messages.ts'
import { edit } from '../../src/tools/edit.ts'
import { FileLedger } from '../../src/tools/ledger.ts'
import { identify } from '../../src/tools/open.ts'
import { read } from '../../src/tools/read.ts'
import { write } from '../../src/tools/write.ts'
import { contextFor, project, run, told } from './context.ts'

async function desk(t: Parameters<typeof project>[0], files: Record<string, string>) {
  const cwd = await project(t, files)
  const ledger = new FileLedger()
  return {
    cwd,
    ledger,
    context: contextFor(cwd, { files: ledger }),
    file: (name: string) => path.join(cwd, name),
  }
}

test('a file that was not read is neither edited nor replaced; a new and an empty one are', async t => {
  const { file, context } = await desk(t, { 'a.txt': 'one\n', 'empty.txt': '' })
  const notRead = /^a\.txt was not read in this session; read it before changing it\.$/
  assert.match(await told(edit, { path: 'a.txt', old: 'one', new: 'two' }, context), notRead)
  assert.match(await told(write, { path: 'a.txt', content: 'two' }, context), notRead)
  await assert.rejects(async () => write.preview?.({ path: 'a.txt', content: 'two' }, context), {
    message: notRead,
  })
  assert.equal(await readFile(file('a.txt'), 'utf8'), 'one\n')
  assert.match(await told(write, { path: 'a.txt', content: 'one\n' }, context), /has this content already/)
  assert.match(await told(write, { path: 'empty.txt', content: 'x' }, context), /^Replaced/)
  assert.match(await told(write, { path: 'new.txt', content: 'x' }, context), /^Created/)
  assert.match(await told(edit, { path: 'new.txt', old: 'x', new: 'y' }, context), /^Edited/)
  assert.match(await told(write, { path: 'new.txt', content: 'z' }, context), /^Replaced/)
})

test('reading any part is reading; what changed since is told, counts as read, and was not overwritten', async t => {
  const { file, context } = await desk(t, { 'a.txt': 'one\ntwo\nthree\n' })
  await run(read, { path: 'a.txt', offset: 2, limit: 1 }, context)
  assert.match(await told(edit, { path: 'a.txt', old: 'one', new: 'eins' }, context), /^Edited/)
  await writeFile(file('a.txt'), 'eins\nTWO, by the person\nthree\n')
  const refusal = await told(write, { path: 'a.txt', content: 'all new\n' }, context)
  assert.match(refusal, /^a\.txt has changed since you saw it, so nothing was written\./)
  assert.match(refusal, /^-two\n\+TWO, by the person$/m)
  assert.equal(await readFile(file('a.txt'), 'utf8'), 'eins\nTWO, by the person\nthree\n')
  assert.match(await told(edit, { path: 'a.txt', old: 'TWO', new: 'zwei' }, context), /^Edited/)
})

test('a refusal carries at most a hundred changed lines', async t => {
  const { file, context } = await desk(t, { 'a.txt': 'x\n' })
  await run(read, { path: 'a.txt' }, context)
  await writeFile(file('a.txt'), Array.from({ length: 500 }, (_, n) => `line ${n}\n`).join(''))
  const lines = (await told(edit, { path: 'a.txt', old: 'x', new: 'y' }, context)).split('\n')
  assert.equal(lines.length, 102)
  assert.match(lines.at(-1) ?? '', /^… 40\d more lines/)
})

test('the content counts, not the time: a touched file is known, one of the same size and time is not', async t => {
  const { file, context } = await desk(t, { 'a.txt': 'one\n', 'b.txt': 'one\n' })
  const { mtime } = await stat(file('b.txt'))
  for (const name of ['a.txt', 'b.txt']) await run(read, { path: name }, context)
  await utimes(file('a.txt'), new Date(), new Date(Date.now() + 60_000))
  assert.match(await told(edit, { path: 'a.txt', old: 'one', new: 'two' }, context), /^Edited/)
  await writeFile(file('b.txt'), 'two\n')
  await utimes(file('b.txt'), mtime, mtime)
  assert.match(await told(edit, { path: 'b.txt', old: 'two', new: 'one' }, context), /has changed since/)
})

test('what a ledger says of files makes another one that knows them', async t => {
  const { cwd, file, context, ledger } = await desk(t, { 'a.txt': 'one\n', 'b.txt': 'one\n' })
  const seen: SeenFile[] = []
  for (const name of ['a.txt', 'b.txt']) {
    const { details } = await run(read, { path: name }, context)
    seen.push((details as { seen: SeenFile }).seen)
  }
  await writeFile(file('b.txt'), 'two\n')
  const later = contextFor(cwd, { files: new FileLedger(JSON.parse(JSON.stringify(seen))) })
  assert.match(await told(edit, { path: 'a.txt', old: 'one', new: 'two' }, later), /^Edited/)
  assert.match(
    await told(edit, { path: 'b.txt', old: 'two', new: 'x' }, later),
    /has changed since.*\n1\ttwo$/s,
  )
  assert.equal(ledger.wrote(file('a.txt')), false)
})

test('a ledger knows which files the session wrote, until somebody else does', async t => {
  const { file, context, ledger } = await desk(t, { 'a.txt': 'one\n' })
  await run(write, { path: 'new.txt', content: 'x' }, context)
  await run(read, { path: 'a.txt' }, context)
  assert.deepEqual([ledger.wrote(file('new.txt')), ledger.wrote(file('a.txt'))], [true, false])
  await run(read, { path: 'new.txt' }, context)
  assert.equal(ledger.wrote(file('new.txt')), true)
  await writeFile(file('new.txt'), 'longer than before')
  assert.equal(ledger.wrote(file('new.txt')), false)
})

test('the mark of a masked secret is never written', async t => {
  const { file, context } = await desk(t, { 'a.txt': 'KEY=1\nb\n' })
  await run(read, { path: 'a.txt' }, context)
  for (const [tool, args] of [
    [write, { path: 'a.txt', content: 'KEY=[masked: password]\nc\n' }],
    [write, { path: 'new.txt', content: 'KEY=[masked: AWS key]' }],
    [edit, { path: 'a.txt', old: 'b', new: '[masked: password]' }],
  ] as const)
    assert.match(await told(tool, args, context), /stands for a secret that you were not shown/)
  assert.equal(await readFile(file('a.txt'), 'utf8'), 'KEY=1\nb\n')
})

test('a target that changed after the decision is left alone', async t => {
  const cwd = await project(t, { 'in/a.txt': 'a\n', 'out/a.txt': 'out\n', 'b.txt': 'b\n' })
  const file = (name: string) => path.join(cwd, name)
  const decided = async (real: string) =>
    contextFor(cwd, { target: { real: file(real), id: await identify(file(real)) } })
  const changed = /is not the file any more that was decided about/

  const forFile = await decided('b.txt')
  await rm(file('b.txt'))
  await symlink(file('out/a.txt'), file('b.txt'))
  for (const [tool, args] of [
    [read, { path: 'b.txt' }],
    [edit, { path: 'b.txt', old: 'out', new: 'x' }],
    [write, { path: 'b.txt', content: 'x' }],
  ] as const)
    assert.match(await told(tool, args, forFile), changed)

  const inDirectory = await decided('in/a.txt')
  const forNew = contextFor(cwd, { target: { real: file('in/new.txt'), id: undefined } })
  await rename(file('in'), file('moved'))
  await symlink(file('out'), file('in'))
  assert.match(await told(read, { path: 'in/a.txt' }, inDirectory), changed)
  assert.match(await told(write, { path: 'in/new.txt', content: 'x' }, forNew), changed)
  await rm(file('in'))
  await mkdir(file('in'))
  await writeFile(file('in/new.txt'), 'came in between')
  assert.match(await told(write, { path: 'in/new.txt', content: 'x' }, forNew), changed)
  assert.equal(await readFile(file('out/a.txt'), 'utf8'), 'out\n')
  assert.equal(await readFile(file('in/new.txt'), 'utf8'), 'came in between')
})
