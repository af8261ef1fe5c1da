import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { it } from 'node:test'
import type { Job } from '../../../src/kit/commands/command.ts'
import { gate } from '../../support/demo/reply.ts'
import { call } from '../../support/house.ts'
import { openStage } from './stage.ts'

const esc = '\x1b'

it('Esc twice goes back: a prompt and what are chosen, the change is shown, and the words are in the editor again', async t => {
  const stage = await openStage(t, {
    ...{ rows: 30, files: { 'a.txt': 'one\n' } },
    replies: [
      'Hello.',
      call('read', { path: 'a.txt' }),
      call('edit', { path: 'a.txt', old: 'one', new: 'two' }),
      'Changed.',
    ],
  })
  const text = () => readFileSync(path.join(stage.house.cwd, 'a.txt'), 'utf8')
  await stage.enter('hello')
  await stage.until(/Hello\.[\s\S]*Say what/)
  const filled = stage.app.state.status.usage
  await stage.enter('change it')
  await stage.until(rows => rows.includes('Changed.') && !stage.app.state.status.running)
  stage.press(esc)
  await stage.until(() => stage.app.state.escapedAt > 0)
  stage.press(esc)
  await stage.until(/Back to before which prompt\?[\s\S]*change it[\s\S]*hello/)
  stage.press('\r')
  await stage.until(/What goes back\?[\s\S]*conversation and files/)
  stage.press('\r')
  await stage.until(/Go back\?[\s\S]*changes {2}a\.txt {2}\+1 −1/)
  await stage.answer('y')
  const rows = await stage.until(/Went back, 1 file changed/)
  assert.ok(rows.some(row => row.startsWith('Hello.')) && !rows.some(row => row.startsWith('Changed.')))
  assert.equal(stage.app.state.editor.text, 'change it')
  assert.deepEqual(stage.app.state.status.usage, filled)
  assert.equal(text(), 'one\n')
  stage.press('\x15')
  await stage.enter('/redo')
  await stage.until(/Changed\.[\s\S]*It is there again, 1 file changed/)
  assert.equal(text(), 'two\n')
})

it('! runs a command of the person’s at once, shows it, and Esc ends it; the model hears of it with the next words', async t => {
  const stage = await openStage(t, { rows: 30, replies: ['I saw it.'] })
  await stage.enter('!echo from the person')
  await stage.until(/› ! echo from the person[\s\S]*✓ bash echo from the person/)
  await stage.enter('!echo begun; sleep 60')
  await stage.until(/● bash[\s\S]*begun/)
  stage.press(esc)
  await stage.until(/✗ bash [^\n]*echo begun[\s\S]*Say what/)
  await stage.enter('well?')
  await stage.until(/I saw it\./)
  assert.match(
    stage.house.sent(0)[0]?.content ?? '',
    /^I ran a command myself:\n\$ echo from the person\nfrom the person\n\n[\s\S]*Stopped by the user[\s\S]*\n\nwell\?$/,
  )
})

it('words sent while a ! command runs wait below it, and the model hears with them what it said', async t => {
  const stage = await openStage(t, { rows: 30, replies: ['I saw it.', 'And this.'] })
  const done = path.join(stage.house.cwd, 'done')
  await stage.enter(`!until test -e done; do sleep 0.05; done; echo from the person`)
  await stage.until(/● bash until[\s\S]*Say something: it waits for the command/)
  await stage.enter('well?')
  await stage.enter('and this')
  await stage.until(/● bash until[\s\S]*Afterwards: well\?[\s\S]*Afterwards: and this[\s\S]*running bash/)
  assert.equal(stage.house.server.chats.length, 0)
  writeFileSync(done, '')
  await stage.until(
    /✓ bash until[\s\S]*› well\?[\s\S]*I saw it\.[\s\S]*› and this[\s\S]*And this\.[\s\S]*Say what/,
  )
  assert.match(stage.house.sent(0)[0]?.content ?? '', /from the person\n\nwell\?$/)
})

it('words that wait for a ! command are taken back by their key, and by whoever stops it', async t => {
  const stage = await openStage(t, { rows: 30, replies: ['I saw it.'] })
  await stage.enter('!sleep 60')
  await stage.until(/● bash sleep 60/)
  await stage.enter('one')
  await stage.enter('two')
  await stage.until(/Afterwards: one[\s\S]*Afterwards: two/)
  stage.press('\x1b[1;3A')
  await stage.until(rows => rows.includes('› two') && !rows.join('\n').includes('Afterwards: two'))
  stage.press(esc)
  await stage.until(/✗ bash sleep 60 · stopped[\s\S]*\n› one\n {2}two/)
  assert.deepEqual(stage.app.state.queue, [])
  assert.equal(stage.house.server.chats.length, 0)
})

it('of two ! commands the first is stopped first, and words wait for both', async t => {
  const stage = await openStage(t, { rows: 30, replies: ['I saw it.'] })
  await stage.enter('!sleep 61')
  await stage.until(/● bash sleep 61/)
  await stage.enter('!sleep 62')
  await stage.until(/bash sleep 62/)
  stage.press(esc)
  await stage.until(/✗ bash sleep 61[\s\S]*bash sleep 62[\s\S]*it waits for the command/)
  await stage.enter('well?')
  await stage.until(/Afterwards: well\?/)
  stage.press(esc)
  await stage.until(/✗ bash sleep 62[\s\S]*\n› well\?/)
})

it('a ! command that outlasts the run is still said to run, and Esc ends it', async t => {
  const held = gate()
  const stage = await openStage(t, { rows: 30, replies: [['Well', { gate: held }, ', done.']] })
  await stage.enter('work')
  await held.reached
  await stage.enter('!sleep 60')
  await stage.until(/● bash sleep 60/)
  held.open()
  await stage.until(/Well, done\.[\s\S]*running bash · .*Esc stops/)
  stage.press(esc)
  await stage.until(/Well, done\.[\s\S]*› ! sleep 60\s+✗ bash sleep 60 · stopped[\s\S]*Say what/)
})

it('a ! command that runs while an answer is written stands below it, its line with its output', async t => {
  const held = gate()
  const stage = await openStage(t, { rows: 30, replies: [['First.\n\nWell', { gate: held }, ', done.']] })
  await stage.enter('work')
  await held.reached
  await stage.enter('!echo $((6 * 7))')
  await stage.until(/Well[\s\S]*› ! echo[^\n]*\s+✓ bash echo[^\n]*\s+42/)
  held.open()
  await stage.until(/First\.\s+Well, done\.[\s\S]*› ! echo[^\n]*\s+✓ bash echo[^\n]*\s+42[\s\S]*Say what/)
})

it('a plan is carried out in the mode that is chosen for it', async t => {
  const stage = await openStage(t, {
    ...{ rows: 30, config: { permission: { mode: 'plan' } } },
    replies: ['Just an answer.', 'The plan:\n1. look\n2. change', 'Carried out.'],
  })
  await stage.enter('a question')
  await stage.until(/Just an answer\./)
  await stage.enter('work')
  await stage.until(/The plan stands[\s\S]*changes ask first/)
  stage.press('\x1b[B\r')
  await stage.until(/› Carry out the plan\.[\s\S]*Carried out\./)
  assert.equal(stage.house.session.mode, 'auto-edit')
  assert.match(stage.house.sent(2).at(-1)?.content ?? '', /^Carry out the plan\./)
})

it('a word that is being typed when a plan is there carries out nothing', async t => {
  const stage = await openStage(t, {
    ...{ rows: 30, config: { permission: { mode: 'plan' } } },
    replies: ['The plan:\n1. look\n2. change', 'I see.', 'The plan:\n1. look\n2. change'],
  })
  await stage.enter('work')
  await stage.until(/The plan stands[\s\S]*what you type goes to the prompt/)
  stage.press('edits')
  await stage.until(/› edits/)
  stage.press('\r')
  const rows = await stage.until(/I see\.[\s\S]*Say what/)
  assert.doesNotMatch(rows.join('\n'), /The plan stands/)
  assert.equal(stage.house.session.mode, 'plan')
  assert.match(stage.house.sent(1).at(-1)?.content ?? '', /^edits/)
  // Once an arrow has turned to the list, it is one like any other.
  await stage.enter('again')
  await stage.until(/The plan stands/)
  stage.press('\x1b[B')
  await stage.until(/type to filter/)
  stage.press('\r')
  await stage.until(() => stage.house.session.mode === 'auto-edit')
})

it('a list that comes after a wait takes no typed word, and Enter on the empty prompt', async t => {
  const stage = await openStage(t, { rows: 30 })
  let chosen: string | undefined
  const job: Job = async desk => {
    await desk.during('Waiting …', async () => {})
    chosen = await desk.choose('Which?', [
      { id: 'a', label: 'keep' },
      { id: 'b', label: 'commit' },
    ])
  }
  stage.app.step({ state: stage.app.state, effects: [{ type: 'work', line: '/x', job }] })
  await stage.until(/Which\?[\s\S]*what you type goes to the prompt/)
  stage.press('commit')
  await stage.until(/› commit/)
  stage.press('\x15')
  await stage.until(/› Say what/)
  stage.press('\r')
  await stage.until(() => chosen === 'a')
})

it('a command typed while the list stands there takes the list away, and what could complete it', async t => {
  const stage = await openStage(t, { rows: 30, replies: ['Hello.'] })
  await stage.enter('hello')
  await stage.until(/Hello\.[\s\S]*Say what/)
  stage.press(esc)
  await stage.until(() => stage.app.state.escapedAt > 0)
  stage.press(esc)
  await stage.until(/Back to before which prompt\?/)
  stage.press('/cost')
  await stage.until(() => stage.app.state.completion !== undefined)
  stage.press('\r')
  const rows = await stage.until(/1 prompt, 1 turn[\s\S]*Say what/)
  assert.equal(stage.app.state.completion, undefined)
  assert.ok(!rows.some(row => row.includes('/cost')))
})
