/**
 * The prefix is sacred: what was sent is sent again, byte for byte, whatever happens in between. The server keeps its
 * cache for exactly that.
 */
import assert from 'node:assert/strict'
import { appendFileSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import type { ChatBody } from '../../src/demo/request.ts'
import { gate, type Reply } from '../support/demo/reply.ts'
import { call, type House, openHouse } from '../support/house.ts'

const fenced = '```json\n{"name": "read", "arguments": {"path": "a.txt"}}\n```'

/** Nothing of the request before may have changed but the end of its last user message. */
function assertGrown(before: string, after: string, where: string): void {
  const [a, b] = [JSON.parse(before), JSON.parse(after)] as [ChatBody, ChatBody]
  const { messages: told, ...rest } = a
  const { messages: now, ...same } = b
  assert.equal(JSON.stringify(same), JSON.stringify(rest), `${where}: tools and options`)
  const last = told.length - 1
  assert.equal(JSON.stringify(now.slice(0, last)), JSON.stringify(told.slice(0, last)), where)
  const [old, grown] = [told[last], now[last]]
  assert.equal(grown?.role, old?.role, where)
  assert.ok(grown?.content.startsWith(old?.content ?? '\0'), `${where}: the last message only grows`)
}

test('twenty turns with tools, steer, abort, follow-up, failures, a resume, a new day, a dirty tree, new instructions', async t => {
  // The clock stands, a little after every file that is made now.
  const [today, tomorrow] = [60_000, 86_400_000].map(later => new Date(Date.now() + later)) as [Date, Date]
  t.mock.timers.enable({ apis: ['Date'], now: today })
  const [steered, aborted, followed] = [gate(), gate(), gate()]
  const replies: Reply[] = [
    call('read', { path: 'a.txt' }),
    'It holds a.',
    {
      calls: [call('ls', {}), call('find', { pattern: '*.txt' })].flatMap(
        one => (one as { calls: [] }).calls,
      ),
    },
    ['Two fil', { gate: steered }, 'es.'],
    'In French: deux.',
    ['Never ', { gate: aborted }, 'finished'],
    call('edit', { path: 'a.txt', old: 'not there', new: 'x' }),
    call('no_such_tool', {}),
    fenced,
    ['Read ', { gate: followed }, 'again.'],
    'And the follow-up.',
    call('bash', { command: 'exit 3' }),
    'It failed.',
    call('write', { path: 'b.txt', content: 'b' }),
    'Written.',
    'It holds b.',
  ]
  const first = await openHouse(t, {
    tellFacts: true,
    instructions: ['Be brief.'],
    files: { 'a.txt': 'a\n', '.git/HEAD': 'ref: refs/heads/main\n' },
    replies,
  })
  await first.session.prompt('what is in a.txt?')
  const steeredRun = first.session.prompt('list the files')
  await steered.reached
  await first.seen(event => event.type === 'message_delta' && event.text.includes('fil'))
  void first.session.steer('in French')
  await steeredRun
  const abortedRun = first.session.prompt('tell me a story')
  await aborted.reached
  await first.seen(event => event.type === 'message_delta' && event.text.includes('Never'))
  first.session.abort()
  await abortedRun
  const followedRun = first.session.prompt('change it')
  await followed.reached
  const follow = first.session.followUp('and then?')
  followed.open()
  await followedRun
  await follow
  t.mock.timers.setTime(tomorrow.getTime())
  writeFileSync(path.join(first.cwd, '.git/HEAD'), 'ref: refs/heads/other\n')
  mkdirSync(path.join(first.cwd, 'dirt'))
  appendFileSync(path.join(first.cwd, 'a.txt'), 'dirty\n')
  utimesSync(path.join(first.cwd, 'a.txt'), tomorrow, tomorrow)
  await first.session.prompt('run it')
  await first.session.prompt('write b')
  await first.session.prompt('look at @b.txt', { typed: 'look at @b.txt' })
  await first.session.close()

  const second = await openHouse(t, {
    before: first,
    resume: { last: true },
    tellFacts: true,
    instructions: ['Be long.'],
    replies: ['Resumed.', call('grep', { pattern: 'b' }), 'Found.', 'Twenty.'],
  })
  for (const prompt of ['go on', 'find b', 'the last, with @b.txt']) {
    await second.session.prompt(prompt, { typed: prompt })
  }

  const texts = [first, second].flatMap(({ server }: House) => server.chats.map(({ text }) => text))
  assert.ok(texts.length >= 20, `${texts.length} requests`)
  for (const [n, text] of texts.slice(1).entries()) assertGrown(texts[n] ?? '', text, `request ${n + 1}`)
  assert.deepEqual([...first.server.violations, ...second.server.violations], [])

  const everything = texts.at(-1) ?? ''
  const times = (words: string) => everything.split(words).length - 1
  for (const fact of [' on main', ' on other', 'changed since you saw them: a.txt']) {
    assert.equal(times(fact), 1, fact)
  }
  assert.equal(everything.match(/\(\d\d[A-Z][a-z]{2}\d{4} on /g)?.length, 2)
  assert.match(everything, /Be brief/)
  assert.doesNotMatch(everything, /Be long/)
})

test('a draft that names files is the beginning of its prompt, byte for byte, in a resumed session too', async t => {
  const files = { 'a.txt': 'a line of text\n'.repeat(200), 'b.txt': 'b\n'.repeat(300) }
  const asked = 'what is in @a.txt and @b.txt?'
  const texts: string[] = []
  let before: House | undefined
  for (const more of [' Be brief.', ' And now?']) {
    const house: House = await openHouse(t, {
      tellFacts: true,
      prewarm: 'type',
      replies: ['Text.'],
      ...(before ? { before, resume: { last: true } as const } : { files }),
    })
    await house.session.open()
    await (await house.server.chat(0)).ended
    house.session.draft(asked, { typed: asked })
    await (await house.server.chat(1)).ended
    await house.session.prompt(asked + more, { typed: asked + more })
    texts.push(...house.server.chats.map(({ text }) => text.replace(',"num_predict":1', '')))
    await house.session.close()
    before = house
  }
  assert.equal(texts.length, 6)
  for (const [n, text] of texts.slice(1).entries()) assertGrown(texts[n] ?? '', text, `request ${n + 1}`)
})

test('over many turns the server reads little more than the new text', async t => {
  const replies: Reply[] = Array.from({ length: 20 }, (_, n) => [
    call('read', { path: 'a.txt', offset: n + 1 }),
    ...(n % 2 === 0 ? [call('bash', { command: `echo ${n}` })] : []),
    `Answer ${n}.`,
  ]).flat()
  const text = Array.from({ length: 60 }, (_, n) => `line ${n} of the file`).join('\n')
  const house = await openHouse(t, { files: { 'a.txt': text }, replies, server: { count: 'chars' } })
  for (let n = 0; n < 20; n++) await house.session.prompt(`question ${n}`)
  const chats = house.server.chats
  const read = chats.reduce((sum, chat) => sum + (chat.read ?? 0), 0)
  // What had to be read: the last prompt, less what the model wrote itself.
  const last = chats.at(-1)
  const written = chats.slice(0, -1).reduce((sum, chat) => sum + (chat.generated ?? 0), 0)
  const needed = (last?.prompt ?? 0) - written
  t.diagnostic(`${chats.length} requests read ${read} tokens; ${needed} were new`)
  assert.ok(read <= needed * 1.25, `${read} tokens were read for ${needed} new ones`)
})
