import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { it } from 'node:test'
import { EN } from '../../src/words/en.ts'
import { deskOf, obeyed } from '../support/desk.ts'
import { call, openHouse, readJournal } from '../support/house.ts'

const work = {
  files: { 'a.txt': 'one\ntwo\nthree\nfour\nfive\nsix\n', 'b.txt': 'b\n' },
  replies: [
    call('read', { path: 'a.txt' }),
    call('edit', { path: 'a.txt', old: 'one', new: '1' }),
    call('edit', { path: 'a.txt', old: 'six', new: '6' }),
    call('write', { path: 'c.txt', content: 'c\n' }),
    'All **done** <b>now</b>.',
  ],
}

it('/rewind asks which prompt and what, shows what it does, and gives the words back', async t => {
  const house = await openHouse(t, work)
  await house.session.prompt('change it')
  const no = deskOf(house, { choices: ['change it', 'conversation and files'], sure: false })
  await obeyed('/rewind', no)
  assert.equal(house.session.messages.length, 10)
  const yes = deskOf(house, { choices: ['change it', 'conversation and files'] })
  await obeyed('/rewind', yes)
  const [which, what, sure] = yes.asked
  assert.equal(which, 'Back to before which prompt?\nchange it the last one')
  assert.equal(what, 'What goes back?\nconversation and files\nthe conversation only\nthe files only')
  assert.match(
    sure ?? '',
    /changes {2}a\.txt {2}\+2 −2\n {2}removes {2}c\.txt[\s\S]*-1\n\+one[\s\S]*-6\n\+six/,
  )
  assert.deepEqual([yes.put, house.session.messages], [['change it'], []])
  assert.equal(readFileSync(path.join(house.cwd, 'a.txt'), 'utf8'), work.files['a.txt'])
  const again = deskOf(house)
  await obeyed('/redo', again)
  assert.deepEqual(again.shown, ['It is there again, 2 files changed.'])
  await obeyed('/rewind 7', again)
  assert.match(again.shown[1] ?? '', /Expected a number from 1 to 1; came 7/)
  await obeyed('/undo', again)
  await obeyed('/undo', again)
  assert.ok(!existsSync(path.join(house.cwd, 'c.txt')))
  assert.equal(again.shown.at(-1), 'There is no earlier prompt to go back to.')
})

it('/diff shows every change, and puts back a part or a whole file, but nothing of the person’s', async t => {
  const house = await openHouse(t, work)
  const { session, cwd } = house
  const read = (name: string) => readFileSync(path.join(cwd, name), 'utf8')
  await session.prompt('change it')
  const part = deskOf(house, { choices: ['a.txt', 'revert line 6', 'c.txt', 'revert the whole file'] })
  await obeyed('/diff', part)
  assert.match(
    part.shown[0] ?? '',
    /^a\.txt {2}\+2 −2\n[\s\S]*-one\n\+1[\s\S]*-six\n\+6[\s\S]*c\.txt {2}\+1 −0\n/,
  )
  assert.deepEqual(part.shown.slice(1), ['Reverted.', 'Reverted.'])
  assert.equal(read('a.txt'), '1\ntwo\nthree\nfour\nfive\nsix\n')
  assert.ok(!existsSync(path.join(cwd, 'c.txt')))
  writeFileSync(path.join(cwd, 'a.txt'), '1\ntwo\nTHREE\nfour\nfive\nsix\n')
  const mine = deskOf(house, { choices: ['a.txt', 'revert line 1'] })
  await obeyed('/diff', mine)
  assert.match(mine.asked[1] ?? '', /^a\.txt\nrevert line 1 -one\nrevert line 3 -three\nkeep it$/)
  assert.equal(read('a.txt'), 'one\ntwo\nTHREE\nfour\nfive\nsix\n')
})

it('/btw that got no answer says so, and claims none', async t => {
  const house = await openHouse(t, { replies: ['First.', ''] })
  await house.session.prompt('hello')
  const side = deskOf(house)
  await obeyed('/btw what was that?', side)
  assert.deepEqual(side.shown, [
    EN.doing.btw.asking,
    EN.doing.btw.title('what was that?'),
    EN.doing.btw.silent,
  ])
})

it('/btw asks on the same prefix and leaves no trace in the conversation; /retry asks again and keeps the answer', async t => {
  const house = await openHouse(t, { replies: ['First.', 'At the side.', 'Second.', 'Third.'] })
  const { session } = house
  await session.prompt('hello')
  const side = deskOf(house)
  await obeyed('/btw what was that?', side)
  assert.match(side.shown.join('\n'), /By the way: what was that\?\nAt the side\./)
  const [first, second] = house.server.chats.map(
    ({ body }) => body as { messages: unknown[]; tools: unknown },
  )
  assert.deepEqual(second?.messages.slice(0, 2), first?.messages)
  assert.deepEqual(second?.tools, first?.tools)
  assert.equal(session.messages.length, 2)

  const again = deskOf(house)
  await obeyed('/retry', again)
  assert.deepEqual(again.sent, ['hello'])
  const id = /\/resume (\w{10})/.exec(again.shown[0] ?? '')?.[1] ?? ''
  const copy = readJournal(path.join(path.dirname(session.sessionFile ?? ''), `${id}.jsonl`))
  assert.ok(copy.some(entry => entry.type === 'message' && entry.content === 'First.'))
  await session.prompt('hello')
  assert.deepEqual(
    house.sent(2).map(({ content }) => content),
    ['hello'],
  )
  const other = deskOf(house)
  await obeyed('/retry qwen3:8b', other)
  assert.deepEqual(other.ended, [{ type: 'model', name: 'qwen3:8b', prompt: 'hello' }])
})

it('/retry keeps no copy where there was no answer', async t => {
  const house = await openHouse(t, { replies: [{ failure: { status: 400, error: 'broken' } }, 'Now.'] })
  assert.equal((await house.session.prompt('hello')).reason, 'error')
  const again = deskOf(house)
  await obeyed('/retry', again)
  assert.deepEqual([again.shown, again.sent], [['The last prompt goes to the model again.'], ['hello']])
})

it('/context, /cost, /name, /sessions, /config and /init tell and do what they say', async t => {
  const house = await openHouse(t, { ...work, instructions: ['Be kind.'] })
  await house.session.prompt('change it')
  const desk = deskOf(house)
  await obeyed('/context', desk)
  assert.match(
    desk.shown[0] ?? '',
    /^The context holds [\d,]+ tokens of [\d,]+ \(\d+ %\)\.\nThe server counted [\d,]+ tokens/,
  )
  assert.match(
    desk.shown[0] ?? '',
    /system text: [\s\S]*tools: [\s\S]*results of tools: [\s\S]*biggest results:\n {2}read a\.txt: /,
  )
  await obeyed('/cost', desk)
  assert.match(desk.shown[1] ?? '', /^1 prompt, 5 turns\nread: [\d,]+ tokens anew[\s\S]*tools \S+ s$/)
  await obeyed('/name', desk)
  await obeyed('/name Changing things', desk)
  assert.equal(desk.shown[3], 'This session is called Changing things.')
  await obeyed('/sessions', desk)
  assert.match(desk.shown[4] ?? '', /Changing things$/)
  await obeyed(`/sessions delete ${house.session.id}`, desk)
  assert.match(desk.shown[5] ?? '', /goes on/)
  await obeyed('/config', desk)
  assert.equal(desk.shown[6], 'as configured')
  await obeyed('/init', desk)
  assert.match(desk.sent[0] ?? '', /^Write AGENTS\.md/)
  await house.session.close()
  const next = await openHouse(t, { before: house, resume: { last: true } })
  assert.equal(next.session.name, 'Changing things')
  const other = await openHouse(t, { before: house, replies: [] })
  const there = deskOf(other)
  await next.session.close()
  await obeyed(`/sessions delete ${house.session.id}`, there)
  assert.match(there.asked[0] ?? '', /Delete this session for good\?\n\w+ {2}Changing things/)
  assert.ok(!existsSync(house.session.sessionFile ?? ''))
})

it('/export writes Markdown, and a page on which nothing of the model’s is more than text', async t => {
  const house = await openHouse(t, {
    replies: [
      call('write', { path: 'x.html', content: '</pre><script>alert(1)</script>\n' }),
      'Look: **bold** <img src=x onerror=alert(1)> ![i](http://e.org/a.png) [no](javascript:alert(1)) [yes](https://e.org).\n\n```js\nlet a = "<b>"\n```',
    ],
  })
  await house.session.prompt('<script>alert(0)</script>')
  const desk = deskOf(house)
  await obeyed('/export talk.md', desk)
  await obeyed('/export talk.html', desk)
  const [markdown = '', page = ''] = ['talk.md', 'talk.html'].map(name =>
    readFileSync(path.join(house.cwd, name), 'utf8'),
  )
  assert.match(
    markdown,
    /## You\n\n<script>[\s\S]*<summary>✓ write x\.html<\/summary>\n\n```diff[\s\S]*Look: \*\*bold\*\*/,
  )
  assert.doesNotMatch(page, /<script|<img|<[^>]+ (?:src|on\w+)=|href="javascript/)
  assert.match(page, /<strong>bold<\/strong>[\s\S]*<a href="https:\/\/e\.org" rel="noreferrer">yes<\/a>/)
  assert.match(page, /prefers-color-scheme: dark/)
  await obeyed('/export talk.md', deskOf(house, { sure: false }))
  await obeyed('/export html', desk)
  assert.equal(readFileSync(path.join(house.cwd, `gopi-${house.session.id}.html`), 'utf8'), page)
})

it('/verify offers what the project names, shows it, and ends it; /tasks lists and ends what runs', async t => {
  const house = await openHouse(t, {
    background: true,
    files: { 'go.mod': 'module a\n' },
    replies: [call('bash', { command: 'echo up; sleep 600', background: true }), 'It runs.'],
  })
  const { session } = house
  const desk = deskOf(house, {
    choices: ['b1  echo up; sleep 600', 'let it run', 'b1  echo up; sleep 600', 'end it'],
  })
  await obeyed('/verify', desk)
  assert.match(desk.asked[0] ?? '', /in this session\?\n {2}\*\*\/\*\.go {2}go vet \.\/\.\.\. · go test/)
  await obeyed('/verify', desk)
  assert.match(desk.shown.at(-1) ?? '', /^When files change[\s\S]*go vet/)
  await obeyed('/verify off', desk)
  assert.deepEqual(session.checks.table, {})

  await obeyed('/tasks', desk)
  assert.equal(desk.shown.at(-1), 'Nothing runs in the background.')
  await session.prompt('start it')
  assert.equal(session.background.running.length, 1)
  const job = session.background.find('b1')
  await job?.read(60_000, new AbortController().signal)
  await obeyed('/tasks', desk)
  assert.match(desk.asked.at(-2) ?? '', /^In the background[^\n]*\nb1 {2}echo up; sleep 600 [\d.]+ m?s$/)
  // What the model has read stays to be seen; nothing ends by Enter alone.
  assert.equal(desk.shown.at(-1), '$ echo up; sleep 600\nup')
  assert.equal(session.background.running.length, 1)
  await obeyed('/tasks', desk)
  assert.equal(desk.shown.at(-1), 'b1 has ended.')
  assert.equal(job?.ended, 'ended by the user')
  assert.equal(session.background.running.length, 0)
})
