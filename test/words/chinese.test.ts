/** What the session tells a person, on a Chinese screen and in Chinese lines. */
import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import type { ChatBody } from '../../src/demo/request.ts'
import { showEvents } from '../../src/plain/events.ts'
import { paper } from '../../src/plain/paper.ts'
import type { SessionEvent } from '../../src/protocol/events.ts'
import { EN } from '../../src/words/en.ts'
import { told } from '../../src/words/sayings/told.ts'
import { ZH } from '../../src/words/zh.ts'
import { call } from '../support/house.ts'
import { openStage } from '../tui/app/stage.ts'

/** What a Chinese sentence may hold of another language: names, commands, numbers, what a program said. */
const english = /[a-z]{2,}[,;:]? [a-z]{2,} [a-z]{2,}/

const isSummaryRequest = ({ messages }: ChatBody) =>
  /Stop working for a moment/.test(messages.at(-1)?.content ?? '')

const isTold = (event: SessionEvent) => event.type === 'notice' || event.type === 'error'

test('a Chinese screen and Chinese lines tell in Chinese what happens in a session', async t => {
  let again = 0
  const stage = await openStage(t, {
    ...{ columns: 120, rows: 40, words: ZH },
    files: { 'a.txt': 'x\n', 'b.bin': 'a\0b' },
    config: { context: { keep_recent: 2 } },
    model: request => {
      if (isSummaryRequest(request)) return { failure: { status: 500, error: 'out of luck' } }
      return again++ < 5 ? call('read', { path: 'a.txt' }) : 'word '.repeat(500)
    },
  })
  const { house } = stage
  const lines = new PassThrough({ encoding: 'utf8' })
  house.session.subscribe(showEvents(paper(lines, { colour: false }), { approved: new Set(), words: ZH }))

  await stage.enter('/agent')
  await stage.until(/plan +不做修改，最后给出计划/)
  stage.press('\r')
  await stage.until(/不再使用特定代理/)
  await stage.enter('look at @b.bin')
  await stage.until(/未附上 @b\.bin，读取工具返回：/)
  await stage.until(/模型反复发出相同的 read 调用/)
  for (const text of ['one', 'two', 'three']) await house.session.prompt(text)
  assert.equal(await house.session.compact(), true)
  await stage.until(/模型未给出摘要/)
  house.session.notice(told('disk', { problem: 'ENOSPC' }))
  await stage.until(/无法将对话保存到磁盘：ENOSPC。/)
  await house.server.close()
  await house.session.prompt('is anybody there?')

  const events = house.events.filter(isTold)
  assert.deepEqual(
    events.map(({ code }) => code),
    ['mention', 'repeat', 'compaction', 'disk', 'no_server'],
  )
  const written = String(lines.read())
  for (const event of events) {
    const said = ZH.say(event)
    assert.doesNotMatch(said.replace(/返回：.*/, ''), english)
    assert.match(said, /\p{Script=Han}/u)
    assert.ok(written.includes(`gopi: ${said}\n`), said)
    assert.equal(EN.say(event), event.message)
  }
})

test('what came without facts, or is not known, is told as it came', () => {
  for (const words of [EN, ZH]) {
    assert.equal(words.say({ code: 'turn_limit', message: 'Of an old journal.' }), 'Of an old journal.')
    assert.equal(words.say({ code: 'of_tomorrow', facts: { n: 1 }, message: 'New.' }), 'New.')
    assert.equal(words.say({ code: 'toString', facts: {}, message: 'Old.' }), 'Old.')
    assert.equal(words.say({ code: 'of_tomorrow' }), 'of_tomorrow')
  }
})
