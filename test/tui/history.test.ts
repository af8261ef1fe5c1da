import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { appendHistory, loadHistory } from '../../src/tui/history.ts'

function place(t: TestContext): string {
  const directory = mkdtempSync(path.join(tmpdir(), 'gopi-history-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  return path.join(directory, 'home', 'history')
}

const lines = (prompts: readonly string[]) => prompts.map(prompt => `${JSON.stringify(prompt)}\n`).join('')
const numbered = (count: number) => Array.from({ length: count }, (_, number) => `prompt ${number}`)

describe('the history', () => {
  it('is empty where there is none, and brings back what was sent', async t => {
    const file = place(t)
    assert.deepEqual(await loadHistory(file), [])
    for (const prompt of ['one', 'two\nlines "quoted"', '三', '  ', '三']) await appendHistory(file, prompt)
    assert.deepEqual(await loadHistory(file), ['one', 'two\nlines "quoted"', '三'])
  })

  it('belongs to its person alone', async t => {
    const file = place(t)
    await appendHistory(file, 'one')
    assert.equal(statSync(file).mode & 0o777, 0o600)
    assert.equal(statSync(path.dirname(file)).mode & 0o777, 0o700)
  })

  it('skips damaged lines and what is no prompt', async t => {
    const file = place(t)
    await appendHistory(file, 'one')
    appendFileSync(file, '"cut o\n\n{"a":1}\nnull\n7\n""\n[]\n\u0000\n')
    await appendHistory(file, 'two')
    assert.deepEqual(await loadHistory(file), ['one', 'two'])
  })

  it('does not lose a prompt to the line before it that was cut off', async t => {
    const file = place(t)
    await appendHistory(file, 'one')
    appendFileSync(file, '"cut o')
    await appendHistory(file, 'two')
    assert.deepEqual(await loadHistory(file), ['one', 'two'])
  })

  it('keeps every prompt when many are written at the same time', async t => {
    const file = place(t)
    const prompts = numbered(60).map(prompt => prompt.repeat(200))
    await Promise.all(prompts.map(prompt => appendHistory(file, prompt)))
    assert.deepEqual((await loadHistory(file)).sort(), [...prompts].sort())
  })

  it('is the last 1,000, and its file is made shorter rarely', async t => {
    const file = place(t)
    await appendHistory(file, 'first')
    writeFileSync(file, lines(numbered(2_000)))
    assert.deepEqual(await loadHistory(file), numbered(2_000).slice(-1_000))
    assert.equal(readFileSync(file, 'utf8'), lines(numbered(2_000)))
    await appendHistory(file, 'prompt 2000')
    assert.equal((await loadHistory(file)).at(-1), 'prompt 2000')
    assert.equal(readFileSync(file, 'utf8'), lines(numbered(2_001).slice(-1_000)))
    assert.equal(statSync(file).mode & 0o777, 0o600)
    assert.deepEqual(readdirSync(path.dirname(file)), ['history'])
    await appendHistory(file, 'after')
    assert.equal((await loadHistory(file)).at(-1), 'after')
  })

  it('loses nothing to two that shorten it while others write', async t => {
    const file = place(t)
    await appendHistory(file, 'first')
    writeFileSync(file, lines(numbered(3_000)))
    const late = numbered(20).map(prompt => `late ${prompt}`)
    await Promise.all([loadHistory(file), ...late.slice(0, 10).map(prompt => appendHistory(file, prompt))])
    await Promise.all(late.slice(10).map(prompt => appendHistory(file, prompt)))
    const kept = await loadHistory(file)
    for (const prompt of late.slice(10)) assert.ok(kept.includes(prompt), prompt)
    for (const line of readFileSync(file, 'utf8').trimEnd().split('\n'))
      assert.doesNotThrow(() => JSON.parse(line))
  })

  it('does not keep what nobody would look for: a pasted file', async t => {
    const file = place(t)
    await appendHistory(file, 'x'.repeat(100_000))
    assert.deepEqual(await loadHistory(file), [])
  })

  it('says when it cannot be written', async t => {
    const file = place(t)
    await appendHistory(file, 'one')
    await assert.rejects(appendHistory(path.join(file, 'below'), 'two'), /ENOTDIR|EEXIST/)
  })

  it('is empty where what lies there cannot be read, and waits for nobody', async t => {
    const file = place(t)
    mkdirSync(file, { recursive: true })
    const pipe = path.join(file, 'pipe')
    execFileSync('mkfifo', [pipe])
    const loop = path.join(file, 'loop')
    symlinkSync(loop, loop)
    for (const odd of [file, pipe, loop]) {
      assert.deepEqual(await loadHistory(odd), [])
      await assert.rejects(appendHistory(odd, 'one'), /EISDIR|no file|ELOOP/)
    }
  })
})
