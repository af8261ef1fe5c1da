/** What a face sees while a reply streams: prose at once, nothing of a call, nothing lost. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { createDialect } from '../../src/dialect/create.ts'
import { createRandom, readPieces, readText, TOOLS } from './replies.ts'

/** What each push of a text in these pieces lets through. */
function shownByPiece(pieces: readonly string[]): string[] {
  const parser = createDialect('native').parser(TOOLS)
  return pieces.map(text =>
    parser
      .push({ type: 'text', text })
      .map(shown => shown.text)
      .join(''),
  )
}

test('prose streams without delay, word by word', () => {
  const words = 'Sure, the file has 3 lines; see `a.ts` (or <b>b</b>) [1]: it is {small}.'.split(/(?<= )/)
  assert.deepEqual(shownByPiece(words), words)
})

test('a code fence in a language that no call is written in streams as soon as the language is known', () => {
  const pieces = ['Here:\n', '```', 'ts', '\n', 'const a = ', '1\n', '```', '\n', 'Done', '.']
  const shown = ['Here:', '', '', '\n```ts\n', 'const a = ', '1\n', '```', '\n', 'Done', '.']
  assert.deepEqual(shownByPiece(pieces), shown)
})

const released: [string, string, string][] = [
  [
    'a package.json, at its second key',
    '```json\n{"name": "my-app", "version":',
    '```json\n{"name": "my-app", "version":',
  ],
  ['a package.json after words, at its name', 'Here: {"name": "my-app",', 'Here: {"name": "my-app",'],
  ['an object with other keys, at the first', '{"compilerOptions":', '{"compilerOptions":'],
  ['a list of numbers, at the first', '[1', '[1'],
  [
    'a fenced object that calls no tool of ours, at its name',
    '```json\n{"name": "get_weather", "parameters":',
    '```json\n{"name": "get_weather", "parameters":',
  ],
  [
    'a list of records, at the first key that no call has',
    '[{"name": "read", "age":',
    '[{"name": "read", "age":',
  ],
  ['a markdown link, at its parenthesis', '[docs](', '[docs]('],
  ['a fence without language, at its first word', '```\nnpm ', '```\nnpm '],
  ['a tag that is no marker', '<table', '<table'],
  ['a marker that prose mentions', 'The <tool_call> tag is ', 'The <tool_call> tag is '],
  ['an action that names no tool', 'Action: install the ', 'Action: install the '],
]
for (const [title, text, shown] of released) {
  test(`released at once: ${title}`, () => {
    assert.equal(shownByPiece(text.split('')).join(''), shown)
  })
}

const held = [
  '{"name": "read", "arguments": {"path": "a',
  '{"arguments": {"path": "a',
  '```json\n{"name": "bash", "arguments": {',
  '<tool_call>\n{"na',
  '<function=write>\n<parameter=path>\na',
  'Action: bash\nAction Input: {"command": "l',
  '[read(path="a',
  'read({"path": ',
]
for (const text of held) {
  test(`held back while it may be a call: ${JSON.stringify(text)}`, () => {
    assert.equal(shownByPiece(text.split('')).join(''), '')
  })
}

test('a call is handed on with the character that completes it', () => {
  const parser = createDialect('native').parser(TOOLS)
  parser.push({ type: 'text', text: '<tool_call>{"name": "ls", "arguments": {}' })
  assert.equal(parser.calls.length, 0)
  parser.push({ type: 'text', text: '}' })
  assert.equal(parser.calls.length, 1)
  assert.equal(parser.done, false, 'another call may follow')
})

test('of a document no more than 20 characters are held back', () => {
  const text = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
  for (const dialect of ['native', 'react'] as const) {
    const parser = createDialect(dialect).parser(TOOLS)
    let shown = 0
    let held = 0
    for (const [at, char] of text.split('').entries()) {
      for (const { text } of parser.push({ type: 'text', text: char })) shown += text.length
      held = Math.max(held, at + 1 - shown)
    }
    assert.ok(held <= 20, `${dialect}: ${held}`)
    assert.equal(parser.finish('stop').unreadable, undefined)
  }
})

test('a fenced call waits for the end: prose after it would make it an example', () => {
  const parser = createDialect('native').parser(TOOLS)
  parser.push({ type: 'text', text: '```json\n{"name": "ls", "arguments": {}}\n```\n' })
  assert.equal(parser.calls.length, 0)
  assert.equal(parser.finish('stop').calls.length, 1)
})

const FRAGMENTS = [
  ...[
    '{',
    '}',
    '[',
    ']',
    '(',
    ')',
    '"',
    "'",
    '`',
    '```',
    '```json\n',
    '```ts\n',
    '\n',
    '\n\n',
    ' ',
    ': ',
    ', ',
    '.',
  ],
  ...[
    '<',
    '>',
    '</',
    '<tool',
    '<think',
    '<|',
    '[TOOL',
    '[special delivery]',
    '{ a(); }',
    '{% if x %}',
    '{"a": 1}',
  ],
  ...[
    '{"name": "my-app"',
    '{"name": "nobody"}',
    '[1, 2]',
    'Action',
    'Action: go on',
    'functools',
    'read',
    'read(x',
  ],
  ...[
    'The file',
    'and then',
    '😀',
    '中文。',
    '\\',
    '\\"',
    '- item',
    '# Title',
    '| a | b |',
    '&lt;',
    '\t',
    '\r\n',
  ],
]

test('random texts without a call are shown whole, however they are cut', () => {
  const random = createRandom(7)
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T
  let withoutCalls = 0
  for (let round = 0; round < 3000; round++) {
    const pieces = Array.from({ length: 1 + Math.floor(random() * 24) }, () => pick(FRAGMENTS))
    const text = pieces.join('')
    const read = (parts: string[]) =>
      readPieces(
        'native',
        parts.map(part => ({ type: 'text', text: part })),
      )
    const reply = read(pieces)
    assert.deepEqual(read([text]), reply, text)
    assert.deepEqual(read(text.split('')), reply, text)
    if (reply.calls.length > 0 || reply.unreadable || reply.thinking !== '') continue
    withoutCalls++
    assert.equal(reply.text, text)
    assert.equal(reply.content, text)
  }
  assert.ok(withoutCalls > 2500, `${withoutCalls} of 3000 texts had no call`)
})

const LABELS = [
  'Thought:',
  '**Action:** ',
  'Action: read\n',
  'Action Input: ',
  '{"path": "a"}',
  'Final Answer:',
  'Obs',
]
const MEMBERS = [
  '{"a_kind": ',
  '"call", ',
  '"b_text": "',
  '\\ud83d\\ude00',
  '\\u00',
  '"c_calls": [',
  '{"a_name": "ls"',
  '}]}',
]

for (const [dialect, own] of [
  ['react', LABELS],
  ['json', MEMBERS],
] as const) {
  test(`random texts in ${dialect} are read the same however they are cut`, () => {
    const random = createRandom(23)
    const fragments = [...own, ...own, ...own, ...FRAGMENTS]
    for (let round = 0; round < 1500; round++) {
      const length = 1 + Math.floor(random() * 16)
      const pieces = Array.from({ length }, () => fragments[Math.floor(random() * fragments.length)] ?? '')
      const text = pieces.join('')
      const read = (parts: string[]) =>
        readPieces(
          dialect,
          parts.map(part => ({ type: 'text', text: part })),
        )
      assert.deepEqual(read(pieces), read([text]), text)
      assert.deepEqual(read(text.split('')), read([text]), text)
    }
  })
}

test('random texts around a marked call keep the lead-in and the call', () => {
  const random = createRandom(11)
  for (let round = 0; round < 500; round++) {
    const lead = Array.from(
      { length: Math.floor(random() * 6) },
      () => ['Ok', ' so', '.', '\n', ' {x}', '😀'][Math.floor(random() * 6)],
    ).join('')
    const call = '<tool_call>\n{"name": "read", "arguments": {"path": "a.ts"}}\n</tool_call>'
    const reply = readPieces(
      'native',
      `${lead}${call}`.split('').map(text => ({ type: 'text', text })),
    )
    assert.deepEqual(reply.calls, [{ name: 'read', arguments: { path: 'a.ts' } }], lead)
    assert.equal(reply.text.trimEnd(), lead.trimEnd())
    assert.equal(reply.content, lead + call)
  }
})

test('a large call in small pieces is followed, not read again and again', () => {
  const content = 'const text = "a {b} <c>";\n'.repeat(4000)
  const text = `\`\`\`json\n${JSON.stringify({ name: 'write', arguments: { path: 'a', content } })}\n\`\`\``
  const pieces = text.match(/[\s\S]{1,5}/g) ?? []
  const execute = RegExp.prototype.exec
  const parse = JSON.parse
  let looked = 0
  RegExp.prototype.exec = function (subject) {
    looked += subject.length - (this.sticky ? this.lastIndex : 0)
    return execute.call(this, subject)
  }
  JSON.parse = (subject, reviver) => {
    looked += subject.length
    return parse(subject, reviver)
  }
  try {
    const reply = readPieces(
      'native',
      pieces.map(piece => ({ type: 'text', text: piece })),
    )
    assert.deepEqual(reply.calls, [{ name: 'write', arguments: { path: 'a', content } }])
  } finally {
    RegExp.prototype.exec = execute
    JSON.parse = parse
  }
  const perCharacter = looked / text.length
  assert.ok(perCharacter < 40, `${perCharacter.toFixed(1)} characters were looked at for each one that came`)
})

test('text is cut anywhere between its units, also in the middle of a character', () => {
  assert.equal(readText('native', 'a 😀 b').text, 'a 😀 b')
})
