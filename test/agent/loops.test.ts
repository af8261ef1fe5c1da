import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { EchoGuard } from '../../src/agent/echo.ts'
import { idleIn } from '../../src/agent/promise.ts'
import type { SessionEvent } from '../../src/protocol/events.ts'
import { call, openHouse } from '../support/house.ts'

const notices = (events: SessionEvent[]) =>
  events.flatMap(event => (event.type === 'notice' ? [[event.code, event.facts]] : []))

test('two calls in turn, the same error and commands that only read get a note at 3 and end the run at 5', async t => {
  const a = call('bash', { command: 'cat a.txt' })
  const b = call('read', { path: 'a.txt' })
  const wrong = [1, 2, 3, 4, 5].map(n => call('read', { path: `no/such`, offset: n }))
  const table = [
    { replies: [a, b, a, b, a, b, a, b, a, b], turns: 9, notice: ['repeat', { tool: 'bash' }] },
    {
      replies: [1, 2, 3, 4, 5].flatMap(() => [
        call('bash', { command: 'touch x' }),
        call('bash', { command: 'rm x' }),
      ]),
      turns: 10,
      notice: ['repeat_pair', { tool: 'bash', other: 'bash' }],
    },
    { replies: wrong, turns: 5, notice: ['repeat_error', { tool: 'read' }] },
  ]
  for (const { replies, turns, notice } of table) {
    const { session, events, sent } = await openHouse(t, {
      files: { 'a.txt': 'x' },
      replies: [...replies, 'never'],
    })
    const result = await session.prompt('go')
    assert.deepEqual([result.reason, result.turns], ['limit', turns])
    assert.deepEqual(notices(events).at(-1), notice)
    const noted = sent(turns - 1).filter(({ content }) =>
      /^\((You made this same call|These two calls|The same error)/m.test(content),
    )
    assert.ok(noted.length >= 2, 'it was told at 3 and 4')
  }
})

test('the same paragraph over replies gets a note at 3 and ends the run at 5, in text and in thought', async t => {
  const words =
    'I am still looking for the place where the value is read, and then I will change what has to be changed.'
  for (const kind of ['text', 'thinking'] as const) {
    const replies = ['a', 'b', 'c', 'd', 'e', 'f'].map(name => ({
      calls: [{ name: 'read', arguments: { path: name } }],
      [kind]: `${words}\n`,
    }))
    const files = Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f'].map(name => [name, name]))
    const { session, events, sent } = await openHouse(t, {
      files,
      replies,
      config: { ollama: { think: 'on' } },
      server: { models: [{ name: 'scripted', capabilities: ['completion', 'tools', 'thinking'] }] },
    })
    const result = await session.prompt('go')
    assert.deepEqual([kind, result.reason, result.turns], [kind, 'limit', 5])
    assert.equal(notices(events).at(-1)?.[0], 'repeat_text')
    assert.equal(
      sent(4).filter(({ content }) => /You have said the same [34] times: "I am still/.test(content)).length,
      2,
    )
  }
})

test('a reply that goes round in circles is cut', async t => {
  const line = 'The function reads the file and returns its content to the caller.\n'
  const { session, events, server } = await openHouse(t, {
    replies: [[...Array.from({ length: 40 }, () => ({ text: line })), { hang: true }]],
  })
  const result = await session.prompt('explain')
  assert.equal(result.reason, 'limit')
  assert.ok(result.text.length < 41 * line.length, `${result.text.length} characters`)
  assert.deepEqual(notices(events).at(-1)?.[0], 'repeat_text')
  const chat = await server.chat(0)
  while (!chat.aborted) await new Promise(resolve => setTimeout(resolve, 5))
})

test('what may be said again is no circle', () => {
  const guard = new EchoGuard()
  const code = `\`\`\`js\n${'expect(screen.getByText("hello")).toBeVisible()\n'.repeat(40)}\`\`\`\n`
  assert.equal(guard.push('text', code), undefined)
  assert.equal(guard.push('text', '- [ ] one\n'.repeat(40)), undefined)
  assert.equal(guard.push('text', '|--------------------------------|\n'.repeat(9)), undefined)
  const steps = Array.from(
    { length: 60 },
    (_, at) =>
      `Step ${at}: look at the file number ${at} of the project.\nNow I will go on to the next one of the files.\n`,
  )
  assert.equal(guard.push('text', steps.join('')), undefined)
})

test('a promise without a call is nudged twice at most, and never where nothing can be done', async t => {
  const promise = "I'll read the file now:"
  const { session, sent } = await openHouse(t, {
    files: { 'a.txt': 'x' },
    replies: [promise, call('read', { path: 'a.txt' }), 'It holds x.'],
  })
  const result = await session.prompt('What is in a.txt?')
  assert.deepEqual([result.text, result.reason, result.turns], ['It holds x.', 'done', 3])
  assert.match(sent(1).at(-1)?.content ?? '', /^You said what you will do, but called no tool/)

  const stubborn = await openHouse(t, { replies: [promise, promise, promise, 'never'] })
  assert.equal((await stubborn.session.prompt('go')).turns, 3)
})

test('a command that is only written down: the model is told how to run it, and its words are not lost', async t => {
  const reply = 'Here is what shows it:\n```bash\nls -la\n```'
  const { session, sent } = await openHouse(t, { replies: [reply, 'That one is meant for the user.'] })
  const result = await session.prompt('How do I list files?')
  assert.match(sent(1).at(-1)?.content ?? '', /call bash with \{"command": "ls -la"\}/)
  assert.equal(result.text, `${reply}\n\nThat one is meant for the user.`)
  const done = await openHouse(t, { replies: [call('ls', {}), 'Done:\n```bash\nnpm test\n```'] })
  assert.equal((await done.session.prompt('go')).turns, 2)
})

test('promises and answers are told apart', () => {
  const promises = [
    'Let me look at the file.',
    'OK. Let me check the tests first…',
    'I found it. Now I will fix the bug:',
    '我来看一下这个文件。',
    '好的，让我先读取 a.txt：',
    '接下来我将运行测试。',
    "First, I'll run the tests",
    'Je vais lire le fichier.',
    'Ich werde die Datei lesen:',
    '1. Read it\n\n**Let me start by reading the config.**',
  ]
  const answers = [
    'Let me know if you need more.',
    'Should I fix it?',
    'I will need your password. What is it?',
    'The file holds two lines.',
    'I read the file: it is empty.',
    'Let me explain how this works.',
    '如果你愿意，我来修改它。',
    'You can run `npm test`.',
    'Once you confirm, I will change it.',
    'To install it run:\n```bash\nnpm i\n```\nYou need Node 20.',
    'Use this:\n```js\nlet me = 1\n```',
  ]
  for (const text of promises) assert.equal(idleIn(text)?.kind, 'promise', text)
  for (const text of answers) assert.equal(idleIn(text), undefined, text)
})

test('edits of one file in one reply are all made or none is, and later ones see the earlier', async t => {
  const edits = (...pairs: [string, string][]) => ({
    calls: pairs.map(([old, fresh]) => ({ name: 'edit', arguments: { path: 'a.js', old, new: fresh } })),
  })
  const { session, cwd, sent } = await openHouse(t, {
    files: { 'a.js': 'a()\nb()\nc()\n' },
    replies: [
      call('read', { path: 'a.js' }),
      edits(['a()', 'A()'], ['x()', 'y()'], ['c()', 'C()'], ['z()', 'y()']),
      () => {
        assert.equal(readFileSync(path.join(cwd, 'a.js'), 'utf8'), 'a()\nb()\nc()\n')
        return edits(['a()', 'A()'], ['A()\nb()', 'A()\nB()'], ['c()', 'C()'])
      },
      'Done.',
    ],
  })
  await session.prompt('go')
  assert.equal(readFileSync(path.join(cwd, 'a.js'), 'utf8'), 'A()\nB()\nC()\n')
  const said = sent(2).filter(({ tool_name }) => tool_name === 'edit')
  assert.deepEqual(
    said.map(({ content }) => [
      /Not made: of the 4 edits of this file in your reply, number 2, 4 /.test(content),
      /^edit: "old" is not in a\.js/.test(content),
    ]),
    [
      [true, false],
      [false, true],
      [true, false],
      [false, true],
    ],
  )
})

test('a command between edits of one file may change it: they are not one', async t => {
  const edit = (old: string, fresh: string) => ({
    name: 'edit',
    arguments: { path: 'a.js', old, new: fresh },
  })
  const { session, cwd } = await openHouse(t, {
    files: { 'a.js': 'a()\n' },
    replies: [
      call('read', { path: 'a.js' }),
      {
        calls: [edit('a()', 'b()'), { name: 'bash', arguments: { command: 'true > y' } }, edit('x()', 'y()')],
      },
      'Done.',
    ],
  })
  writeFileSync(path.join(cwd, 'y'), '')
  await session.prompt('go')
  assert.equal(readFileSync(path.join(cwd, 'a.js'), 'utf8'), 'b()\n')
})
