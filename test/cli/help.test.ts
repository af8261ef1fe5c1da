import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseArgs } from '../../src/cli/args.ts'
import { commandHelp, topHelp } from '../../src/cli/help.ts'
import type { Option } from '../../src/cli/option.ts'
import { COMMANDS, type CommandName, runOptions } from '../../src/cli/options.ts'
import { UsageError } from '../../src/protocol/errors.ts'

const names = Object.keys(COMMANDS) as CommandName[]
const texts = new Map([['', topHelp()], ...names.map(name => [name, commandHelp(name)] as const)])

test('help fits 80 columns, without loose ends', () => {
  for (const [name, text] of texts) {
    assert.ok(text.endsWith('\n') && !text.endsWith('\n\n'), name)
    for (const line of text.split('\n')) {
      assert.ok([...line].length <= 80, `${name}: ${line}`)
      assert.ok(!/\s$|undefined|\[object/.test(line), `${name}: ${line}`)
    }
  }
})

test('explanations stand in a column that nothing reaches into', () => {
  for (const [name, text] of texts) {
    const lines = text.split('\n').filter(line => /^ {2,6}[-$A-Z.\w].* {2}\S/.test(line))
    for (const line of lines) assert.match(line, /^.{27} \S/, `${name}: ${line}`)
    for (const line of text.split('\n'))
      assert.ok(!/^ +-/.test(line) || lines.includes(line) || /^.{28,}$/.test(line), line)
  }
})

test('help lists every option of the contract', () => {
  const contract =
    '-p -m --model --host --tool-calling --think -c --continue -r --resume --fork --no-session --mode --yolo --trust --output-format --output-schema --max-turns --plain --config --demo --debug --version --help'
  const listed = listedIn(topHelp())
  assert.deepEqual(
    contract.split(' ').filter(name => !listed.includes(name)),
    [],
  )
  assert.deepEqual(
    listedIn(commandHelp('demo')).filter(name => !/debug|help|-h/.test(name)),
    ['--port', '--prefill', '--decode', '--load'],
  )
  for (const word of ['models', 'sessions', 'config', 'demo'])
    assert.match(topHelp(), new RegExp(`^  ${word} `, 'm'))
  for (const code of [0, 1, 2, 3, 4, 5, 130]) assert.match(topHelp(), new RegExp(`^  ${code} `, 'm'))
})

/** What stands at the beginning of an option's line: `-m, --model NAME` → `-m`, `--model`. */
function listedIn(text: string): string[] {
  const lines = text.split('\n').filter(line => /^ +-/.test(line) && line.indexOf('-') < 8)
  return lines.flatMap(
    line =>
      line
        .trimStart()
        .split('  ')[0]
        ?.match(/(?<![\w-])--?[a-z][a-z-]*/g) ?? [],
  )
}

test('what help lists the parser knows, and the other way round', () => {
  const tables: [string, Record<string, Option<unknown>>][] = [
    ['', runOptions],
    ...names.map((name): [string, Record<string, Option<unknown>>] => [name, COMMANDS[name].options]),
  ]
  for (const [command, table] of tables) {
    const listed = listedIn(texts.get(command) ?? '')
    assert.deepEqual(
      listed.sort(),
      Object.values(table)
        .flatMap(option => option.names)
        .sort(),
      command,
    )
    for (const name of listed) {
      assert.ok(!unknownTo(command, name), `${command} ${name}`)
      assert.ok(unknownTo(command, `${name}qq`) || name.length === 2, `${command} ${name}qq`)
    }
  }
})

function unknownTo(command: string, name: string): boolean {
  try {
    parseArgs(command === '' ? [name] : [command, name])
    return false
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    return error.problems.some(problem => problem.startsWith('there is no option'))
  }
}

test('no two options of a table share a name', () => {
  for (const table of [runOptions, ...names.map(name => COMMANDS[name].options)]) {
    const all = Object.values(table).flatMap((option: Option<unknown>) => option.names)
    assert.equal(new Set(all).size, all.length)
  }
})
