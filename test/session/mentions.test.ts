import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import type { UserMessage } from '../../src/protocol/messages.ts'
import { builtinTools } from '../../src/tools/list.ts'
import { gate } from '../support/demo/reply.ts'
import { call, type House, openHouse } from '../support/house.ts'

/** A prompt that was typed as it stands. */
const type = ({ session }: House, text: string) => session.prompt(text, { typed: text })

const lastSent = (house: House): string => house.sent(house.server.chats.length - 1).at(-1)?.content ?? ''

const notices = ({ events }: House): string[] =>
  events.flatMap(event => (event.type === 'notice' && event.code === 'mention' ? [event.message] : []))

const usersOf = ({ session }: House): UserMessage[] =>
  session.messages.filter(message => message.role === 'user')

const block = (file: string, ...lines: string[]) => `<file path="${file}">\n${lines.join('\n')}\n</file>\n\n`

/** Text of about so many tokens, in lines. */
const long = (lines: number) => Array.from({ length: lines }, (_, n) => `line ${n} of a long file`).join('\n')

const toolResults = ({ session }: House) =>
  session.messages.flatMap(message => (message.role === 'tool' ? [message] : []))

test('a file that is named stands before the words; what was typed is what is shown', async t => {
  const house = await openHouse(t, {
    files: { 'src/a.ts': 'one\ntwo\n', 'my notes.md': 'note\n' },
    replies: ['Fine.'],
    tellFacts: true,
  })
  const words = 'compare @src/a.ts with @"my notes.md", and @src/a.ts once more'
  await type(house, words)
  const sent = house.sent(0)[0]?.content ?? ''
  const files = block('src/a.ts', '1\tone', '2\ttwo') + block('my notes.md', '1\tnote')
  assert.ok(sent.startsWith(`${files}${words}\n\n(`), sent)
  const [message] = usersOf(house)
  assert.equal(message?.shown, words)
  assert.deepEqual(
    message?.seen?.map(seen => path.relative(house.cwd, seen.path)),
    ['src/a.ts', 'my notes.md'],
  )
  assert.deepEqual(notices(house), [])
})

test('what names no regular file stays a word, and so does everything that nobody typed', async t => {
  const house = await openHouse(t, {
    files: { 'a.txt': 'x\n', 'src/b.txt': 'y\n' },
    replies: Array.from({ length: 20 }, () => 'Fine.'),
  })
  execFileSync('mkfifo', [path.join(house.cwd, 'pipe')])
  symlinkSync('nowhere', path.join(house.cwd, 'dangling'))
  const words =
    '@missing.ts @Override @types/node @@ -1 +1 @@ me@a.txt @src @pipe @dangling @/dev/null @a\0.txt'
  await type(house, words)
  assert.equal(lastSent(house), words)
  for (const typed of [undefined, '', 'these words']) {
    await house.session.prompt('these words\n\n@a.txt', { typed })
    assert.equal(lastSent(house), 'these words\n\n@a.txt')
  }
  assert.deepEqual(
    usersOf(house).map(({ shown, seen }) => [shown, seen]),
    Array.from({ length: 4 }, () => [undefined, undefined]),
  )
  assert.deepEqual(notices(house), [])
})

test('the punctuation of a sentence is no part of a name, unless such a file exists', async t => {
  const house = await openHouse(t, {
    files: { 'a.txt': 'x\n', 'b.txt.': 'y\n' },
    replies: ['One.', 'Two.'],
  })
  await type(house, 'what is in (@a.txt)?')
  assert.equal(lastSent(house), `${block('a.txt', '1\tx')}what is in (@a.txt)?`)
  await type(house, 'and in @b.txt.')
  assert.equal(lastSent(house), `${block('b.txt.', '1\ty')}and in @b.txt.`)
})

test('a file by two names is put there once', async t => {
  const house = await openHouse(t, { files: { 'a.txt': 'x\n' }, replies: ['Fine.'] })
  symlinkSync('a.txt', path.join(house.cwd, 'link.txt'))
  const words = `@a.txt @./a.txt @link.txt @${house.cwd}/a.txt`
  await type(house, words)
  assert.equal(lastSent(house), `${block('a.txt', '1\tx')}${words}`)
})

test('the model has seen a file that was named: it may change it, also after a resume; a draft shows it nothing', async t => {
  const edit = (file: string) => call('edit', { path: file, old: 'one', new: 'two' })
  const files = { 'a.txt': 'one\n', 'b.txt': 'one\n', 'c.txt': `one\n${long(200)}` }
  const first = await openHouse(t, {
    files,
    prewarm: 'type',
    replies: [edit('a.txt'), 'Done.', edit('c.txt'), 'Not done.'],
  })
  await first.session.open()
  await (await first.server.chat(0)).ended
  await type(first, 'change @a.txt and keep @b.txt')
  first.session.draft('change @c.txt', { typed: 'change @c.txt' })
  await (await first.server.chat(3)).ended
  await first.session.prompt('change c.txt')
  assert.deepEqual(
    toolResults(first).map(({ is_error }) => is_error),
    [false, true],
  )
  assert.match(toolResults(first)[1]?.content ?? '', /c\.txt was not read in this session/)
  await first.session.close()

  const second = await openHouse(t, {
    before: first,
    resume: { last: true },
    replies: [edit('b.txt'), 'Done.'],
  })
  await second.session.prompt('and now b')
  assert.equal(toolResults(second).at(-1)?.is_error, false, toolResults(second).at(-1)?.content)
})

test('a file that was named and has changed since is told of', async t => {
  const house = await openHouse(t, {
    files: { 'src/a.txt': 'one\n' },
    replies: ['One.', 'Two.', 'Three.'],
    tellFacts: true,
  })
  await type(house, 'look at @src/a.txt')
  await house.session.prompt('nothing new')
  assert.equal(lastSent(house), 'nothing new')
  const later = new Date(Date.now() + 60_000)
  utimesSync(path.join(house.cwd, 'src/a.txt'), later, later)
  await house.session.prompt('and now?')
  assert.equal(lastSent(house), 'and now?\n\n(changed since you saw them: src/a.txt)')
})

test('what is denied or cannot be read is left out and told; what would only ask is read and told, and its secrets are masked', async t => {
  const outside = temporary(t)
  writeFileSync(path.join(outside, 'far.txt'), 'far\n')
  const house = await openHouse(t, {
    files: {
      'a.txt': 'fine\n',
      'private/b.txt': 'denied\n',
      'asked.txt': 'asked\n',
      '.env': 'DB_PASSWORD=hunter2hunter2\nPORT=80\n',
      'image.png': '\x89PNG\0\0\0',
    },
    config: {
      permission: { mode: 'ask', deny: ['Read(private/**)'], ask: ['Read(asked.txt)'] },
    },
    replies: Array.from({ length: 20 }, () => 'Fine.'),
  })
  const rows: [word: string, before: string, notice: RegExp][] = [
    ['private/b.txt', '', /^@private\/b\.txt was left out: the rule Read\(private\/\*\*\) denies it\.$/],
    ['/proc/self/environ', '', /^@\/proc\/self\/environ was left out: /],
    ['image.png', '', /^@image\.png was left out: this model takes no images/],
    [
      'asked.txt',
      block('asked.txt', '1\tasked'),
      /^@asked\.txt is in: the rule Read\(asked\.txt\) asks about it\.$/,
    ],
    [
      `${outside}/far.txt`,
      block(`${outside}/far.txt`, '1\tfar'),
      /far\.txt is in: .*outside the project: .*far\.txt/,
    ],
    ['.env', block('.env', '1\tDB_PASSWORD=[masked: password]', '2\tPORT=80'), /^@\.env is in: /],
  ]
  for (const [word, before, notice] of rows) {
    if (word.startsWith('/proc') && process.platform !== 'linux') continue
    const told = notices(house).length
    await type(house, `@a.txt and @${word}`)
    assert.equal(lastSent(house), `${block('a.txt', '1\tfine')}${before}@a.txt and @${word}`)
    const said = notices(house).slice(told)
    assert.match(said.join('\n'), notice)
  }
  assert.doesNotMatch(JSON.stringify(house.journal()), /hunter2/)
  assert.equal(house.events.filter(({ type }) => type === 'permission_request').length, 0)
})

test('what is said of a file comes below the words that name it, also of words that step in', async t => {
  const house = await openHouse(t, {
    files: { 'image.png': '\x89PNG\0\0\0', 'a.txt': 'x\n' },
    replies: [call('read', { path: 'a.txt' }), 'Fine.'],
  })
  let hasSteered = false
  house.session.subscribe(event => {
    if (event.type !== 'tool_call_start' || hasSteered) return
    hasSteered = true
    void house.session.steer('and @image.png', { typed: 'and @image.png' })
  })
  await type(house, 'see @image.png')
  const order = house.events.flatMap(event =>
    event.type === 'notice' ? ['notice'] : event.type === 'message' && event.role === 'user' ? ['words'] : [],
  )
  assert.deepEqual(order, ['words', 'notice', 'words', 'notice'])
})

test('without the read tool every @ stays a word, and the person is told', async t => {
  const house = await openHouse(t, { files: { 'a.txt': 'x\n' }, tools: [], replies: ['Fine.'] })
  await type(house, 'see @a.txt')
  assert.equal(lastSent(house), 'see @a.txt')
  assert.match(notices(house).join(), /@a\.txt was left out/)
})

test('a huge file takes half of the free context at most; those behind it take what it left', async t => {
  const wide = Array.from({ length: 5_000 }, (_, n) => `${n} ${'x'.repeat(200)}`).join('\n')
  const house = await openHouse(t, {
    files: { 'many.txt': long(5_000), 'wide.txt': wide, 'other.txt': wide, 'last.txt': wide },
    config: { context: { max_tokens: 16_384 } },
    replies: ['Fine.', 'Fine.'],
  })
  await type(house, '@many.txt')
  assert.match(
    lastSent(house),
    /\n500\tline 499 of a long file\nShowing lines 1–500 of 5,000\. Use offset=501\.\n<\/file>/,
  )
  const words = '@wide.txt @other.txt @last.txt'
  await type(house, words)
  const sent = lastSent(house)
  assert.ok(sent.length < 16_384 * 1.5, `${sent.length} characters`)
  assert.match(sent, /^<file path="wide\.txt">[\s\S]*Use offset=\d+\.\n<\/file>\n\n@wide/)
  assert.deepEqual(
    notices(house),
    ['other', 'last'].map(name => `@${name}.txt was left out: the context has no room for it.`),
  )
  assert.equal(house.events.filter(({ type }) => type === 'error').length, 0)
})

test('words that step in or wait bring their files when they are sent; taken back they are as they were typed', async t => {
  const [cut, held] = [gate(), gate()]
  const house = await openHouse(t, {
    files: { 'a.txt': 'x\n', 'b.txt': 'y\n' },
    replies: [['Once ', { gate: cut }, 'upon'], ['Well, ', { gate: held }, 'so.'], 'End.'],
  })
  const { session } = house
  const run = session.prompt('tell me')
  await cut.reached
  await house.seen(event => event.type === 'message_delta')
  const steered = session.steer('look at @a.txt', { typed: 'look at @a.txt' })
  await held.reached
  const back = session.followUp('never @b.txt', { typed: 'never @b.txt' })
  const followed = session.followUp('then @b.txt', { typed: 'then @b.txt' })
  assert.equal(session.takeBack(session.followUps[0]?.id ?? ''), 'never @b.txt')
  held.open()
  assert.equal((await run).text, 'Well, so.')
  assert.equal(await steered, await run)
  assert.equal((await followed).text, 'End.')
  assert.equal((await back).turns, 0)
  assert.deepEqual(
    usersOf(house).map(({ content, shown }) => [content, shown]),
    [
      ['tell me', undefined],
      [`${block('a.txt', '1\tx')}look at @a.txt`, 'look at @a.txt'],
      [`${block('b.txt', '1\ty')}then @b.txt`, 'then @b.txt'],
    ],
  )
  const waited = house
    .journal()
    .flatMap(entry => ('content' in entry && entry.type !== 'message' ? [entry.content] : []))
  assert.deepEqual(waited, ['look at @a.txt', 'never @b.txt', 'then @b.txt'])
  assert.deepEqual(house.server.violations, [])
})

test('words that did not step in because the run was aborted come back as they were typed', async t => {
  const house = await openHouse(t, {
    files: { 'a.txt': 'x\n' },
    replies: [call('bash', { command: 'echo begun; sleep 60' })],
  })
  const run = house.session.prompt('start')
  await house.seen(event => event.type === 'tool_output')
  void house.session.steer('look at @a.txt', { typed: 'look at @a.txt' })
  house.session.abort()
  assert.deepEqual((await run).unsent, ['look at @a.txt'])
  assert.deepEqual(
    usersOf(house).map(({ content }) => content),
    ['start'],
  )
})

test('a run that is aborted before it begins reads nothing', async t => {
  const house = await openHouse(t, { files: { 'a.txt': 'x\n' }, replies: [] })
  await house.session.connect()
  const result = await house.session.prompt('see @a.txt', {
    typed: 'see @a.txt',
    signal: AbortSignal.abort(),
  })
  assert.equal(result.reason, 'aborted')
  assert.deepEqual(
    usersOf(house).map(({ content }) => content),
    ['see @a.txt'],
  )
})

test('the server has read a file that is named before Enter, whatever was typed behind it', async t => {
  const house = await openHouse(t, {
    files: { 'a.txt': long(200), 'b.txt': long(150) },
    prewarm: 'type',
    tellFacts: true,
    replies: ['Fine.', 'Fine.'],
  })
  const { session, server } = house
  await session.open()
  await (await server.chat(0)).ended
  for (const typed of ['ex', 'explain @a', 'explain @a.txt']) session.draft(typed, { typed })
  await (await server.chat(1)).ended
  const draft = house.sent(1).at(-1)?.content ?? ''
  assert.match(draft, /^<file path="a\.txt">\n1\tline 0[\s\S]*explain @a\.txt\n\n\(\d+\w+\)$/)
  await type(house, 'explain @a.txt to a child')
  const words = draft.slice(0, draft.lastIndexOf('\n\n('))
  assert.ok(lastSent(house).startsWith(words), 'the draft is the beginning of the prompt')
  assert.ok((server.chats[2]?.read ?? Number.NaN) <= 60, `${server.chats[2]?.read} tokens were read`)
  assert.equal(session.messages.length, 2, 'nothing of a draft is kept')

  // Another file behind the first one: only that one is new.
  session.draft('what of @b.txt', { typed: 'what of @b.txt' })
  await (await server.chat(3)).ended
  await type(house, 'what of @b.txt and @a.txt?')
  const { read = Number.NaN, prompt = Number.NaN } = server.chats[4] ?? {}
  assert.ok(read < prompt / 2, `${read} of ${prompt} tokens were read`)
})

test('a draft that is overtaken is dropped: by another one, or by the prompt', async t => {
  const house = await openHouse(t, {
    files: { 'a.txt': long(200), 'b.txt': long(200) },
    prewarm: 'type',
    replies: ['Fine.'],
  })
  const { session, server } = house
  await session.open()
  await (await server.chat(0)).ended
  session.draft('@a.txt', { typed: '@a.txt' })
  session.draft(long(100), { typed: long(100) })
  await (await server.chat(1)).ended
  assert.equal(lastSent(house), long(100))
  session.draft('@b.txt', { typed: '@b.txt' })
  await session.prompt('short')
  assert.equal(server.chats.length, 3)
  assert.equal(lastSent(house), 'short')
})

test('a file is read once for all the keys of a draft, and again when it has changed', async t => {
  let reads = 0
  const tools = builtinTools().map(tool => {
    if (tool.name !== 'read') return tool
    const execute: typeof tool.execute = (args, context) => {
      reads++
      return tool.execute(args, context)
    }
    return { ...tool, execute }
  })
  const files = { 'a.txt': long(200) }
  const house = await openHouse(t, { files, tools, prewarm: 'type', replies: [] })
  const { session, server } = house
  await session.open()
  await (await server.chat(0)).ended
  for (const [n, text] of [long(200), long(250)].entries()) {
    writeFileSync(path.join(house.cwd, 'a.txt'), text)
    for (let keys = 0; keys < 20; keys++) {
      const typed = `see @a.txt ${'x'.repeat(keys)}`
      session.draft(typed, { typed })
    }
    await (await server.chat(n + 1)).ended
    assert.equal(reads, n + 1)
  }
})

test('a compaction knows the files that were named, and cuts them where they are too long to keep', async t => {
  const house = await openHouse(t, {
    files: { 'a.txt': long(500) },
    config: { context: { max_tokens: 12_000, keep_recent: 2 } },
    replies: ['One.', 'Two.', 'The summary.', 'Three.'],
  })
  await type(house, 'see @a.txt')
  await type(house, 'and again @a.txt')
  assert.equal(await house.session.compact(), true)
  const [summary, kept] = usersOf(house)
  assert.match(summary?.content ?? '', /Files read: a\.txt/)
  assert.match(
    kept?.content ?? '',
    /^<file path="a\.txt">\n1\tline 0[\s\S]*\n\[cut to make room\]\n<\/file>\n\nand again @a\.txt$/,
  )
  assert.equal(kept?.shown, 'and again @a.txt')
})

function temporary(t: TestContext): string {
  const directory = realpathSync(mkdtempSync(path.join(tmpdir(), 'gopi-outside-')))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}
