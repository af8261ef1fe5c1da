import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  fenced,
  firstLine,
  locationsOf,
  previewContent,
  resultContent,
  tailOf,
  titleOf,
} from '../../src/acp/calls.ts'
import { editorsPath, shownPath } from '../../src/acp/paths.ts'
import { replayed } from '../../src/acp/replay.ts'
import { spoken } from '../../src/acp/said.ts'
import { diffLines } from '../../src/text/diff.ts'
import { EN } from '../../src/words/en.ts'

/** As the person is asked about them. */
const diffsIn = (diff: string, path: string) =>
  previewContent({ type: 'diff', path, diff, added: 0, removed: 0 }, '/')

test('each hunk of a diff is a change with both of its sides', () => {
  const before = `${Array.from({ length: 20 }, (_, n) => `line ${n}`).join('\n')}\n`
  const after = before.replace('line 2\n', 'two\n').replace('line 17\n', '')
  const { diff } = diffLines(before, after)
  const diffs = diffsIn(diff, '/p/a.txt')
  assert.equal(diffs.length, 2)
  let text = before
  for (const one of diffs) {
    assert.ok(one.type === 'diff' && typeof one.oldText === 'string')
    assert.ok(text.includes(one.oldText))
    text = text.replace(one.oldText, one.newText)
  }
  assert.equal(text, after)
  assert.equal(firstLine(diff), 1)
})

test('a missing line end belongs to the side that misses it', () => {
  const sides = (before: string, after: string) => {
    const [one] = diffsIn(diffLines(before, after).diff, '/a')
    return one?.type === 'diff' ? [one.oldText, one.newText] : []
  }
  assert.deepEqual(sides('a\nb', 'a\nc\n'), ['a\nb', 'a\nc\n'])
  assert.deepEqual(sides('a\nb\n', 'a\nc'), ['a\nb\n', 'a\nc'])
  assert.deepEqual(sides('a\nb', 'c\nb'), ['a\nb', 'c\nb'])
  assert.deepEqual(sides('', 'new\n'), ['', 'new\n'])
  assert.deepEqual(sides('a\n\nb\n', 'a\n\nc\n'), ['a\n\nb\n', 'a\n\nc\n'])
})

test('output keeps its fence, its end, and no escape sequences', () => {
  const text = (content: ReturnType<typeof fenced>) =>
    content.type === 'content' && content.content.type === 'text' ? content.content.text : ''
  assert.equal(text(fenced('a ``` b\n')), '````\na ``` b\n````')
  assert.equal(text(fenced('\x1b[31mred\x1b[0m')), '```\nred\n```')
  assert.equal(tailOf('abcdef', 3), '…def')
  assert.deepEqual(resultContent({ name: 'bash', args: {}, content: ' \n', details: {} }, '/p'), [])
})

test('titles and places of calls', () => {
  assert.equal(titleOf('bash', { command: 'npm test' }, EN.tool), 'npm test')
  assert.equal(titleOf('read', { path: 'a.ts' }, EN.tool), 'read a.ts')
  assert.equal(titleOf('todo', {}, EN.tool), 'todo')
  assert.deepEqual(locationsOf({ path: 'src/a.ts', offset: 7 }, '/p'), [{ path: '/p/src/a.ts', line: 7 }])
  assert.deepEqual(locationsOf({ path: '/other/b' }, '/p'), [{ path: '/other/b' }])
  assert.deepEqual(locationsOf({ command: 'ls' }, '/p'), [])
})

test('paths go to and fro between a directory and the link to it', () => {
  const bases = { cwd: '/real/project', base: '/home/u/link' }
  assert.equal(shownPath('/home/u/link/src/a.ts', bases), 'src/a.ts')
  assert.equal(shownPath('/real/project/src/a.ts', bases), 'src/a.ts')
  assert.equal(shownPath('/etc/hosts', bases), '/etc/hosts')
  assert.equal(editorsPath('/real/project/src/a.ts', bases), '/home/u/link/src/a.ts')
  assert.equal(editorsPath('/real/project-evil/a.ts', bases), undefined)
})

test('what stands beside the words: names that need quotes, lines, secrets, what no model can see', async () => {
  const listening = { cwd: '/p', base: '/p', held: async () => undefined }
  const { text, typed, images, leftOut } = await spoken(
    [
      { type: 'text', text: 'see' },
      { type: 'resource_link', name: 'x', uri: 'file:///p/my%20notes.md' },
      { type: 'resource_link', name: 'x', uri: 'file:///p/a.ts#L10-L20' },
      { type: 'resource_link', name: 'x', uri: 'file:///p/b.ts?line=3' },
      { type: 'resource', resource: { uri: 'diagnostics:1', text: 'key sk-ant-REDACTED' } },
      { type: 'resource', resource: { uri: 'x:1', blob: 'AAAA', mimeType: 'application/pdf' } },
      { type: 'resource', resource: { uri: 'x:2', blob: 'BBBB', mimeType: 'image/png' } },
      { type: 'audio', data: 'CCCC', mimeType: 'audio/wav' },
    ],
    listening,
  )
  assert.match(typed, /^see @"my notes\.md" +@a\.ts:10-20 +@b\.ts:3-3 +diagnostics:1$/)
  assert.match(text, /^<file path="diagnostics:1">\n/)
  assert.ok(text.endsWith(typed))
  assert.deepEqual([images, leftOut], [['BBBB'], ['x:1', 'audio']])
})

test('what was said before is told in its order, with its pictures and its list, and without gopi’s own words', () => {
  const updates = replayed(
    [
      { id: '1', role: 'user', content: 'sent', shown: 'typed', images: ['/9j/x'] },
      {
        ...{ id: '2', role: 'assistant', content: 'so', thinking: 'hm', stop_reason: 'calls' },
        tool_calls: [{ id: 'c', name: 'todo', arguments: { list: '[x] a' } }],
      },
      {
        ...{ id: '3', role: 'tool', content: '1 of 1 done.', tool_call_id: 'c', tool_name: 'todo' },
        ...{ is_error: false, details: { todo: [{ text: 'a', state: 'done' }] } },
      },
      { id: '4', role: 'user', content: 'a check failed', shown: '' },
    ],
    { words: EN, base: '/p', readable: ({ content }) => content },
  )
  assert.deepEqual(
    updates.map(({ sessionUpdate }) => sessionUpdate),
    [
      ...['user_message_chunk', 'user_message_chunk', 'agent_thought_chunk', 'agent_message_chunk'],
      ...['tool_call', 'tool_call_update', 'plan'],
    ],
  )
  assert.match(JSON.stringify(updates[1]), /image\/jpeg/)
})
