import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { it } from 'node:test'
import { gate } from '../../support/demo/reply.ts'
import { call } from '../../support/house.ts'
import { openStage } from './stage.ts'

const esc = '\x1b'
const altEnter = '\x1b\r'
const altUp = '\x1b[1;3A'
const shiftTab = '\x1b[Z'
const pageUp = '\x1b[5~'
const ctrlEnd = '\x1b[1;5F'

it('a conversation with tools and a question stands on the screen as it went', async t => {
  const stage = await openStage(t, {
    ...{ columns: 60, rows: 24, files: { 'a.txt': 'one\n' }, config: { permission: { mode: 'ask' } } },
    replies: [
      call('read', { path: 'a.txt' }),
      call('edit', { path: 'a.txt', old: 'one', new: 'two' }),
      'Done: **two** stands there.',
    ],
  })
  await stage.enter('change it')
  const asked = await stage.until(/Make this change\?/)
  assert.match(asked.join('\n'), /1 - one\s+│\n.*1 \+ two/)
  await stage.answer('y')
  const rows = await stage.until(/stands there\.[\s\S]*Say what/)
  const seen = rows.map(row => row.replace(/ · \d+(\.\d)? s$/, '')).filter(row => row !== '')
  assert.match(seen[6] ?? '', /^· took .* · reused ≈.* · read ≈\d+$/)
  assert.deepEqual(seen.toSpliced(6, 1).slice(0, 7), [
    '› change it',
    '✓ read a.txt · 1 line',
    '✓ edit a.txt +1 −1',
    '1 - one',
    '1 + two',
    'Done: two stands there.',
    '─'.repeat(60),
  ])
  assert.equal(readFileSync(path.join(stage.house.cwd, 'a.txt'), 'utf8'), 'two\n')
  assert.equal(await stage.cursor(), '22;2')
})

it('n denies one call, e tells the model why, Esc denies all that wait', async t => {
  const write = (name: string) => ({ name: 'write', arguments: { path: name, content: 'x' } })
  const stage = await openStage(t, {
    config: { permission: { mode: 'ask' } },
    replies: [{ calls: [write('1'), write('2'), write('3'), write('4')] }, 'As you wish.'],
  })
  await stage.enter('write')
  await stage.until(/Make this change\?/)
  await stage.answer('n')
  await stage.until(/│ 2 \+1/)
  await stage.answer('e')
  await stage.until(/What shall the model do instead/)
  stage.press('not there')
  await stage.until(/not there/)
  stage.press('\r')
  await stage.until(/│ 3 \+1/)
  await stage.answer(esc)
  await stage.until(/As you wish/)
  const results = stage.house.sent(1).filter(({ role }) => role === 'tool')
  assert.match(results[1]?.content ?? '', /not there/)
  assert.deepEqual(
    results.map(({ content }) => /denied|not allowed|said no|not there/i.test(content)),
    [true, true, true, true],
  )
  for (const name of '1234') assert.ok(!existsSync(path.join(stage.house.cwd, name)), name)
})

it('what is typed when a question opens goes to the editor, and is there after it', async t => {
  const stage = await openStage(t, {
    config: { permission: { mode: 'ask' } },
    replies: [call('bash', { command: 'touch made' }), 'Ran.'],
  })
  await stage.enter('run')
  while (!stage.app.state.dialog) await stage.until(() => true)
  stage.press('yes and')
  await stage.until(/› yes and/)
  assert.ok(stage.app.state.dialog)
  await stage.answer('y')
  await stage.until(/Ran\./)
  assert.equal(stage.app.state.editor.text, 'yes and')
  assert.ok(existsSync(path.join(stage.house.cwd, 'made')))
})

it('words step in while it runs; others wait, are seen, and come back with Alt+Up', async t => {
  const open = gate()
  const stage = await openStage(t, {
    replies: [['I begin ', { gate: open }, 'here.'], 'Right away.', 'And then.'],
  })
  await stage.enter('go')
  await stage.until(/I begin/)
  stage.press('first')
  await stage.until(/› first/)
  stage.press(altEnter)
  await stage.until(/Afterwards: first +Alt\+Up takes the last one back/)
  stage.press('second')
  await stage.until(/› second/)
  stage.press(altEnter)
  await stage.until(/Afterwards: second/)
  stage.press(altUp)
  await stage.until(
    rows => rows.includes('› second') && !rows.some(row => row.includes('Afterwards: second')),
  )
  stage.press('\x15')
  await stage.enter('no, that way')
  open.open()
  const rows = await stage.until(/And then\./)
  const words = rows.filter(row => /^(› |I begin|Right|And then)/.test(row))
  assert.deepEqual(words, [
    '› go',
    words[1] ?? '',
    '› no, that way',
    'Right away.',
    '› first',
    'And then.',
    words.at(-1) ?? '',
  ])
  assert.match(words[1] ?? '', /^I begin/)
})

it('Esc ends a run, keeps what was said, and brings words that waited back before what is typed', async t => {
  const stage = await openStage(t, { replies: [['I think ', { hang: true }]] })
  await stage.enter('go')
  await stage.until(/I think/)
  stage.press('later on')
  await stage.until(/› later on/)
  stage.press(altEnter)
  await stage.until(/Afterwards: later on/)
  stage.press('half')
  await stage.until(/› half/)
  stage.press(esc)
  const rows = await stage.until(/Stopped\./)
  assert.match(rows.join('\n'), /I think/)
  assert.match((await stage.until(/› later on\n {2}half/)).join('\n'), /Stopped/)
  assert.equal(await stage.cursor(), '22;6')
})

it('a run that was stopped after it had answered says so and what it took in one row', async t => {
  const stage = await openStage(t, { replies: [call('bash', { command: 'echo one' }), [{ hang: true }]] })
  await stage.enter('go')
  await stage.until(/✓ bash[\s\S]*Esc stops/)
  stage.press(esc)
  const rows = await stage.until(/· Stopped after .* · reused [\s\S]*Say what/)
  assert.equal(rows.filter(row => /Stopped|took/.test(row)).length, 1, rows.join('\n'))
})

it('a run that failed names the command that asks once more, and that does', async t => {
  const stage = await openStage(t, { replies: [['half of ', { cut: true }], 'Whole.'] })
  await stage.enter('go')
  await stage.until(/broke in the middle[\s\S]*\/retry asks once more/)
  await stage.enter('/retry')
  await stage.until(/Whole\./)
})

it('Esc cancels the tools that words wait for, and they step in', async t => {
  const stage = await openStage(t, {
    replies: [call('bash', { command: 'echo started; sleep 60' }), 'I heard you.'],
  })
  await stage.enter('go')
  await stage.until(/● bash[\s\S]*started/)
  await stage.enter('not so')
  await stage.until(/Steps in: not so/)
  stage.press(esc)
  const rows = await stage.until(/I heard you\./)
  assert.match(rows.join('\n'), /✗ bash[\s\S]*› not so[\s\S]*I heard you/)
})

it('live output of a tool is the last eight lines, then a summary that Ctrl+O unfolds', async t => {
  const command = 'for n in $(seq 1 20); do echo line $n; done; until [ -e go ]; do sleep 0.02; done'
  const stage = await openStage(t, { rows: 40, replies: [call('bash', { command }), 'Ran.'] })
  await stage.enter('go')
  const live = await stage.until(/line 20/)
  assert.deepEqual(
    live.filter(row => /^ +line/.test(row)).map(row => row.trim()),
    Array.from({ length: 8 }, (_, n) => `line ${n + 13}`),
  )
  writeFileSync(path.join(stage.house.cwd, 'go'), '')
  await stage.until(rows => rows.includes('Ran.') && rows.some(row => row === '  … 17 more · Ctrl+O'))
  stage.press('\x0f')
  await stage.until(/ {2}line 1\n {2}line 2\n/)
})

it('while text streams the view stays where it was scrolled to, and says that there is more', async t => {
  const [first, second] = [gate(), gate()]
  const lines = (from: number) => Array.from({ length: 40 }, (_, n) => `line ${from + n}\n\n`)
  const stage = await openStage(t, {
    replies: [[...lines(0), { gate: first }, ...lines(40), { gate: second }, 'the end']],
  })
  await stage.enter('go')
  await stage.until(/line 39/)
  stage.press(pageUp)
  const before = await stage.until(/↓ more below · Ctrl\+End goes to the end/)
  first.open()
  await stage.until(() =>
    stage.house.events.some(e => e.type === 'message_delta' && e.text.includes('line 79')),
  )
  const after = await stage.until(() => true)
  assert.deepEqual(after.slice(0, 20), before.slice(0, 20))
  stage.press(ctrlEnd)
  await stage.until(
    rows => rows.some(row => row.includes('line 79')) && !rows.some(row => row.includes('more below')),
  )
  second.open()
  await stage.until(/the end/)
})

it('the mode changes with a key or a command, while it runs too', async t => {
  const stage = await openStage(t, { config: { permission: { mode: 'ask' } }, replies: [[{ hang: true }]] })
  await stage.until(/\nask · /)
  stage.press(shiftTab)
  await stage.until(/\nauto-edit · /)
  await stage.enter('go')
  await stage.until(/Esc stops/)
  stage.press('/mode yolo\r')
  await stage.until(/\nyolo · /)
  assert.equal(stage.house.session.mode, 'yolo')
})

it('commands end the talk with what comes next', async t => {
  for (const [line, wanted] of [
    ['/clear', { type: 'new session' }],
    ['/model other:7b', { type: 'model', name: 'other:7b' }],
    ['/resume abc', { type: 'session', id: 'abc' }],
    ['/quit', { type: 'leave' }],
  ] as const) {
    const stage = await openStage(t)
    stage.press(`${line}\r`)
    assert.deepEqual(await stage.talk.wanted, wanted)
  }
})

it('models are listed when they have come, and one is chosen', async t => {
  const stage = await openStage(t, {
    around: {
      models: async () => [
        { name: 'qwen3:8b', size: 5e9, isLoaded: true, context: 40_960, capabilities: ['tools', 'thinking'] },
        { name: 'tiny', size: 1e9, isLoaded: false },
      ],
    },
  })
  stage.press('\x1bp')
  const rows = await stage.until(/qwen3:8b/)
  assert.match(rows.join('\n'), /qwen3:8b.*40/)
  stage.press('tin')
  await stage.until(rows => !rows.some(row => row.includes('qwen3:8b')))
  stage.press('\r')
  assert.deepEqual(await stage.talk.wanted, { type: 'model', name: 'tiny' })
})

it('a list that cannot be had says why', async t => {
  const stage = await openStage(t, { around: { models: () => Promise.reject(new Error('no Ollama there')) } })
  stage.press('\x1bp')
  await stage.until(/no Ollama there/)
  stage.press(esc)
  await stage.until(rows => !rows.some(row => row.includes('no Ollama')))
})

it('a failure is told where it happened, and the words are not lost', async t => {
  const stage = await openStage(t, { replies: [{ failure: { status: 500, error: 'out of memory' } }] })
  await stage.enter('go')
  const rows = await stage.until(/out of\s+memory/)
  assert.match(rows.join('\n'), /› go[\s\S]*✗ .*out of/)
  await stage.until(/Say what you want done/)
})

it('the screen may change its size at any moment, and is then as if it had always been so', async t => {
  const open = gate()
  const stage = await openStage(t, {
    columns: 80,
    rows: 24,
    replies: [
      ['# Title\n\nSome words that go on for a while, 日本語 too.\n\n', { gate: open }, '- one\n- two\n'],
    ],
  })
  await stage.enter('go')
  await stage.until(/for a while/)
  for (const [columns, rows] of [
    [1, 1],
    [12, 4],
    [200, 60],
    [3, 30],
    [40, 12],
    [60, 20],
  ] as const) {
    stage.resize(columns, rows)
    await stage.until(() => stage.app.state.columns === columns)
  }
  open.open()
  const shown = await stage.until(/• two[\s\S]*Say what/)
  stage.app.window.redraw()
  assert.deepEqual(await stage.text(), shown)
  assert.equal(shown.length, 20)
  assert.equal(await stage.cursor(), '18;2')
})

it('nothing is written while nothing happens', async t => {
  const stage = await openStage(t, { replies: ['Hello.'] })
  await stage.enter('go')
  await stage.until(/Hello\.[\s\S]*Say what/)
  stage.app.refresh()
  await stage.until(() => true)
  const before = stage.writes.length
  stage.app.refresh()
  stage.app.change(state => ({ ...state }))
  await new Promise(resolve => setTimeout(resolve, 40))
  assert.equal(stage.writes.length, before)
})

it('control characters of a model, a tool or a file do not reach the terminal', async t => {
  const bad = '\x1b]52;c;aGk=\x07\x1b[2J\x9b31m\u202e'
  const stage = await openStage(t, {
    config: { permission: { mode: 'ask' } },
    files: { 'bad.txt': bad },
    replies: [
      [{ text: `say ${bad} it\n\n` }, { call: { name: 'bash', arguments: { command: `touch x${bad}` } } }],
      call('bash', { command: 'cat bad.txt' }),
      `\`\`\`ts\n${bad}\n\`\`\`\n\nEnd.`,
    ],
  })
  const before = stage.writes.length
  await stage.enter('go')
  await stage.until(/Dangerous: run this command/)
  await stage.answer('y')
  await stage.until(/End\./)
  const own = /\x1b(\[[?>]?[\d;]*[A-Za-z]|[78]|\](11;\?|2;[^\x1b]*)\x1b\\)/g
  const foreign = stage.writes.slice(before).join('').replaceAll(own, '').replaceAll('\r\n', '')
  assert.doesNotMatch(foreign, /[\x00-\x09\x0b\x0c\x0e-\x1f\x7f-\x9f\u202e]/)
})

it('files that are named with @ go with the words, and the screen shows the words alone', async t => {
  const held = gate()
  const stage = await openStage(t, {
    files: { 'a.txt': 'AAA\n' },
    replies: [['Well', { gate: held }, '.'], 'Then.', 'Last.'],
  })
  const { house } = stage
  await stage.enter('first @a.txt')
  await held.reached
  stage.press('later @a.txt')
  await stage.until(/later @a\.txt/)
  stage.press(altEnter)
  while (house.session.followUps.length === 0) await stage.until(() => true)
  await stage.enter('now @a.txt')
  held.open()
  const rows = await stage.until(/Last\.[\s\S]*Say what/)
  assert.deepEqual(
    rows.filter(row => row.endsWith('@a.txt')),
    ['first', 'now', 'later'].map(word => `› ${word} @a.txt`),
  )
  assert.doesNotMatch(rows.join('\n'), /AAA/)
  const sent = house.sent(2).filter(({ role }) => role === 'user')
  assert.deepEqual(
    sent.map(({ content }) => content),
    ['first', 'now', 'later'].map(word => `<file path="a.txt">\n1\tAAA\n</file>\n\n${word} @a.txt`),
  )
})

it('thinking is folded, and Ctrl+O shows it', async t => {
  const open = gate()
  const stage = await openStage(t, {
    server: { capabilities: ['completion', 'tools', 'thinking'] },
    config: { ollama: { think: 'on' } },
    replies: [[{ thinking: 'let me see' }, { gate: open }, 'Seen.']],
  })
  await stage.enter('go')
  await stage.until(/· Thinking …/)
  stage.press('\x0f')
  await stage.until(/· Thinking …[^\n]*\n {2}let me see/)
  open.open()
  await stage.until(/· Thought for [^\n]*\n {2}let me see\n\nSeen\./)
  stage.press('\x0f')
  await stage.until(/· Thought for [^\n]*\n\nSeen\./)
})

it('a search shows the newest match, then older ones, and is gone with Esc', async t => {
  const lines = Array.from({ length: 60 }, (_, n) => `line ${n}${n % 20 === 7 ? ' needle' : ''}\n\n`)
  const stage = await openStage(t, { replies: [lines] })
  await stage.enter('go')
  await stage.until(/line 59[\s\S]*Say what/)
  stage.press('\x06')
  await stage.until(/Find: /)
  stage.press('needle')
  await stage.until(/line 47 needle/)
  stage.press('\r')
  const rows = await stage.until(/line 27 needle/)
  const popup = rows.findIndex(row => row.includes('Find: needle'))
  assert.ok(rows.findIndex(row => row.includes('line 27 needle')) < popup)
  stage.press(esc)
  await stage.until(shown => !shown.some(row => row.includes('Find: ')))
  await stage.until(/line 27 needle/)
})

it('gopi calls for the person only while they look elsewhere', async t => {
  const stage = await openStage(t, {
    config: { permission: { mode: 'ask' } },
    replies: ['Hello.', call('bash', { command: 'touch x' }), 'Ran.'],
  })
  const calls = () => stage.writes.join('').match(/\x1b\]9;[^\x07\x1b]*|\x07/g) ?? []
  await stage.enter('one')
  await stage.until(/Hello\.[\s\S]*Say what/)
  assert.deepEqual(calls(), [])
  stage.press('\x1b[O')
  await stage.enter('two')
  await stage.until(() => calls().length > 0)
  await stage.answer('y')
  await stage.until(/Ran\.[\s\S]*Say what/)
  assert.ok(calls().length >= 2)
})

it('a question at the side stands there at once, its answer as it comes', async t => {
  const [first, second] = [gate(), gate()]
  const stage = await openStage(t, {
    replies: [
      [{ gate: first }, 'By now ', { gate: second }, 'it is there.'],
      [{ text: 'Half an ' }, { hang: true }],
    ],
  })
  await stage.enter('/btw is it?')
  await stage.until(/By the way: is it\?[\s\S]*Asking at the side/)
  first.open()
  await stage.until(/By the way: is it\?\s+By now[\s\S]*Asking at the side/)
  second.open()
  await stage.until(/By the way: is it\?\s+By now it is there\.[\s\S]*Answered;/)
  await stage.enter('/btw and this?')
  await stage.until(/By the way: and this\?\s+Half an/)
  stage.press(esc)
  const rows = await stage.until(/By the way: and this\?\s+Half an[\s\S]*Stopped\.[\s\S]*Say what/)
  assert.equal(rows.join('\n').match(/By the way: and this/g)?.length, 1)
})

it('what a command asks the model says so until it is there, and Esc stops it; the run goes first', async t => {
  const [first, second] = [gate(), gate()]
  const stage = await openStage(t, {
    replies: [[{ gate: first }, 'By the way, yes.'], [{ gate: second }, 'never'], 'The answer.'],
  })
  await stage.enter('/btw is it?')
  await stage.until(/Asking at the side … · Esc stops/)
  await first.reached
  stage.press('x\x7f')
  await stage.until(/Asking at the side … · reading [\d,]+ tokens · \d+ s · Esc stops/)
  first.open()
  await stage.until(/By the way, yes\./)
  await stage.until(rows => !rows.join('\n').includes('Asking at the side'))
  await stage.enter('/btw and this?')
  await second.reached
  stage.press(esc)
  await stage.until(/Stopped\.[\s\S]*Say what/)
  assert.deepEqual(stage.app.state.works, [])
  await stage.enter('hello')
  await stage.until(/The answer\./)
})

it('a word above the prompt gives way to what goes on', async t => {
  const held = gate()
  const stage = await openStage(t, { replies: [['Well', { gate: held }, '.']] })
  await stage.enter('work')
  await held.reached
  stage.app.hint('A word.')
  await stage.until(/A word\./)
  await stage.until(/(writing|composing a call) · \d+ s/)
  assert.equal(stage.app.state.hint, undefined)
  held.open()
  await stage.until(/Well\.[\s\S]*Say what/)
})

it('/compact says how long it has been at it, and Esc stops it', async t => {
  const held = gate()
  const stage = await openStage(t, {
    replies: ['One.', 'Two.', 'Three.', [{ gate: held }, 'A summary.'], 'Four.'],
    config: { context: { keep_recent: 2 } },
  })
  for (const [words, reply] of [
    ['a', /One\./],
    ['b', /Two\./],
    ['c', /Three\./],
  ] as const) {
    await stage.enter(words)
    await stage.until(reply)
  }
  await stage.enter('/compact')
  await held.reached
  await stage.until(/Summarising the conversation … · \d+ s · Esc stops/)
  stage.press(esc)
  await stage.until(/Stopped\./)
})

it('a command that the person has changed is shown as it runs', async t => {
  const stage = await openStage(t, {
    ...{ columns: 100, config: { permission: { mode: 'ask' } } },
    replies: [call('bash', { command: 'touch made; until [ -e go ]; do sleep 0.05; done' }), 'Ran.'],
  })
  await stage.enter('run')
  await stage.until(/Run this command\?/)
  await stage.answer('c')
  await stage.until(/The command as it is to run/)
  // A key that types nothing: `c` was no word's first letter.
  stage.press('\x1b[F')
  stage.press(' && echo mine')
  await stage.until(/echo mine/)
  stage.press('\r')
  await stage.until(/● bash .*done && echo mine[\s\S]*running bash/)
  writeFileSync(path.join(stage.house.cwd, 'go'), '')
  await stage.until(/✓ bash .*done && echo mine/)
})

it('/diff shows changes in the colours of a call, and selected blanks are not copied', async t => {
  const copied: string[] = []
  const stage = await openStage(t, {
    files: { 'a.txt': 'one\n' },
    around: { copyBesides: text => void copied.push(text) },
    replies: [
      call('read', { path: 'a.txt' }),
      call('edit', { path: 'a.txt', old: 'one', new: 'two' }),
      'Done.',
    ],
  })
  await stage.enter('change it')
  await stage.until(/Done\.[\s\S]*Say what/)
  await stage.enter('/diff')
  await stage.until(/✓ diff a\.txt \+1 −1\n1 - one\n1 \+ two\n[\s\S]*Changed files/)
  stage.press(esc)
  const rows = await stage.until(/Say what/)
  const at = rows.findIndex(row => row.startsWith('Done.')) + 1
  const drag = (row: number) => stage.press(`\x1b[<0;1;${row}M\x1b[<32;9;${row}M\x1b[<0;9;${row}m`)
  drag(at + 1)
  drag(at)
  await stage.until(/Copied 5 characters\./)
  assert.deepEqual(copied, ['Done.'])
})
