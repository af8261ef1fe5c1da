import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDialect } from '../../src/dialect/create.ts'
import { assistant, result, user } from './history.ts'
import { makeTool, type ReplyOptions, readPieces, readText, TOOLS } from './replies.ts'

const react = createDialect('react')

/** What matters of a ReAct reply: [answer, thinking, calls as text, kind of what was unreadable]. */
function read(text: string, options: ReplyOptions = {}) {
  const reply = readText('react', text, options)
  const calls = reply.calls.map(call => `${call.name} ${JSON.stringify(call.arguments)}`)
  return [reply.text, reply.thinking, calls, reply.unreadable?.kind]
}

const READ_A = 'read {"path":"a"}'

const table: [string, string, ReturnType<typeof read>][] = [
  [
    'a thought and an action',
    'Thought: look first\nAction: read\nAction Input: {"path": "a"}\n',
    ['', 'look first', [READ_A], undefined],
  ],
  ['a plain answer', 'The file is empty.\n', ['The file is empty.\n', '', [], undefined]],
  [
    'a labelled answer after a thought',
    'Thought: I know now.\nFinal Answer: It is **4**.\n\nAction: none needed',
    ['It is **4**.\n\nAction: none needed', 'I know now.', [], undefined],
  ],
  ['only a thought: it is the answer', 'Thought: it is 4', ['it is 4', 'it is 4', [], undefined]],
  [
    'bold labels, backticks, a fenced input',
    '**Thought:** **look**\n\n**Action:** `read`\n**Action Input:**\n```json\n{\n  "path": "a"\n}\n```\n',
    ['', '**look**', [READ_A], undefined],
  ],
  [
    'small letters, step numbers, a quotation mark before the label',
    '> thought 1: x\nACTION 1 : read\naction input：{"path": "a"}',
    ['', 'x', [READ_A], undefined],
  ],
  [
    'full-width colons',
    'Thought：看看\nAction：read\nAction Input：{"path": "a"}',
    ['', '看看', [READ_A], undefined],
  ],
  [
    'an invented observation',
    'Action: read\nAction Input: {"path": "a"}\nObservation: empty\nThought: so\nFinal Answer: empty',
    ['', '', [READ_A], undefined],
  ],
  [
    'an invented answer right after the action',
    'Action: read\nAction Input: {"path": "a"}\nFinal Answer: it is empty',
    ['', '', [READ_A], undefined],
  ],
  [
    'two actions',
    'Action: read\nAction Input: {"path": "a"}\n\nThought: and\nAction: ls\nAction Input: {}\n',
    ['', 'and', [READ_A, 'ls {}'], undefined],
  ],
  ['a call on the action line', 'Action: read({"path": "a"})\n', ['', '', [READ_A], undefined]],
  ['a Python call on the action line', 'Action: read(path="a")', ['', '', [READ_A], undefined]],
  ['the input without its label', 'Action: read\n{"path": "a"}', ['', '', [READ_A], undefined]],
  [
    'a bare string for one text parameter',
    'Action: read\nAction Input: src/a b.ts\n',
    ['', '', ['read {"path":"src/a b.ts"}'], undefined],
  ],
  [
    'a quoted string',
    'Action: bash\nAction Input: "echo \\"a\\""',
    ['', '', ['bash {"command":"echo \\"a\\""}'], undefined],
  ],
  [
    'a command on several lines',
    'Action: bash\nAction Input: cd a\nmake\nObservation: x',
    ['', '', ['bash {"command":"cd a\\nmake"}'], undefined],
  ],
  ['no input for a tool that needs none', 'Action: ls\nAction Input: None\n', ['', '', ['ls {}'], undefined]],
  [
    'a label inside a string of the input',
    'Action: write\nAction Input: {"path": "a", "content": "x\nAction: y\nObservation: z"}',
    ['', '', ['write {"path":"a","content":"x\\nAction: y\\nObservation: z"}'], undefined],
  ],
  [
    'an action that is none',
    'Thought: fine\nAction: None\nFinal Answer: done',
    ['done', 'fine', [], undefined],
  ],
  [
    'a line of the answer that begins with the word',
    'Do this.\nAction: run npm install, then test.\nOk',
    ['Do this.\nAction: run npm install, then test.\nOk', '', [], undefined],
  ],
  ['an unknown tool', 'Action: list_dir\nAction Input: {"path": "."}', ['', '', [], 'unknown_tool']],
  ['an unknown tool without input', 'Action: list_dir\n', ['', '', [], 'unknown_tool']],
  ['no input', 'Action: read\n', ['', '', [], 'bad_json']],
  ['an input that is no JSON', 'Action: write\nAction Input: a, b\n', ['', '', [], 'bad_json']],
  ['an input that breaks off', 'Action: read\nAction Input: {"path": "a', ['', '', [], 'bad_json']],
  [
    'an input that lacks a field',
    'Action: write\nAction Input: {"path": "a"}',
    ['', '', [], 'bad_arguments'],
  ],
  ['an input without an action', 'Action Input: {"path": "a"}', ['', '', [], 'unknown_tool']],
  [
    'no further action after an unreadable one',
    'Action: nope\nAction Input: {}\nAction: ls\nAction Input: {}',
    ['', '', [], 'unknown_tool'],
  ],
  [
    'a call in the notation of the native dialect',
    'Thought: x\nFinal Answer: <tool_call>{"name": "ls", "arguments": {}}</tool_call>',
    ['', 'x', ['ls {}'], undefined],
  ],
  [
    'thinking in the text',
    '<think>\nhm\n</think>\nAction: ls\nAction Input: {}',
    ['', 'hm', ['ls {}'], undefined],
  ],
  ['nothing', '', ['', '', [], 'swallowed']],
]
for (const [title, text, expected] of table) {
  test(`react: ${title}`, () => assert.deepEqual(read(text), expected))
}

test('an action that was cut off is not run, not even as a bare string', () => {
  for (const text of [
    'Action: bash\nAction Input: rm -rf bui',
    'Action: bash\nAction Input: {"command": "rm -rf',
  ]) {
    for (const end of ['length', 'cut'] as const) {
      assert.deepEqual(read(text, { end }), ['', '', [], 'cut'])
    }
  }
})

test('the call is there as soon as its input closes; done when an observation begins', () => {
  const parser = react.parser(TOOLS)
  parser.push({ type: 'text', text: 'Action: read\nAction Input: {"path": "a"' })
  assert.equal(parser.calls.length, 0)
  parser.push({ type: 'text', text: '}' })
  assert.deepEqual([parser.calls.length, parser.done], [1, false])
  parser.push({ type: 'text', text: '\nObservation:' })
  assert.equal(parser.done, true)
  const reply = parser.finish('cut')
  assert.equal(reply.content, 'Action: read\nAction Input: {"path": "a"}\n')
  assert.equal(reply.textCalls, true)
})

test('labels are never shown, not even for a moment', () => {
  const parser = react.parser(TOOLS)
  const text = 'Thought: a\nAct now.\nFinal Answer: Finally\nThough'
  const shown = text.split('').flatMap(char => parser.push({ type: 'text', text: char }))
  const words = (type: string) =>
    shown
      .filter(one => one.type === type)
      .map(one => one.text)
      .join('')
  assert.equal(words('thinking'), 'a\nAct now.')
  assert.equal(words('text'), 'Finally\nThough')
})

test('calls that a server hands over pass through', () => {
  const served = { type: 'call', id: 'c', name: 'ls', arguments: {} } as const
  const reply = readPieces('react', [{ type: 'text', text: 'Thought: x\nAct' }, served])
  assert.deepEqual([reply.calls, reply.textCalls], [[{ id: 'c', name: 'ls', arguments: {} }], false])
})

test('a text parameter takes a bare string only when it is the only one that is required', () => {
  const tools = [
    makeTool('find', { pattern: 'string', path: 'string' }, ['pattern']),
    makeTool('pair', { a: 'string', b: 'string' }, ['a', 'b']),
  ]
  assert.deepEqual(read('Action: find\nAction Input: *.ts', { tools })[2], ['find {"pattern":"*.ts"}'])
  assert.deepEqual(read('Action: pair\nAction Input: x', { tools })[3], 'bad_json')
})

test('the request stops at an observation and has no tools', () => {
  assert.deepEqual(react.request(TOOLS), { stop: ['Observation:'] })
})

test('history: results are one user message in call order, and what the user says joins it', () => {
  const calls = [
    { id: 'c1', name: 'read', arguments: { path: 'a' } },
    { id: 'c2', name: 'ls', arguments: {} },
  ]
  const content = 'Action: read\nAction Input: {"path": "a"}\nAction: ls\nAction Input: {}\n'
  const history = [
    user('x'),
    assistant(content, { tool_calls: calls, text_calls: true }),
    result('c1', 'A'),
    result('c2', 'a\nb', 'ls'),
    user('and?'),
    assistant('Two files.'),
  ]
  assert.deepEqual(react.encode(history), [
    { role: 'user', content: 'x' },
    { role: 'assistant', content },
    { role: 'user', content: 'Observation: (read) A\n\nObservation: (ls) a\nb\n\nand?' },
    { role: 'assistant', content: 'Two files.' },
  ])
  assert.equal(react.encode(history.slice(0, 3))[2]?.content, 'Observation: A')
})

test('history: calls of the native dialect are written as actions', () => {
  const calls = [{ id: 'c1', name: 'read', arguments: { path: 'a' } }]
  const history = [user('x'), assistant('I will look.', { tool_calls: calls }), result('c1', 'A')]
  assert.deepEqual(react.encode(history), [
    { role: 'user', content: 'x' },
    { role: 'assistant', content: 'I will look.\nAction: read\nAction Input: {"path":"a"}' },
    { role: 'user', content: 'Observation: A' },
  ])
})
