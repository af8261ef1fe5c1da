/**
 * What holds for any text in any dialect. A few thousand texts here; GOPI_FUZZ=1000000 tries as many as that.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDialect } from '../../src/dialect/create.ts'
import type { DialectName } from '../../src/protocol/messages.ts'
import { createRandom, readPieces, TOOLS } from './replies.ts'

const ROUNDS = Number(process.env.GOPI_FUZZ ?? 3000)
const KNOWN = new Set(TOOLS.map(tool => tool.function.name))
const CALL = '{"name": "read", "arguments": {"path": "a"}}'

const FRAGMENTS = [
  ...[
    CALL,
    `<tool_call>${CALL}</tool_call>`,
    `\`\`\`json\n${CALL}\n\`\`\``,
    '{"name": "nobody", "arguments": {}}',
  ],
  ...[
    '<read><path>a</path></read>',
    '<read path="a"/>',
    'read("a")',
    'read(path="a")',
    '<function=read>',
    '</function>',
  ],
  ...['<parameter=path>a</parameter>', '<tool_use>', '<TOOL_CALL>', '</tool_call>', '[TOOL_CALLS]', '[ARGS]'],
  ...[
    'Action: read\n',
    'Action Input: {"path": "a"}\n',
    'Action: None\n',
    'Observation: x\n',
    '动作：read\n',
    '思考：x\n',
  ],
  ...[
    'Thought: hm\n',
    'Final Answer: ',
    '<think>',
    '</think>',
    '</think>\n',
    '<tool_response>',
    '<|channel|>',
    'to=functions.read ',
  ],
  ...[
    '{"a_kind": "call", "b_text": "", "c_calls": [',
    '{"a_name": "ls", "b_arguments": {}}',
    ']}',
    '"b_text": "',
  ],
  ...[
    '{',
    '}',
    '[',
    ']',
    '(',
    ')',
    '"',
    "'",
    '“',
    '”',
    '`',
    '```',
    '```python\n',
    '```JSON\n',
    '// x\n',
    '/*',
    '*/',
    '#',
  ],
  ...[
    '\n',
    '\n\n',
    ' ',
    '  ',
    ': ',
    '：',
    ', ',
    '.',
    '<',
    '>',
    '\\',
    '\\"',
    '😀',
    '中文。',
    'prose ',
    'and then b:\n',
    '> ',
    '- ',
  ],
]

for (const dialect of ['native', 'react', 'json'] as const satisfies DialectName[]) {
  test(`${dialect}: any text is read the same however it is cut, and calls no tool that is not there`, () => {
    const random = createRandom(dialect.length * 101)
    for (let round = 0; round < ROUNDS / 3; round++) {
      const length = 1 + Math.floor(random() * 20)
      const parts = Array.from({ length }, () => FRAGMENTS[Math.floor(random() * FRAGMENTS.length)] ?? '')
      const text = parts.join('')
      const end = random() < 0.2 ? 'length' : 'stop'
      const read = (pieces: readonly string[]) =>
        readPieces(
          dialect,
          pieces.map(piece => ({ type: 'text', text: piece })),
          { end },
        )
      const whole = read([text])
      const sizes = [1, 3, 8, 40, 1 + Math.floor(random() * 12)]
      for (const size of sizes) {
        const pieces = text.match(new RegExp(`[\\s\\S]{1,${size}}`, 'g')) ?? []
        assert.deepEqual(read(pieces), whole, `${size}: ${JSON.stringify(text)}`)
      }
      for (const call of whole.calls) assert.ok(KNOWN.has(call.name), JSON.stringify(text))
      assert.ok(text.startsWith(whole.content) || whole.content === whole.thinking, JSON.stringify(text))
    }
  })
}

/** Texts of which an attentive reader could make a parser look at the same characters again and again. */
const HOSTILE: [name: string, before: string, repeated: string][] = [
  ['blanks in the input of an action', 'Action: read\nAction Input: a', ' '],
  ['lines in the input of an action', 'Action: bash\nAction Input: ', 'x y\n'],
  ['actions', '', 'Action: x\n'],
  ['keys that nothing closes', '<tool_call>read\n', '<arg_key>'],
  ['keys', '<tool_call>read\n', '<arg_key>a</arg_key>'],
  ['parameters that nothing closes', '<function=read>', '<parameter=a>'],
  ['tags named after parameters', '<read>', '<path>'],
  ['attributes', '<read ', 'a="b" '],
  ['braces', '', '{'],
  ['braces on lines', '', '{\n'],
  ['names', '', '{"name": "read", '],
  ['brackets', '', '[\n'],
  ['fences', '', '```json\n'],
  ['fenced calls with prose between', '', '```json\n{"name":"read","arguments":{"path":"a"}}\n```\nthen '],
  ['markers', '', '<tool_call>'],
  ['ends of thoughts', '', 'x.</think>'],
  ['comments', '{"name": "read", ', '/*'],
  ['backslashes', '{"name": "read", "arguments": {"path": "', '\\'],
]

test('the work grows with the text and not faster, whatever it holds', () => {
  const execute = RegExp.prototype.exec
  let looked = 0
  RegExp.prototype.exec = function (subject) {
    // A pattern that is held to one place, or to the beginning, does not look at the rest.
    if (!this.sticky && !this.source.startsWith('^')) looked += subject.length
    return execute.call(this, subject)
  }
  try {
    for (const dialect of ['native', 'react', 'json'] as const) {
      for (const [name, before, repeated] of HOSTILE) {
        const work = [4000, 16_000].map(size => {
          looked = 0
          const parser = createDialect(dialect).parser(TOOLS)
          const text = before + repeated.repeat(size / repeated.length)
          for (let at = 0; at < text.length; at += 8)
            parser.push({ type: 'text', text: text.slice(at, at + 8) })
          parser.finish('stop')
          return looked + size
        })
        const [small = 0, big = 0] = work
        assert.ok(big < 6 * small, `${dialect}, ${name}: ${small} characters looked at, then ${big}`)
      }
    }
  } finally {
    RegExp.prototype.exec = execute
  }
})
