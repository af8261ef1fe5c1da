import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { editOutside } from '../../src/tui/outside.ts'
import { EN } from '../../src/words/en.ts'

/** An editor: a script that gets the file as its last argument. */
function editor(t: TestContext, script: string): { program: string; directory: string } {
  const directory = mkdtempSync(path.join(tmpdir(), 'gopi-editor-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  const program = path.join(directory, 'editor')
  writeFileSync(program, `#!/bin/sh\ncd "${directory}"\n${script}\n`)
  chmodSync(program, 0o700)
  return { program, directory }
}

async function run(text: string, env: NodeJS.ProcessEnv) {
  const steps: string[] = []
  const result = await editOutside(text, {
    env: { PATH: process.env.PATH, ...env },
    async lend(own) {
      steps.push('lent')
      const value = await own()
      steps.push('back')
      return value
    },
    words: EN,
  })
  assert.deepEqual(steps, ['lent', 'back'])
  return result
}

describe('editing outside', () => {
  it('gives the text to the editor and takes what was saved', async t => {
    const { program, directory } = editor(
      t,
      'cp "$1" seen; ls -l "$1" > mode; ls -ld "$(dirname "$1")" >> mode; echo "$1" > name; printf "new 文字\\nsecond\\n" > "$1"; echo x > "$1~"',
    )
    assert.deepEqual(await run('old\nwords', { EDITOR: program }), { text: 'new 文字\nsecond' })
    assert.equal(readFileSync(path.join(directory, 'seen'), 'utf8'), 'old\nwords')
    assert.match(readFileSync(path.join(directory, 'mode'), 'utf8'), /^-rw-------[\s\S]*\ndrwx------/)
    const name = readFileSync(path.join(directory, 'name'), 'utf8').trim()
    assert.equal(path.basename(name), 'prompt.md')
    assert.ok(!existsSync(path.dirname(name)))
  })

  it('takes VISUAL before EDITOR, and options', async t => {
    const { program, directory } = editor(t, 'echo "$#:$1:$2" > arguments')
    const text = 'same\n'
    assert.deepEqual(await run(text, { VISUAL: `${program} --wait "a b"`, EDITOR: 'false' }), { text })
    assert.equal(readFileSync(path.join(directory, 'arguments'), 'utf8'), '3:--wait:a b\n')
  })

  it('says that there is no such editor, and leaves the text', async () => {
    const { text, problem } = await run('old', { EDITOR: 'no-such-editor --wait' })
    assert.equal(text, 'old')
    assert.match(problem ?? '', /no-such-editor --wait was not found; set VISUAL or EDITOR/)
  })

  it('says that the editor failed, and leaves the text', async t => {
    const failing = editor(t, 'echo changed > "$1"; exit 3')
    assert.deepEqual(await run('old', { EDITOR: failing.program }), {
      text: 'old',
      problem: `The editor ${failing.program} failed (3); the prompt is as it was.`,
    })
    const killed = editor(t, 'kill -9 $$')
    assert.match((await run('old', { EDITOR: killed.program })).problem ?? '', /failed \((137|SIGKILL)\)/)
    const removing = editor(t, 'rm "$1"')
    assert.match((await run('old', { EDITOR: removing.program })).problem ?? '', /failed \(ENOENT/)
  })

  it('does not read the name of its file as words for the shell', async t => {
    const { program } = editor(t, 'test "$#" = 1 && test -f "$1" && echo ok > "$1"')
    assert.equal((await run('old', { EDITOR: program, TMPDIR: tmpdir() })).text, 'ok')
  })
})
