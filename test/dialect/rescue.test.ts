/**
 * Calls written as text in the native dialect. `toolcall-cases.json` was collected from public issues, upstream parser
 * tests and recorded model output (each case names its source); `written-calls.json` adds forms of our own.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { createDialect } from '../../src/dialect/create.ts'
import { makeTool, readPieces, readText, TOOLS } from './replies.ts'

interface Case {
  id: string
  text: string
  tools: string[]
  expect: { name: string; arguments: Record<string, unknown> }[]
}

function loadCases(name: string): Case[] {
  return JSON.parse(readFileSync(new URL(`../fixtures/${name}`, import.meta.url), 'utf8'))
}

/** Of cases without calls: the ones where a call was meant, so that the model hears what was wrong with it. */
const MEANT: Record<string, string> = {
  'q25-tool_call-desc-as-name': 'unknown_tool',
  'q3c-xml-param-closed-by-function': 'bad_json',
  'ot-array-arguments': 'bad_arguments',
  'look-truncated': 'bad_json',
  'GLM: a value that breaks off': 'bad_json',
  'a marked call that breaks off': 'bad_json',
  'a marked call that lacks a brace': 'bad_json',
  'bare JSON that names no tool': 'unknown_tool',
  'a parameter that breaks off': 'bad_json',
  'a python fence': 'no_format',
}

for (const { id, text, tools, expect } of [
  ...loadCases('toolcall-cases.json'),
  ...loadCases('written-calls.json'),
]) {
  test(`rescue: ${id}`, () => {
    const reply = readText('native', text, { tools: tools.map(name => makeTool(name)) })
    assert.deepEqual(reply.calls, expect)
    assert.equal(reply.unreadable?.kind, MEANT[id])
    if (expect.length === 0 && !MEANT[id]) {
      assert.equal(reply.text, text, 'what is no call is shown, all of it')
      assert.equal(reply.done, false)
    }
    assert.ok(text.startsWith(reply.content), 'the content is what was generated')
  })
}

test('a lead-in is shown, the white space between it and the call is not', () => {
  const reply = readText('native', 'I will look.\n\n<tool_call>{"name":"ls","arguments":{}}</tool_call>\n')
  assert.equal(reply.text, 'I will look.')
  assert.deepEqual(reply.calls, [{ name: 'ls', arguments: {} }])
  assert.equal(reply.textCalls, true)
})

test('text after a complete call is not part of the reply, and more than a few words end it', () => {
  const call = '{"name": "ls", "arguments": {}}'
  const reply = readText('native', `${call}\n\nThe directory holds three files.`)
  assert.deepEqual([reply.done, reply.text, reply.content], [false, '', call])
  const long = readText('native', `${call}\n\n${'The directory holds three files. '.repeat(10)}`)
  assert.deepEqual([long.done, long.text, long.content], [true, '', call])
  const output = readText('native', `${call}\n\`\`\`\na.txt\n\`\`\`\n${call}`)
  assert.deepEqual([output.done, output.calls.length], [true, 1], 'an output that the model made up')
})

test('a call, a sentence and a call are two calls, and where they stand is known', () => {
  const forms = ['<tool_call>{}</tool_call>', '```json\n{}\n```', '{}', '<function_call>{}</function_call>']
  const calls = ['a.txt', 'b.txt'].map(path => `{"name": "read", "arguments": {"path": "${path}"}}`)
  for (const first of forms) {
    for (const second of forms) {
      const texts = [first, second].map((form, index) => form.replace('{}', calls[index] ?? ''))
      const reply = readText('native', texts.join('\n\nAnd now the other one:\n'))
      assert.deepEqual(
        reply.calls.map(call => call.arguments.path),
        ['a.txt', 'b.txt'],
        texts.join(' '),
      )
      const parser = createDialect('native').parser(TOOLS)
      parser.push({ type: 'text', text: `So:\n${texts.join('\n\nAnd now the other one:\n')}` })
      const places = parser.finish('stop').calls.map(call => [call.from?.before, call.from?.after])
      assert.deepEqual(places, [
        [true, true],
        [true, false],
      ])
    }
  }
})

test('of calls of which one is broken none is run', () => {
  const whole = '<tool_call>{"name": "ls", "arguments": {}}</tool_call>'
  for (const broken of [
    '<tool_call>{"name": "read", "arguments": {"path" "a"}}</tool_call>',
    '<tool_call>{"name": "nobody", "arguments": {}}</tool_call>',
    '<tool_call>{"name": "write", "arguments": {"path": "a"}}</tool_call>',
  ]) {
    for (const text of [whole + broken, broken + whole]) {
      const reply = readText('native', text)
      assert.deepEqual(reply.calls, [], text)
      assert.ok(reply.unreadable, text)
    }
  }
  const cut = readText('native', `${whole}<tool_call>{"name": "read", "argu`, { end: 'length' })
  assert.deepEqual([cut.calls.length, cut.unreadable?.kind], [1, 'cut'], 'what the limit left is whole')
})

test('an invented answer of the tool ends the reply', () => {
  const call = '<tool_call>{"name": "ls", "arguments": {}}</tool_call>'
  for (const answer of ['<tool_response>', '<|tool_response>', '<function_response>', '<tool_output>']) {
    const reply = readText('native', `${call}\n${answer}\na b\n${call}`)
    assert.deepEqual([reply.calls.length, reply.done, reply.content], [1, true, call], answer)
  }
})

test('arguments take the types of the schema, and text stays text', () => {
  const tool = makeTool('f', {
    n: 'integer',
    x: 'number',
    b: 'boolean',
    l: 'array',
    o: 'object',
    s: 'string',
  })
  const parameters = Object.entries({ n: '5', x: '1.5', b: 'true', l: '["a"]', o: '{"k": 1}', s: '7' })
  const elements = parameters.map(([key, value]) => `<parameter=${key}>\n${value}\n</parameter>`).join('\n')
  const reply = readText('native', `<function=f>\n${elements}\n</function>`, { tools: [tool] })
  assert.deepEqual(reply.calls[0]?.arguments, { n: 5, x: 1.5, b: true, l: ['a'], o: { k: 1 }, s: '7' })
})

test('values that do not fit their type are left for the tool to refuse', () => {
  const args = '{"path": "a", "offset": "ten", "limit": "0x10"}'
  const reply = readText('native', `{"name": "read", "arguments": ${args}}`)
  assert.deepEqual(reply.calls[0]?.arguments, { path: 'a', offset: 'ten', limit: '0x10' })
})

test('a call that lacks what its tool requires is told, not run', () => {
  const reply = readText('native', '<tool_call>{"name": "write", "arguments": {"path": "a"}}</tool_call>')
  assert.deepEqual(reply.calls, [])
  assert.deepEqual(reply.unreadable, { kind: 'bad_arguments', detail: 'The call of write lacks "content".' })
})

test('a tool is found without padding, namespace and case, but not when two tools fit', () => {
  const name = (written: string, tools = TOOLS) =>
    readText('native', `<tool_call>{"name": "${written}", "arguments": {"path": "a"}}</tool_call>`, { tools })
      .calls[0]?.name
  assert.equal(name(' read '), 'read')
  assert.equal(name('Read'), 'read')
  assert.equal(name('functions.read'), 'read')
  assert.equal(name('default_api.read'), 'read')
  assert.equal(name('reader'), undefined)
  assert.equal(name('READ', [makeTool('read'), makeTool('Read')]), undefined)
  assert.equal(name('Read', [makeTool('read'), makeTool('Read')]), 'Read')
})

test('what a cut leaves of a call is never run and never shown', () => {
  const calls = [
    '<tool_call>\n{"name": "bash", "arguments": {"command": "rm -rf build"}}',
    '{"name": "bash", "arguments": {"command": "rm -rf build"}}',
    '```json\n{"name": "bash", "arguments": {"command": "rm -rf build"}}',
    '<function=bash>\n<parameter=command>\nrm -rf build\n</parameter>\n</function>',
    '[TOOL_CALLS]bash[ARGS]{"command": "rm -rf build"}',
  ]
  for (const text of calls) {
    for (let at = text.indexOf('rm'); at < text.length - 1; at++) {
      const reply = readPieces('native', [{ type: 'text', text: text.slice(0, at) }], { end: 'length' })
      assert.deepEqual([reply.calls, reply.text, reply.unreadable?.kind], [[], '', 'cut'], text.slice(0, at))
    }
  }
})

test('a whole call that the limit cut off before its closing marker is a call', () => {
  const text = '<tool_call>\n{"name": "bash", "arguments": {"command": "make"}}'
  assert.deepEqual(readText('native', text, { end: 'length' }).calls, [
    { name: 'bash', arguments: { command: 'make' } },
  ])
})

test('a call that follows an unreadable one is not run: it may build on it', () => {
  const broken = '<tool_call>{"name": "write", "arguments": {"path": "a" "content": "b"}}</tool_call>'
  const reply = readText(
    'native',
    `${broken}<tool_call>{"name": "bash", "arguments": {"command": "a"}}</tool_call>`,
  )
  assert.deepEqual([reply.calls, reply.unreadable?.kind, reply.done], [[], 'bad_json', true])
})

test('the detail names the tool that does not exist', () => {
  const reply = readText('native', '<tool_call>{"name": "list_dir", "arguments": {}}</tool_call>')
  assert.deepEqual(reply.unreadable, {
    kind: 'unknown_tool',
    detail: 'There is no tool called "list_dir".',
  })
})

test('an example in a long explanation is no call', () => {
  const explanation = 'The format is simple, and this is how it works in detail. '.repeat(10)
  const example = '{"name": "bash", "arguments": {"command": "rm -rf /"}}'
  for (const text of [
    `${explanation}\n\n${example}\n\nThat is all.`,
    `${explanation}\n\`\`\`json\n${example}\n\`\`\`\nSo.`,
  ]) {
    const reply = readText('native', text)
    assert.deepEqual([reply.calls, reply.text], [[], text])
  }
})

test('openers inside data and code that pass are not openers', () => {
  const call = '{"name": "bash", "arguments": {"command": "x"}}'
  for (const text of [
    `\`\`\`python\n${call}\n<tool_call>${call}</tool_call>\n\`\`\`\nThat prints it.`,
    `{"messages": [\n${call},\n${call}\n]}`,
    `\`\`\`\`markdown\n\`\`\`json\n${call}\n\`\`\`\n\`\`\`\`\n`,
  ]) {
    const reply = readText('native', text)
    assert.deepEqual([reply.calls, reply.text], [[], text])
  }
})
