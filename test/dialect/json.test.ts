import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDialect } from '../../src/dialect/create.ts'
import { assistant, result, user } from './history.ts'
import { type ReplyOptions, readPieces, readText, TOOLS } from './replies.ts'

const json = createDialect('json')

function read(text: string, options: ReplyOptions = {}) {
  const reply = readText('json', text, options)
  const calls = reply.calls.map(call => `${call.name} ${JSON.stringify(call.arguments)}`)
  const pieces = [text, ' and more'].map(text => ({ type: 'text', text }) as const)
  // After an object another one may follow, or white space; any other text ends the reply.
  const done = readPieces('json', pieces, options).done
  return [reply.text, calls, reply.unreadable?.kind, done]
}

const call = (name: string, args: string) => `{"a_name": "${name}", "b_arguments": ${args}}`
const table: [string, string, ReturnType<typeof read>, ReplyOptions?][] = [
  [
    'words',
    '{"a_kind": "chat", "b_text": "Yes, \\"a\\" {b}", "c_calls": []}',
    ['Yes, "a" {b}', [], undefined, true],
  ],
  [
    'escapes',
    '{"a_kind":"chat","b_text":"\\u00e9\\n\\t\\\\\\/ \\ud83d\\ude00 😀","c_calls":[]}',
    ['é\n\t\\/ 😀 😀', [], undefined, true],
  ],
  ['a raw line break in a string', '{"a_kind": "chat", "b_text": "a\nb"}', ['a\nb', [], undefined, true]],
  [
    'two calls',
    `{"a_kind": "call", "b_text": "", "c_calls": [${call('read', '{"path": "}]"}')}, ${call('ls', '{}')}]}`,
    ['', ['read {"path":"}]"}', 'ls {}'], undefined, true],
  ],
  [
    'words and a call',
    `{"a_kind":"call","b_text":"I look.","c_calls":[${call('ls', '{}')}]}`,
    ['I look.', ['ls {}'], undefined, true],
  ],
  [
    'keys in another order',
    `{"c_calls":[${call('ls', '{}')}],"b_text":"x","a_kind":"call"}`,
    ['x', ['ls {}'], undefined, true],
  ],
  [
    'members of their own',
    '{"a_kind":"chat","n":[1],"o":{"b_text":"no"},"t":true,"b_text":"yes"}',
    ['yes', [], undefined, true],
  ],
  [
    'a fence around the object',
    '```json\n{"a_kind": "chat", "b_text": "x", "c_calls": []}\n```',
    ['x', [], undefined, true],
  ],
  ['text after the object', '{"a_kind":"chat","b_text":"x"} and more', ['x', [], undefined, true]],
  ['a server that ignores the form', 'It is {4}.\n', ['It is {4}.\n', [], undefined, false]],
  [
    'several objects',
    `{"a_kind":"chat","b_text":"I look.","c_calls":[]}\n{"a_kind":"call","b_text":"","c_calls":[${call('ls', '{}')}]}`,
    ['I look.', ['ls {}'], undefined, true],
  ],
  [
    'text around an object',
    `Sure:\n\`\`\`json\n{"a_kind":"call","b_text":"I look.","c_calls":[${call('ls', '{}')}]}\n\`\`\``,
    ['Sure:I look.', ['ls {}'], undefined, true],
  ],
  [
    'other quotes, and a comment',
    `{'a_kind': 'call', // now\n “b_text”: '', 'c_calls': [{'a_name': 'ls', 'b_arguments': {}}]}`,
    ['', ['ls {}'], undefined, true],
  ],
  [
    'a call in another form',
    '{"name": "read", "arguments": {"path": "a"}}',
    ['', ['read {"path":"a"}'], undefined, true],
  ],
  [
    'an unknown tool',
    `{"a_kind":"call","b_text":"","c_calls":[${call('nope', '{}')},${call('ls', '{}')}]}`,
    ['', [], 'unknown_tool', true],
  ],
  [
    'a call without arguments',
    '{"a_kind":"call","b_text":"","c_calls":[{"a_name":"ls"}]}',
    ['', [], 'bad_json', true],
  ],
  [
    'missing arguments',
    `{"a_kind":"call","b_text":"","c_calls":[${call('read', '{}')}]}`,
    ['', [], 'bad_arguments', true],
  ],
  [
    'a call announced and not made',
    '{"a_kind":"call","b_text":"I will look.","c_calls":[]}',
    ['I will look.', [], 'no_format', true],
  ],
  ['an object of another form', '{"answer": 42}', ['', [], 'no_format', true]],
  ['an object that says nothing', '{"a_kind":"chat","b_text":"","c_calls":[]}', ['', [], 'no_format', true]],
  ['no object', '{nothing}', ['', [], 'bad_json', true]],
  ['nothing', '', ['', [], 'swallowed', false]],
  [
    'words that break off',
    '{"a_kind":"chat","b_text":"The fi',
    ['The fi', [], undefined, false],
    { end: 'length' },
  ],
  [
    'words and half an escape',
    '{"a_kind":"chat","b_text":"The fi\\ud83d',
    ['The fi', [], undefined, false],
    { end: 'cut' },
  ],
  [
    'a call that was cut off',
    '{"a_kind":"call","b_text":"","c_calls":[{"a_name":"bash","b_arguments":{"command":"rm',
    ['', [], 'cut', false],
    { end: 'length' },
  ],
  [
    'a whole call and a broken one',
    `{"a_kind":"call","b_text":"","c_calls":[${call('ls', '{}')},{"a_name":"bash","b_arguments":{]}]}`,
    ['', [], 'bad_json', true],
  ],
  [
    'a call that breaks off',
    '{"a_kind":"call","b_text":"","c_calls":[{"a_name":"bash"',
    ['', [], 'bad_json', false],
  ],
]
for (const [title, text, expected, options] of table) {
  test(`json: ${title}`, () => assert.deepEqual(read(text, options), expected))
}

test('the words stream while they are written, never half a character', () => {
  const parser = json.parser(TOOLS)
  const text = '{"a_kind": "chat", "b_text": "Hé \\ud83d\\ude00!", "c_calls": []}'
  const shown = text.split('').flatMap(char => parser.push({ type: 'text', text: char }).map(one => one.text))
  assert.deepEqual(shown, ['H', 'é', ' ', '😀', '!'])
})

test('a call is there as soon as its object closes', () => {
  const parser = json.parser(TOOLS)
  parser.push({ type: 'text', text: `{"a_kind": "call", "b_text": "", "c_calls": [${call('ls', '{}')}` })
  assert.deepEqual([parser.calls.length, parser.done], [1, false])
  parser.push({ type: 'text', text: ']}\n' })
  assert.equal(parser.done, false, 'another object may follow')
  parser.push({ type: 'text', text: 'T' })
  assert.equal(parser.done, true)
})

test('the form names each tool with its own parameters, and its keys are in the order of the alphabet', () => {
  const { format } = json.request(TOOLS) as {
    format: {
      properties: Record<
        string,
        { enum?: string[]; items?: { anyOf: { properties: Record<string, { enum?: string[] }> }[] } }
      >
    }
  }
  const keys = Object.keys(format.properties)
  assert.deepEqual(keys, [...keys].sort())
  const calls = format.properties.c_calls?.items?.anyOf ?? []
  assert.deepEqual(
    calls.map(one => one.properties.a_name?.enum),
    TOOLS.map(tool => [tool.function.name]),
  )
  assert.deepEqual(
    calls.map(one => one.properties.b_arguments),
    TOOLS.map(tool => tool.function.parameters),
  )
  assert.equal(JSON.stringify(json.request(TOOLS)), JSON.stringify(json.request([...TOOLS])))
  assert.deepEqual(json.request([]).format, {
    type: 'object',
    properties: { a_kind: { type: 'string', enum: ['chat'] }, b_text: { type: 'string' } },
    required: ['a_kind', 'b_text'],
  })
})

test('history: replies stay as they were written, results are one user message', () => {
  const content = `{"a_kind":"call","b_text":"","c_calls":[${call('read', '{"path":"a"}')}]}`
  const calls = [{ id: 'c1', name: 'read', arguments: { path: 'a' } }]
  const history = [
    user('x'),
    assistant(content, { tool_calls: calls, text_calls: true }),
    result('c1', 'A'),
    user('and?'),
    assistant('{"a_kind":"chat","b_text":"ok","c_calls":[]}'),
  ]
  assert.deepEqual(json.encode(history), [
    { role: 'user', content: 'x' },
    { role: 'assistant', content },
    { role: 'user', content: 'Result of read:\nA\n\nand?' },
    { role: 'assistant', content: '{"a_kind":"chat","b_text":"ok","c_calls":[]}' },
  ])
})

test('history: what was said in another dialect takes this one’s form', () => {
  const calls = [{ id: 'c1', name: 'read', arguments: { path: 'a' } }]
  const history = [
    user('x'),
    assistant('I look.', { tool_calls: calls }),
    result('c1', 'A'),
    assistant('Empty.'),
    user('y'),
    assistant(''),
  ]
  const replies = json.encode(history).filter(message => message.role === 'assistant')
  assert.deepEqual(
    replies.map(reply => JSON.parse(reply.content)),
    [
      { a_kind: 'call', b_text: 'I look.', c_calls: [{ a_name: 'read', b_arguments: { path: 'a' } }] },
      { a_kind: 'chat', b_text: 'Empty.', c_calls: [] },
    ],
  )
})

test('a longer history begins with the shorter one’s bytes, in every dialect', () => {
  const calls = [{ id: 'c1', name: 'read', arguments: { path: 'a' } }]
  const history = [
    user('one'),
    assistant('', { tool_calls: calls }),
    result('c1', 'A'),
    assistant('Done.'),
    user('two'),
    assistant('Ok.'),
  ]
  for (const name of ['native', 'react', 'json'] as const) {
    const { encode } = createDialect(name)
    for (let length = 1; length < history.length; length++) {
      const shorter = encode(history.slice(0, length))
      assert.deepEqual(
        encode(history.slice(0, length + 1)).slice(0, shorter.length),
        shorter,
        `${name} ${length}`,
      )
    }
  }
})
