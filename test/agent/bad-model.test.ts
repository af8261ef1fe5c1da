/** A model that makes each mistake in turn, and still finishes: how many turns more than a good one it takes. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import type { Reply } from '../support/demo/reply.ts'
import { call, openHouse } from '../support/house.ts'

const before = 'export function load(path) {\n  const text = read(path)\n  return JSON.parse(text)\n}\n'
const wanted = before.replace('JSON.parse(text)', "JSON.parse(text || '{}')")
const read = call('read', { path: 'src/a.js' })
const editCall = (old: string, fresh: string, file = 'src/a.js') => ({
  name: 'edit',
  arguments: { path: file, old, new: fresh },
})
const edit = (...args: Parameters<typeof editCall>): Reply => ({ calls: [editCall(...args)] })
const goodCall = editCall('  return JSON.parse(text)', "  return JSON.parse(text || '{}')")
const good: Reply = { calls: [goodCall] }

interface Story {
  mistake: string
  /** Before the reply that says that it is done. */
  replies: Reply[]
  /** Turns more than read, edit, answer. */
  extra: number
}

const stories: Story[] = [
  { mistake: 'none', replies: [read, good], extra: 0 },
  {
    mistake: 'line numbers',
    replies: [read, edit('3\t  return JSON.parse(text)', "3\t  return JSON.parse(text || '{}')")],
    extra: 0,
  },
  {
    mistake: 'indentation lost',
    replies: [
      read,
      edit(
        'const text = read(path)\nreturn JSON.parse(text)',
        "const text = read(path)\nreturn JSON.parse(text || '{}')",
      ),
    ],
    extra: 0,
  },
  {
    mistake: 'typographic quotes and a fence',
    replies: [
      read,
      edit('```js\n  return JSON.parse(text)\n```', "```js\n  return JSON.parse(text || '{}')\n```"),
    ],
    extra: 0,
  },
  {
    mistake: 'a path in quotes with a line',
    replies: [read, edit('  return JSON.parse(text)', "  return JSON.parse(text || '{}')", '`/src/a.js:3`')],
    extra: 0,
  },
  {
    mistake: 'from memory',
    replies: [read, edit('  return JSON.parse(text);', "  return JSON.parse(text || '{}');"), good],
    extra: 1,
  },
  {
    mistake: 'a placeholder',
    replies: [
      read,
      call('write', {
        path: 'src/a.js',
        content: 'export function load(path) {\n  // ... existing code ...\n}\n',
      }),
      good,
    ],
    extra: 1,
  },
  { mistake: 'not read', replies: [good, read, good], extra: 1 },
  {
    mistake: 'broken syntax',
    replies: [
      read,
      edit('  return JSON.parse(text)', "  return JSON.parse(text || '{}'"),
      edit("text || '{}'\n", "text || '{}')\n"),
    ],
    extra: 1,
  },
  {
    mistake: 'one of two edits is wrong',
    replies: [read, { calls: [goodCall, editCall('nothing()', 'x()')] }, good],
    extra: 1,
  },
  {
    mistake: 'a promise',
    replies: ['Let me read the file first.', read, 'Now I will fix it:', good],
    extra: 2,
  },
  { mistake: 'a command as text', replies: ['```bash\ncat src/a.js\n```', read, good], extra: 1 },
  { mistake: 'the same call again', replies: [read, read, read, good], extra: 2 },
  {
    mistake: 'two calls in turn',
    replies: [read, call('ls', {}), read, call('ls', {}), read, call('ls', {}), good],
    extra: 5,
  },
  { mistake: 'no such tool', replies: [call('open_file', { path: 'src/a.js' }), read, good], extra: 1 },
]

for (const { mistake, replies, extra } of stories) {
  test(`the task is done in spite of it: ${mistake}`, async t => {
    const { session, cwd, server } = await openHouse(t, {
      files: { 'src/a.js': before },
      replies: [...replies, 'Done.'],
    })
    const result = await session.prompt('Let load() bear an empty file.')
    assert.equal(readFileSync(path.join(cwd, 'src/a.js'), 'utf8'), wanted)
    assert.deepEqual([result.text, result.reason, result.turns], ['Done.', 'done', 3 + extra])
    assert.deepEqual(server.violations, [])
  })
}
