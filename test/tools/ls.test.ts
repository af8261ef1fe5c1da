import assert from 'node:assert/strict'
import { symlink } from 'node:fs/promises'
import path from 'node:path'
import { describe, it } from 'node:test'
import { ls } from '../../src/tools/ls.ts'
import { contextFor, project, run, told } from './context.ts'

describe('ls', () => {
  it('lists hidden entries, directories and links, but not .git', async t => {
    const cwd = await project(t, { 'b.txt': '', 'src/': '', '.env': '', '.git/config': '', 'Z.md': '' })
    await symlink('src', path.join(cwd, 'link'))
    await symlink('/no/where', path.join(cwd, 'broken'))
    const { output, details } = await run(ls, {}, contextFor(cwd))
    assert.equal(output, '.env\nZ.md\nb.txt\nbroken -> /no/where\nlink -> src\nsrc/')
    assert.deepEqual(details, { path: '.', entries: 6 })
  })

  it('shows 500 entries and how many there are', async t => {
    const files = Object.fromEntries(Array.from({ length: 620 }, (_, at) => [`many/f${1000 + at}`, '']))
    const cwd = await project(t, files)
    const lines = (await told(ls, { path: 'many' }, contextFor(cwd))).split('\n')
    assert.equal(lines.length, 501)
    assert.equal(lines[499], 'f1499')
    assert.equal(lines[500], 'Showing 500 of 620 entries. Use find with a pattern.')
    const cut = await told(ls, { path: 'many' }, contextFor(cwd, { budget: 200 }))
    assert.match(cut, /^f1000\n(f\d+\n)+Cut: .* List a subdirectory, or use find\.$/)
    assert.ok(Buffer.byteLength(cut) <= 200)
  })

  it('says what is no directory, or empty, or missing', async t => {
    const cwd = await project(t, { 'a.txt': 'x', 'empty/': '' })
    const table: [string, RegExp][] = [
      ['a.txt', /^a\.txt is a file; use read\.$/],
      ['empty', /^empty is empty\.$/],
      ['/dev/null', /^\/dev\/null is a device, not a directory\.$/],
      ['emty', /^emty does not exist\. Did you mean empty\?$/],
    ]
    for (const [given, said] of table) assert.match(await told(ls, { path: given }, contextFor(cwd)), said)
  })
})
