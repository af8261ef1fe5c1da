/**
 * A model that makes each mistake in turn and finishes its task all the same: what went wrong is read, or said, and the
 * extra turns are counted. And one that follows no form at all.
 */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { openHouse } from '../support/house.ts'

const call = (path: string) => `{"name": "read", "arguments": {"path": "${path}"}}`
const write = '{"name": "write", "arguments": {"path": "out.txt", "content": "alpha beta"}}'

/** A mistake, and how many turns it costs: 0 where it is read as it was meant. */
const MISTAKES: [reply: string, turns: 0 | 1][] = [
  [`Let me read it:\n\`\`\`JSON\n${call('a.txt')}\n\`\`\``, 0],
  [`\`\`\`json\n${call('a.txt')}\n\`\`\`\n\nThis will show it.`, 1],
  ['{"name": "read", "path": "a.txt"}', 1],
  ['{“name”: “Read_File”, “arguments”: {“file_path”: “a.txt”}}', 0],
  ['<read><path>a.txt</path></read>', 0],
  ['read("a.txt")', 1],
  ['<tool_call>{"name": "open_file", "arguments": {"path": "a.txt"}}</tool_call>', 1],
  ['<tool_call>{"name": "read", "arguments": {"path": "a.txt"</tool_call>', 1],
  [`<tool_call>${call('a.txt')}</tool_call><tool_call>{"name": "read", "arguments": {}}</tool_call>`, 1],
  [`<think>I need it. <tool_call>${call('a.txt')}</tool_call></think>`, 0],
  ['Action: read\nAction Input: {"path": "a.txt"}', 0],
]

test('a task is finished through every mistake, at the cost of one turn each', async t => {
  // Each reads a file of its own: the same call again and again is another mistake.
  const replies = MISTAKES.flatMap(([reply, turns], index) => {
    const own = reply.replaceAll('a.txt', `${index}.txt`)
    return turns === 0 ? [own] : [own, `<tool_call>${call(`${index}.txt`)}</tool_call>`]
  })
  const { session, server, cwd } = await openHouse(t, {
    files: Object.fromEntries(MISTAKES.map((_, index) => [`${index}.txt`, `text ${index}`])),
    config: { ollama: { tool_calling: 'native' } },
    maxTurns: 40,
    replies: [...replies, `<tool_call>${write}</tool_call>`, 'Done.'],
  })
  const result = await session.prompt('go')
  assert.deepEqual([result.reason, result.text], ['done', 'Done.'])
  assert.equal(readFileSync(path.join(cwd, 'out.txt'), 'utf8'), 'alpha beta')
  const extra = MISTAKES.reduce((sum, [, turns]) => sum + turns, 0)
  assert.equal(result.turns, MISTAKES.length + extra + 2)
  assert.deepEqual(server.violations, [])
})

test('a model that follows no form goes on as a conversation, and its files are offered', async t => {
  const bad = 'read("a.txt")'
  const answer = 'Here it is.\n\n**src/new.txt**\n```\none\ntwo\n```\n\nAnd a sketch:\n```js\nlet a = 1\n```'
  const asked: string[] = []
  const options = {
    replies: [bad, bad, bad, answer, 'You are welcome.'],
    approve: async ({ call }: { call: { name: string; arguments: Record<string, unknown> } }) => {
      asked.push(`${call.name} ${call.arguments.path}`)
      return { allow: true } as const
    },
  }
  const { session, server, events, cwd, sent } = await openHouse(t, options)
  const result = await session.prompt('make src/new.txt')
  assert.equal(result.reason, 'done')
  assert.deepEqual(asked, ['write src/new.txt'])
  assert.equal(readFileSync(path.join(cwd, 'src/new.txt'), 'utf8'), 'one\ntwo\n')
  assert.ok(events.some(event => event.type === 'notice' && event.code === 'talks'))
  assert.match(sent(3).at(-1)?.content ?? '', /cannot call tools/)
  const body = server.chats[3]?.body as { tools?: unknown } | undefined
  assert.ok(body && body.tools === undefined)
  const nobody = await openHouse(t, { replies: options.replies })
  assert.equal((await nobody.session.prompt('go')).reason, 'permission')
  assert.equal(existsSync(path.join(nobody.cwd, 'src/new.txt')), false)
})
