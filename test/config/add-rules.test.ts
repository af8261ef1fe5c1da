import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  linkSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { addRules } from '../../src/config/add-rules.ts'
import { checkYaml } from '../../src/config/yaml.ts'

const RULE = 'Bash(npm test:*)'

/** What becomes of a config file. */
function added(t: TestContext, before: string, rules: readonly string[]): string {
  const directory = mkdtempSync(path.join(tmpdir(), 'gopi-rules-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  const file = path.join(directory, 'config.yaml')
  writeFileSync(file, before)
  addRules(file, rules)
  return readFileSync(file, 'utf8')
}

test('a rule is put where the list is; values, quotes and comments stay as they were written', t => {
  const rows: [before: string, after: string][] = [
    ['', 'permission:\n  allow:\n    - "Bash(npm test:*)"\n'],
    [
      '# mine\ntui: { theme: light }   # at night',
      '# mine\ntui: {theme: light} # at night\npermission:\n  allow:\n    - "Bash(npm test:*)"\n',
    ],
    [
      'permission:\n  ## modes\n  # mode: ask\n\ntui:\n',
      'permission:\n  allow:\n    - "Bash(npm test:*)"\n  ## modes\n  # mode: ask\n\ntui:\n',
    ],
    [
      'permission:   # safe\n    mode:   ask     # as ever\ntui: {}\n',
      'permission:\n  # safe\n  mode: ask # as ever\n  allow:\n    - "Bash(npm test:*)"\ntui: {}\n',
    ],
    [
      'permission:\n  allow:\n  - Read   # all\n\n  # denied\n  deny: [Edit]\n',
      'permission:\n  allow:\n    - Read # all\n    - "Bash(npm test:*)"\n    # denied\n  deny: [Edit]\n',
    ],
    [
      'permission:\n  allow: [Read,  "Ls"]   # few\n  mode: ask\n',
      'permission:\n  allow: [Read, "Ls", "Bash(npm test:*)"] # few\n  mode: ask\n',
    ],
    ['permission:\n  allow: []\n', 'permission:\n  allow: ["Bash(npm test:*)"]\n'],
    ['permission: { mode: ask, allow: [] }', 'permission: {mode: ask, allow: ["Bash(npm test:*)"]}\n'],
    ['permission:\n  allow:\n    - Read', 'permission:\n  allow:\n    - Read\n    - "Bash(npm test:*)"\n'],
    [
      'permission:\n  allow:\n  mode: ask\n',
      'permission:\n  allow:\n    - "Bash(npm test:*)"\n  mode: ask\n',
    ],
    ['permission:\n  allow: [ "Bash(npm test:*)" ]\n', 'permission:\n  allow: [ "Bash(npm test:*)" ]\n'],
  ]
  for (const [before, after] of rows) assert.equal(added(t, before, [RULE, RULE]), after, before)
})

test('an unforeseen layout keeps its values and comments', t => {
  const rows = [
    'permission: # why\n',
    'permission:\n  allow: # why\n',
    'permission: { mode: ask } # why\n',
    '{ permission: { allow: [\n  Read, # why\n] } }',
    'permission:\n  ? allow\n  : - Read # why\n',
    '"permission":\n  "allow": # why\n    - >-\n      Read\n',
  ]
  for (const before of rows) {
    const after = added(t, before, [RULE])
    assert.match(after, /# why/, before)
    const { values, problems } = checkYaml(after, 'f')
    assert.deepEqual([values['permission.allow']?.at(-1), problems], [RULE, []], after)
  }
})

test('what is no config file is left alone, and said', t => {
  const directory = mkdtempSync(path.join(tmpdir(), 'gopi-rules-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  const file = path.join(directory, 'config.yaml')
  for (const text of [
    'permission: [',
    '- a',
    'permission: x',
    'permission:\n  allow: Read\n',
    'a: 1\na: 2\n',
  ]) {
    writeFileSync(file, text)
    assert.equal(addRules(file, [RULE])?.code, 'config_file', text)
    assert.equal(readFileSync(file, 'utf8'), text)
  }
})

test('the file is replaced as a whole, for its owner alone; a link to it stays', t => {
  const directory = mkdtempSync(path.join(tmpdir(), 'gopi-rules-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  const [file, link] = [path.join(directory, 'new', 'config.yaml'), path.join(directory, 'link')]
  addRules(file, [RULE])
  symlinkSync(file, link)
  addRules(link, ['Read(~/x)'])
  assert.equal(
    readFileSync(file, 'utf8'),
    'permission:\n  allow:\n    - "Bash(npm test:*)"\n    - "Read(~/x)"\n',
  )
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.deepEqual(readdirSync(path.dirname(file)), ['config.yaml'])
  assert.deepEqual(readdirSync(directory).sort(), ['link', 'new'])
})

test('hard links stay together, and what a gopi that was killed left beside the file goes', t => {
  const directory = mkdtempSync(path.join(tmpdir(), 'gopi-rules-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  const [file, other] = [path.join(directory, 'config.yaml'), path.join(directory, 'other.yaml')]
  const { pid } = spawnSync(process.execPath, ['-e', '0'])
  addRules(file, [RULE])
  for (const left of [`${file}.${pid}`, `${file}.${process.ppid}`, `${file}.1x`]) writeFileSync(left, '')
  addRules(file, ['Read(~/a)'])
  assert.deepEqual(
    readdirSync(directory),
    ['config.yaml', 'config.yaml.1x', `config.yaml.${process.ppid}`].sort(),
  )
  linkSync(file, other)
  addRules(file, ['Read(~/b)'])
  assert.match(readFileSync(other, 'utf8'), /test:.*~\/a.*~\/b/s)
  assert.equal(readdirSync(directory).length, 4)
})
