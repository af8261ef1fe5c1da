import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { before, test } from 'node:test'
import { loadShellParser, parseLine } from '../../src/permission/shell/parse.ts'

interface Cases {
  cases: { id: string; input: string; syntaxError: boolean; commands: string[][] | null }[]
  /** Lines on which parsers and bash 5.2 differ: what bash was seen to run. */
  traps: { input: string; runs: string[][]; gate: 'ok' | 'error' }[]
}

const { cases, traps } = JSON.parse(
  readFileSync(path.join(import.meta.dirname, '../fixtures/shell-parse-cases.json'), 'utf8'),
) as Cases

before(loadShellParser)

const read = (input: string) => parseLine(input, '/home/u')

test('of every line all commands are seen, or it is doubted', () => {
  for (const { id, input, syntaxError, commands } of cases) {
    const { doubts, commands: seen } = read(input)
    if (doubts.length > 0) continue
    // Valid only as a pattern: a program whose name nobody knows.
    if (id === 'e29') assert.equal(seen[0]?.words[0]?.value, undefined)
    else assert.ok(!syntaxError, `${id}: ${input}`)
    const words = seen
      .filter(command => command.words.length > 0)
      .map(command => command.words.map(({ text }) => text))
    // Braces become words when it runs.
    if (id === 'b1') assert.equal(seen[0]?.words[1]?.value, undefined)
    for (const command of id === 'b1' ? [] : (commands ?? []))
      assert.ok(
        words.some(found => JSON.stringify(found) === JSON.stringify(command)),
        `${id}: ${command.join(' ')}`,
      )
  }
})

test('most lines that bash can read are not doubted', () => {
  const valid = cases.filter(({ syntaxError }) => !syntaxError)
  const doubted = valid.filter(({ input }) => read(input).doubts.length > 0)
  assert.ok(doubted.length <= 33, `${doubted.length} of ${valid.length}`)
})

test('where the parser misreads what bash runs, the line is doubted', () => {
  for (const { input, gate } of traps)
    if (gate === 'error') assert.notDeepEqual(read(input).doubts, [], input)
})

test('text that hides something is not parsed', () => {
  const hidden = [
    'ls\r',
    'ls \x1b[8m',
    'rm\u200b x',
    'ls \u202e',
    'ls \u{e0041}',
    'ls \ud800',
    `ls ${'x'.repeat(33_000)}`,
  ]
  for (const line of hidden) assert.equal(read(line).doubts.length, 1, JSON.stringify(line))
})

test('ten thousand parentheses end nobody', () => {
  for (const line of ['('.repeat(10_000), '$('.repeat(10_000), '{ '.repeat(10_000)])
    assert.notDeepEqual(read(line).doubts, [])
})

test('only a static word has a value', () => {
  const rows: [string, string | undefined][] = [
    ['a\'b\'"c"\\d', 'abcd'],
    ['~/x', '/home/u/x'],
    ['"~/x"', '~/x'],
    ['~root', undefined],
    ['x=~', undefined],
    ['{a,b}', undefined],
    ["{a,'b'}", undefined],
    ['a{1..3}', undefined],
    ['$x', undefined],
    ['"$x"', undefined],
    ['$"x"', undefined],
  ]
  for (const [word, value] of rows)
    assert.equal(read(`echo ${word}`).commands[0]?.words[1]?.value, value, word)
})
