import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { src } from '../support/imports.ts'

/** What a person reads comes from the catalogues. Texts of several words that are no words for a person: */
const NOT_READ: ReadonlySet<string> = new Set([
  // Names of what happens.
  'new session',
  'go on',
  // What the model is told, in a few words; the rest is in prompts/.
  'It was empty, or a tool call that was not understood.',
  'the user said no',
  '[aborted: gopi ended before the result]',
  '[the beginning of this conversation is lost]',
  '[The user said something that was not sent.]',
  // Permission reasons.
  '◦, and nobody can be asked here',
  'what it would do changed after it was allowed: ◦',
  // Commands.
  'ollama pull qwen2.5-coder:7b',
  'gopi --resume ◦',
])

/**
 * The command line and its problems, and those of the configuration, are worded in English, wherever they are found;
 * words/problem-zh.ts and words/help-zh.ts have the Chinese.
 */
const ENGLISH: ReadonlySet<string> = new Set([
  'tui/keymap.ts',
  'session/store.ts',
  // How entries of hooks, skills and extensions are written, and what went wrong in programs of others.
  ...['hooks/entries', 'hooks/answer', 'extensions/extensions', 'extensions/script'].map(
    name => `kit/${name}.ts`,
  ),
  ...['agent-files', 'command-files', 'frontmatter', 'skills'].map(name => `kit/folders/${name}.ts`),
  ...[
    'args',
    'completion',
    'help',
    'main',
    'manual',
    'mcp-command',
    'option',
    'options',
    'sessions-command',
  ].map(name => `cli/${name}.ts`),
  'cli/read-option.ts',
])

/** What the model is told is made here. */
const FOR_THE_MODEL: ReadonlySet<string> = new Set([
  ...['compaction', 'mentions', 'person-commands', 'volatile'].map(name => `context/${name}.ts`),
  'kit/agents/builtin.ts',
  'session/tasks.ts',
  // Commands that projects are checked with.
  'session/found-checks.ts',
  'kit/folders/skill-tool.ts',
])

/** A page's markup. */
const MARKUP: ReadonlySet<string> = new Set(['kit/jobs/story-page.ts'])

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

/** Without imports, and errors that only a programmer meets, or who types a command line. */
const withoutCode = (code: string): string =>
  code
    .replaceAll(/^(?:import|export)\b[^;]*?from '[^']*'$/gm, '')
    .replaceAll(/(?:throw |reject\()new (?:Type|Range|Usage)?Error\(\s*\[?\s*(?:'[^']*'|`[^`]*`)/g, '')

const sentencesOf = (code: string): string[] =>
  literals(withoutCode(code)).filter(text => isSentence(text) && !NOT_READ.has(text))

const sentencesIn = (file: string): string[] => sentencesOf(readFileSync(path.join(src, file), 'utf8'))

for (const room of ['kit', 'tui', 'plain', 'print', 'agent', 'session', 'context', 'cli']) {
  test(`no sentence for a person stands in the code of ${room}`, () => {
    const files = readdirSync(path.join(src, room), { recursive: true })
      .map(name => path.posix.join(room, String(name).split(path.sep).join('/')))
      .filter(file => file.endsWith('.ts') && ![ENGLISH, FOR_THE_MODEL, MARKUP].some(set => set.has(file)))
    assert.ok(files.length > 0)
    assert.deepEqual(
      files.flatMap(file => sentencesIn(file).map(sentence => `${file}: ${sentence}`)),
      [],
    )
  })
}

test('the alarm rings', () => {
  for (const file of [...ENGLISH, ...FOR_THE_MODEL, ...MARKUP]) assert.ok(sentencesIn(file).length > 0, file)
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
