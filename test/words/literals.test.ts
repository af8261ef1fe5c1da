import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { src } from '../support/imports.ts'

/** What a person reads comes from the catalogue. Texts of several words that are no words for a person: */
const NOT_READ: ReadonlySet<string> = new Set([
  // Names of what happens.
  'new session',
  // Commands.
  'ollama pull qwen2.5-coder:7b',
  // What the command line knows.
  '--plain --help --version models sessions config permission demo init doctor completion',
])

/** Problems of the configuration are told in English, wherever they are found. */
const CONFIGURATION: ReadonlySet<string> = new Set(['tui/keymap.ts'])

/** Where a value is expected a slash begins a pattern; behind a value it divides. */
const PATTERN = String.raw`(?<=[(,=:[!&|?{};\n]\s*|return )\/(?![*/])(?:[^\\/[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/`
const TOKENS = new RegExp(
  [
    String.raw`\/\*[\s\S]*?\*\/`,
    String.raw`\/\/[^\n]*`,
    PATTERN,
    String.raw`'(?:[^'\\\n]|\\.)*'`,
    String.raw`"(?:[^"\\\n]|\\.)*"`,
    '`(?:[^`\\\\]|\\\\[\\s\\S])*`',
  ].join('|'),
  'g',
)

/** Code between braces, in which more braces stand. */
const between = (depth: number): string =>
  depth === 0 ? '[^{}]*' : String.raw`(?:[^{}]|\{${between(depth - 1)}\})*`
const HOLE = new RegExp(String.raw`\$\{(${between(4)})\}?`, 'g')

/** The texts between quotes, of templates with `◦` for a hole; those in holes too. A smoke alarm, not a compiler. */
function literals(code: string): string[] {
  return [...code.matchAll(TOKENS)].flatMap(([token]) => {
    const text = token.slice(1, -1)
    if (/^['"]/.test(token)) return [text]
    if (!token.startsWith('`')) return []
    const holes: string[] = []
    const shown = text.replaceAll(HOLE, (_, hole: string) => {
      holes.push(hole)
      return '◦'
    })
    return [shown, ...holes.flatMap(literals)]
  })
}

/** Two words side by side, or one beside a hole: `◦ more`. gopi's name is no word. */
function isSentence(text: string): boolean {
  const own = text.replaceAll(/\bgopi\b/g, '')
  return (
    /[a-z]{2,}[,.:;!?…]? +[a-z]{2,}/i.test(own) ||
    /◦ [a-z]{3,}|[a-z]{3,}:? ◦/.test(own) ||
    /\p{Script=Han}/u.test(own)
  )
}

/** Without imports, and errors that only a programmer meets. */
const withoutCode = (code: string): string =>
  code
    .replaceAll(/^(?:import|export)\b[^;]*?from '[^']*'$/gm, '')
    .replaceAll(/throw new (?:Type|Range)?Error\((?:'[^']*'|`[^`]*`)\)/g, '')

const sentencesOf = (code: string): string[] =>
  literals(withoutCode(code)).filter(text => isSentence(text) && !NOT_READ.has(text))

const sentencesIn = (file: string): string[] => sentencesOf(readFileSync(path.join(src, file), 'utf8'))

for (const room of ['tui', 'plain', 'print']) {
  test(`no sentence for a person stands in the code of ${room}`, () => {
    const files = readdirSync(path.join(src, room), { recursive: true })
      .map(name => path.posix.join(room, String(name).split(path.sep).join('/')))
      .filter(file => file.endsWith('.ts') && !CONFIGURATION.has(file))
    assert.ok(files.length > 0)
    assert.deepEqual(
      files.flatMap(file => sentencesIn(file).map(sentence => `${file}: ${sentence}`)),
      [],
    )
  })
}

test('the alarm rings', () => {
  for (const file of CONFIGURATION) assert.ok(sentencesIn(file).length > 0, file)
  const rows: [code: string, sentences: string[]][] = [
    ["say('Nothing is running.')", ['Nothing is running.']],
    ['say("two words")', ['two words']],
    [`say(\`\${count} more\`)`, ['◦ more']],
    [`say(\`exit \${code}\`)`, ['exit ◦']],
    [`say(\`\${a ? 'one thing' : 'x'} \${b}\`)`, ['one thing']],
    [`say(\`\${a({ b: { c: [{}] } })} thing\`)`, ['◦ thing']],
    ["// it's a comment\nsay('two words') /* it's one */", ['two words']],
    ["const quote = /['\"`]/\nsay('two words')", ['two words']],
    ["text.replace(/it's/g, '').split('two words')", ['two words']],
    ['const half = a / b / c; say("two words")', ['two words']],
    ["say('确定吗')", ['确定吗']],
    ["import { a } from './two words.ts'\nthrow new Error('not for people')", []],
    ["{ type: 'use_model', style: 'muted' }", []],
    [`say(\`gopi: \${message}\`)`, []],
    [`send(\`\\x1b[\${row};\${column}H\`)`, []],
  ]
  for (const [code, sentences] of rows) assert.deepEqual(sentencesOf(code), sentences, code)
})
