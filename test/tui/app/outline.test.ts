import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { call } from '../../support/house.ts'
import { openStage } from './stage.ts'

const [up, down, altUp, altDown, esc] = ['\x1b[A', '\x1b[B', '\x1b[1;3A', '\x1b[1;3B', '\x1b[27u']

/** What was copied last. */
function copiedOf(writes: readonly string[]): string {
  const [, body = ''] = [...writes.join('').matchAll(/\x1b\]52;c;([A-Za-z0-9+/=]*)\x07/g)].at(-1) ?? []
  return Buffer.from(body, 'base64').toString()
}

test('Alt+Up goes from prompt to prompt, Enter unfolds one cell, c copies it, and typing is typing', async t => {
  const second = Array.from({ length: 12 }, (_, line) => `l${line + 1}`).join('\n')
  const stage = await openStage(t, {
    rows: 46,
    replies: [call('bash', { command: 'seq 1 9' }), 'Look:\n\n```ts\nconst a = 1\n```\n', 'Done.'],
  })
  await stage.enter('first')
  await stage.until(/const a = 1[\s\S]*took/)
  assert.match((await stage.until(/took/)).join('\n'), /\nts\nconst a = 1\n/, 'its language, and no margin')
  stage.press(`\x1b[200~${second}\x1b[201~`)
  await stage.until(/\[pasted.12.lines\]/)
  stage.press('\r')
  await stage.until(/Done\.[\s\S]*took/)
  stage.press(altUp)
  await stage.until(() => stage.app.transcript.focusedText === second)
  stage.press(altUp)
  await stage.until(() => stage.app.transcript.focusedText === 'first')
  stage.press(altDown)
  await stage.until(() => stage.app.transcript.focusedText === second)
  stage.press(altUp)
  await stage.until(() => stage.app.transcript.focusedText === 'first')
  stage.press(down)
  await stage.until(() => stage.app.transcript.focusedText?.startsWith('1\n2\n') === true)
  stage.press('\r')
  const open = await stage.until(/\n {2}1\n {2}2\n/)
  assert.match(open.join('\n'), /› l1\n {2}l2\n {2}l3\n {2}… 8 more · Ctrl\+O/, 'the other one is as it was')
  stage.press('\r')
  await stage.until(/… 6 more[\s\S]*… 8 more/)
  for (const cell of ['Look', 'const a = 1']) {
    stage.press(down)
    await stage.until(() => stage.app.transcript.focusedText?.startsWith(cell) === true)
  }
  stage.press('c')
  await stage.until(/Copied 11 characters/)
  assert.equal(copiedOf(stage.writes), 'const a = 1')
  stage.press(up)
  await stage.until(() => stage.app.transcript.focusedText?.startsWith('Look') === true)
  stage.press(esc)
  await stage.until(() => stage.app.transcript.focusedText === undefined)
  stage.press('c')
  await stage.until(/› c$/m)
  stage.press(altUp)
  await stage.until(() => stage.app.state.editor.text === 'c')
  assert.equal(stage.app.transcript.focusedText, undefined, 'not while something is typed')
})

test('what is selected with the mouse is copied, without the margin', async t => {
  const stage = await openStage(t, { replies: [call('bash', { command: 'echo one; echo two' }), 'Done.'] })
  await stage.enter('go')
  const rows = await stage.until(/Done\.[\s\S]*took/)
  const row = rows.indexOf('  one') + 1
  stage.app.window.setMouse(true)
  stage.press(`\x1b[<0;1;${row}M\x1b[<0;1;${row}m`)
  stage.press(`\x1b[<0;1;${row}M\x1b[<32;2;${row}M\x1b[<32;9;${row + 1}M\x1b[<0;9;${row + 1}m`)
  await stage.until(/Copied 7 characters/)
  assert.equal(copiedOf(stage.writes), 'one\ntwo')
})

test('a command counts against its limit, and near the end of it a key gives it more time', async t => {
  const command = 'until [ -e go ]; do sleep 0.02; done'
  const stage = await openStage(t, { replies: [call('bash', { command, timeout: 30 }), 'Ran.'] })
  await stage.enter('go')
  await stage.until(/● bash until.* · \d s \/ 30 s[\s\S]*running bash · \d s \/ 30 s · Esc stops/)
  stage.press('\x14')
  await stage.until(/ s \/ 60 s[\s\S]*running bash · \d+ s \/ 60 s/)
  writeFileSync(path.join(stage.house.cwd, 'go'), '')
  await stage.until(/Ran\.[\s\S]*took/)
  stage.press('\x14')
  await stage.until(/Nothing is running/)
})

test('the footer says that the server is missing, and of the model nothing', async t => {
  const stage = await openStage(t, { replies: ['Here.'] })
  await stage.house.server.close()
  await stage.enter('hello')
  await stage.until(/ECONNREFUSED[\s\S]*no Ollama/)
  assert.ok(!stage.app.state.status.warnings.includes('noModel'))
})
