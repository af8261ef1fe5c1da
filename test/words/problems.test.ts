/** What is wrong with a command line or a configuration, and what --help says, in Chinese. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseDocument } from 'yaml'
import { parseArgs } from '../../src/cli/args.ts'
import { commandHelp, topHelp } from '../../src/cli/help.ts'
import { COMMANDS, type CommandName } from '../../src/cli/options.ts'
import { ruleProblems } from '../../src/config/load.ts'
import { checkProfiles } from '../../src/config/profiles-schema.ts'
import { checkTheme } from '../../src/config/themes-schema.ts'
import { checkYaml } from '../../src/config/yaml.ts'
import { UsageError } from '../../src/protocol/errors.ts'
import { displayWidth } from '../../src/text/width.ts'
import { createKeymap } from '../../src/tui/keymap.ts'
import { STYLES } from '../../src/tui/line.ts'
import { helpInChinese } from '../../src/words/help-zh.ts'
import { problemInChinese } from '../../src/words/problem-zh.ts'

/** Two English words side by side that nobody has typed. */
const english = /[a-z]{2,}[,;:]? [a-z]{2,}/i
/** What is typed as it is in every language, what was typed, and what a program says. */
const typed =
  /"[^"]*"|`[^`]*`|\([a-z]+: [^)]*\)|（[^（]*(?::|…)[^（]*）|gopi [a-z]+|--mode [a-z]+|send: none|(?:check|delete|add|set|get|test|prune|remove) (?:[A-Z-]+|--older-than)[^，；、）]*/g

function isChinese(text: string, from: string): void {
  assert.match(text, /\p{Script=Han}/u, `${from}\n→ ${text}`)
  assert.doesNotMatch(text.replaceAll(typed, ''), english, `${from}\n→ ${text}`)
  assert.doesNotMatch(text, /[{}]/.test(from) ? /undefined/ : /[{}]|undefined/, text)
}

function problemsOf(argv: readonly string[]): readonly string[] {
  try {
    parseArgs(argv)
  } catch (error) {
    if (error instanceof UsageError) return error.problems
  }
  return assert.fail(`${argv.join(' ')} is right`)
}

test('what is wrong with a command line is said in Chinese', () => {
  const lines = [
    ...['--modle', '--xyzzy', '-model', '-Q', '--model', '--mode fast', '--mode ploon', '--max-turns x'],
    ...[
      '--demo=x',
      '--version=1',
      '--port',
      'models a b',
      'doctor now',
      'permission look',
      'mcp dance',
      '-c -r',
    ],
    ...[
      'completion tcsh',
      'sessions prune',
      'sessions eat',
      'config put',
      '--yolo --mode plan',
      '--mode plan mcp',
    ],
    ...[
      '-p --plain',
      '--output-format json',
      '-p -r',
      '--demo --host x',
      'demo --port 70000',
      'demo --load -1',
    ],
  ]
  for (const line of lines)
    for (const problem of problemsOf(line.split(' '))) isChinese(problemInChinese(problem), problem)
  const rules = { allow: ['Bash(', 'Bash()', 'Bsh'], deny: ['a b'], ask: ['x\u0007'] }
  for (const problem of ruleProblems(rules)) isChinese(problemInChinese(problem), problem)
  for (const problem of createKeymap({ send: 'x', nope: 'f2', help: 'hyper+q', leave: 'enter' }).problems)
    isChinese(problemInChinese(problem), problem)
  assert.equal(
    problemInChinese('there is no option --modle; did you mean --model?'),
    '没有选项 --modle；是不是 --model？',
  )
})

test('what is wrong with a configuration is said in Chinese, with its place', () => {
  const wrong = [
    'ollama: { host: "", model: 7, timeout: 1, tool_calling: x, keep_alive: y, think: z, prewarm: 1 }',
    'providers: { a: { type: x }, b: 1, "c d": { type: ollama, host: x }, d: { type: pool, of: [x] } }',
    'providers: { e: { type: openai, base_url: "", api_key: 1, headers: { "a b": 1 }, ca: 1, proxy: 1 } }',
    'providers: { e: { type: openai, base_url: x, headers: 1, conversation_header: "a b", models: { m: 1 } } }',
    'providers: { e: { type: openai, base_url: x, models: { m: { context: 0, price: 1 } } } }',
    'context: { max_tokens: x, compaction_threshold: 2, keep_recent: 0, nope: 1 }',
    'tools: { bash_timeout: 1, bash_max_output: 0, read_max_lines: 0, mcp_tokens: -1, git: maybe }',
    'permission: { mode: x, allow: ["Bash("], ask: 1, deny: [1], env: ["a b"] }',
    'sandbox: { mode: x, network: [a b], memory: 1, processes: 1 }\nverify: 7\nmax_turns: x\ninstructions: [1]',
    'sandbox: { network: x, nework: 1 }\nverify: { x: npx tsc, y: { run: x } }\nsandbox.memory: 1',
    'tui: { theme: "a b", mouse: 1, language: fr, keys: 1 }\nextensions: [1]\nhooks: 1\nmcp: 1\ncolor: 1',
    '- 1',
    'tui: { mouse: true }\ntui: { mouse: false }',
    'tui:\n\tmouse: true',
  ]
  let count = 0
  for (const text of wrong)
    for (const problem of checkYaml(text, '/home/me/config.yaml').problems) {
      count++
      isChinese(problemInChinese(problem), problem)
      assert.match(problemInChinese(problem), /^\/home\/me\/config\.yaml:\d+(?:: [\w.[\] ]+)*：/, problem)
    }
  assert.ok(count > 45, `${count} problems`)
  for (const problem of [
    ...checkProfiles(
      'a: { context: x, think: y, options: { heat: 1, seed: x }, stop: 1, nope: 1 }\nb: 1',
      'f',
    ).problems,
    ...checkTheme('base: x\naccent: y\nown: { color: z, blnk: 1 }\nacent: 1', 'f', STYLES).problems,
  ])
    isChinese(problemInChinese(problem), problem)
})

/** What each of these is made of may go wrong in most of the ways there are. */
const YAML = [
  'a: b',
  'a: "b\\n"',
  "'a': 'b' # c",
  '- a\n- b',
  '- a: b\n  c: d',
  'a:\n  b: c\n  d: [e, f]',
  '{a: b, c: [d, {e: f}]}',
  'a: |\n  b\n  c',
  'a: >2-\n    b',
  'a: &x b\nc: *x',
  'a: !!str b',
  '? a\n: b',
  '--- a\n...',
  '%YAML 1.2\n---\na: b',
  'a:\n  - b\n  - c: d',
]
const SIGNS = ['\t', ' ', '\n', ...`-:?,[]{}#&*!|>'"%@\`\\ax0`, '!!binary ', '\n---\n', '\n  ']

test('what the parser of YAML says is Chinese in a Chinese sentence', () => {
  let seed = 7
  const any = (below: number) => {
    seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff
    return seed % below
  }
  const kinds = new Set<string>()
  for (let round = 0; round < 30_000; round++) {
    let text = YAML[any(YAML.length)] ?? ''
    for (let changes = any(4); changes >= 0; changes--) {
      const at = any(text.length + 1)
      text = text.slice(0, at) + (SIGNS[any(SIGNS.length)] ?? '') + text.slice(at + any(2))
    }
    const { errors, warnings } = parseDocument(text, { prettyErrors: false })
    for (const { message, code } of [...errors, ...warnings]) {
      const said = problemInChinese(`this is no YAML: ${message}`)
      if (kinds.has(said)) continue
      kinds.add(said)
      assert.match(said, /^这不是 YAML：/)
      assert.match(said.slice(9), /\p{Script=Han}/u, `${code}: ${message}`)
      assert.doesNotMatch(said.replaceAll(typed, ''), english, `${code}: ${message}`)
    }
  }
  assert.ok(kinds.size > 60, `${kinds.size} kinds`)
})

test('what is not known is said as it came', () => {
  for (const text of ['It is what it is.', 'a or b', 'expected', '', 'the file x: y or z'])
    assert.equal(problemInChinese(text), text)
})

test('--help is Chinese, and fits as the English does', () => {
  const pages = [
    topHelp,
    ...Object.keys(COMMANDS).map(
      name => (say?: typeof helpInChinese) => commandHelp(name as CommandName, say),
    ),
  ]
  for (const page of pages) {
    const asked: string[] = []
    const chinese = page(text => {
      asked.push(text)
      return helpInChinese(text)
    })
    for (const text of asked)
      if (/[a-z]{3} [a-z]/.test(text)) assert.match(helpInChinese(text), /\p{Script=Han}/u, text)
    for (const line of chinese.split('\n')) assert.ok(displayWidth(line) <= 80, line)
    const english = page()
    assert.match(english, /^Options:$/m)
    assert.match(chinese, /^选项：$/m)
  }
})
