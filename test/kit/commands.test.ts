import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Abilities, Command, Host } from '../../src/kit/commands/command.ts'
import { helpText, obey, offered } from '../../src/kit/commands/obey.ts'
import { promptCommand } from '../../src/kit/commands/prompt-command.ts'
import { BUILT_IN } from '../../src/kit/commands/table.ts'
import { expand } from '../../src/kit/expand.ts'
import { kitOf } from '../../src/kit/kit.ts'
import { EN } from '../../src/words/en.ts'
import { ZH } from '../../src/words/zh.ts'

const names = (commands: readonly Command[]) => commands.map(({ name }) => name)
const ALL = [
  ...(['help', 'list', 'prompt', 'later', 'stop', 'compact', 'mode', 'end', 'copy', 'mouse'] as const),
  ...(['theme', 'think', 'work', 'examine'] as const),
] satisfies (keyof Abilities)[]

/** A face that can do so much, and what was asked of it. */
function face(abilities: readonly (keyof Abilities)[] = ALL, more: Partial<Host> = {}) {
  const asked: unknown[][] = []
  const host: Host = {
    ...{ words: EN, running: false },
    say: sentence => asked.push(['say', sentence]),
    refuse: sentence => asked.push(['refuse', sentence]),
    ...Object.fromEntries(abilities.map(name => [name, (given: unknown) => asked.push([name, given])])),
    ...more,
  }
  return { host, asked }
}

/** What a line asks of a face; undefined: it is words for the model. */
function askedBy(line: string, { host, asked } = face(), commands = BUILT_IN): unknown[] | undefined {
  return obey(line, commands, host) ? asked.at(-1) : undefined
}

const inspect = promptCommand({
  name: 'inspect',
  description: 'looks at a change',
  argument: 'FILE',
  text: 'Review $ARGUMENTS. Only $ARGUMENTS!',
})

describe('the table', () => {
  it('has each name once, and words for it in both languages', () => {
    const all = BUILT_IN.flatMap(({ name, aliases = [] }) => [name, ...aliases])
    assert.deepEqual([...new Set(all)], all)
    for (const words of [EN, ZH]) {
      assert.deepEqual(names(BUILT_IN), Object.keys(words.commands))
      for (const command of BUILT_IN) {
        const { does, argument, expects } = command.words(words)
        assert.ok(does.length > 0, command.name)
        assert.equal(argument !== undefined, command.argument !== undefined, command.name)
        assert.equal(expects !== undefined, command.argument?.isRequired === true, command.name)
      }
    }
  })

  it('offers each face what it can do', () => {
    assert.deepEqual(names(offered(BUILT_IN, face().host)), names(BUILT_IN))
    const plain = face(ALL.filter(name => !['copy', 'mouse', 'theme'].includes(name)))
    assert.deepEqual(names(offered(BUILT_IN, plain.host)), [
      ...['help', 'model', 'mode', 'think', 'plan', 'agent', 'rewind', 'undo', 'redo', 'retry'],
      ...[
        'commit',
        'review',
        'pr-message',
        'diff',
        'image',
        'btw',
        'todo',
        'tasks',
        'background',
        'until',
        'verify',
        'later',
      ],
      'stop',
      ...['compact', 'context', 'cost', 'sessions', 'resume', 'fork', 'clear', 'name', 'export', 'init'],
      ...['config', 'trust', 'doctor', 'quit'],
    ])
    const print = face(['help', 'prompt', 'compact'])
    assert.deepEqual(names(offered([...BUILT_IN, inspect], print.host)), ['help', 'compact', 'inspect'])
  })

  const rows: [line: string, asked: unknown[]][] = [
    ['/model', ['list', 'model']],
    ['/model qwen3:8b', ['end', { type: 'model', name: 'qwen3:8b' }]],
    ['/resume', ['list', 'session']],
    ['/resume abc', ['end', { type: 'session', id: 'abc' }]],
    [' /clear ', ['end', { type: 'new session' }]],
    ['/compact the names\nof files', ['compact', 'the names\nof files']],
    ['/mode', ['list', 'mode']],
    ['/mode yolo', ['mode', 'yolo']],
    ['/mode loud', ['refuse', 'Expected a mode (ask, auto-edit, plan, yolo); came loud.']],
    ['/mode toString', ['refuse', 'Expected a mode (ask, auto-edit, plan, yolo); came toString.']],
    ['/think high', ['think', 'high']],
    ['/think hard', ['refuse', 'Expected one of off, on, low, medium, high, max; came hard.']],
    ['/later go on', ['later', 'go on']],
    ['/later', ['refuse', '/later expects the words that are to wait.']],
    ['/stop', ['say', 'Nothing is running.']],
    ['/theme light', ['theme', 'light']],
    ['/quit', ['end', { type: 'leave' }]],
    ['/exit', ['end', { type: 'leave' }]],
    ['exit', ['end', { type: 'leave' }]],
    ['/q', ['end', { type: 'leave' }]],
    ['/new', ['end', { type: 'new session' }]],
    ['/fork', ['end', { type: 'fork' }]],
    ['/plan look', ['prompt', 'look']],
    ['/modle', ['refuse', 'There is no command /modle; did you mean /model?']],
    ['/usr', ['refuse', 'There is no command /usr; /help lists them.']],
  ]
  for (const [line, asked] of rows)
    it(`${JSON.stringify(line)} asks for ${asked[0]}`, () => assert.deepEqual(askedBy(line), asked))

  it('leaves words and paths to the model', () => {
    for (const line of [
      'hello',
      '/etc/hosts',
      '/',
      '//',
      '/tmp what is in it',
      '/Model',
      '/12',
      'see /model',
    ])
      assert.equal(askedBy(line), undefined, line)
  })

  it('says so where a face cannot do it, and suggests nothing that it cannot do', () => {
    const plain = () => face(ALL.filter(name => !['copy', 'mouse', 'theme'].includes(name)))
    assert.equal(askedBy('/thme', plain())?.[1], 'There is no command /thme; /help lists them.')
    for (const line of ['/copy', '/theme dark'])
      assert.match(String(askedBy(line, plain())?.[1]), /^\/\w+ is for the full screen/, line)
  })

  it('knows which commands wait until nothing runs', () => {
    const running = () => face(ALL, { running: true })
    for (const line of ['/model', '/model x', '/resume', '/clear', '/compact'])
      assert.match(String(askedBy(line, running())?.[1]), /works when nothing runs/, line)
    assert.deepEqual(askedBy('/stop', running()), ['stop', undefined])
    assert.deepEqual(askedBy('/mode plan', running()), ['mode', 'plan'])
    assert.deepEqual(askedBy('/later x', running()), ['later', 'x'])
  })
})

describe('a command from elsewhere', () => {
  const clear = promptCommand({ name: 'clear', description: '清空', text: 'Forget it.' })

  it('has words of its own, and sends its text with what was typed', async () => {
    const commands = [...BUILT_IN, inspect]
    assert.match(helpText(commands, ZH), /\n\/inspect FILE {2}looks at a change$/)
    // The face sends the line; what the model reads is made of it.
    assert.deepEqual(askedBy('/inspect a $& b', face(), commands), ['prompt', '/inspect a $& b'])
    const read = async (line: string) => (await expand(line, async () => ({ commands })))?.text
    const commandsWith = (...more: Command[]) => [...commands, ...more]
    assert.equal(await read('/inspect a $& b'), 'Review a $& b. Only a $& b!')
    assert.equal(await read('/etc/hosts is what?'), undefined)
    assert.equal(await read('/compact'), undefined)
    const rows: [text: string, typed: string, read: string][] = [
      ['Forget it.', 'the rest', 'Forget it.\n\nthe rest'],
      ['From $1 to $2, $3', '"a b" $1', 'From a b to $1, '],
      ['$ARGUMENTSX $10 $$', 'x', '$ARGUMENTSX $10 $$\n\nx'],
    ]
    for (const [text, typed, wanted] of rows) {
      const own = promptCommand({ name: 'own', description: '', text })
      const all = async () => ({ commands: commandsWith(own) })
      assert.equal((await expand(`/own ${typed}`, all))?.text, wanted)
    }
    assert.deepEqual(askedBy('/inspct', face(), commands), [
      ...['refuse', 'There is no command /inspct; did you mean /inspect?'],
    ])
  })

  it('takes the place of one of its name that is further away, and that is told', async () => {
    const { commands, clashes } = await kitOf([
      { from: 'gopi', commands: async () => BUILT_IN },
      { from: '.gopi/commands', commands: async () => [clear, inspect] },
    ]).commands()
    assert.deepEqual(names(commands), [...names(BUILT_IN), 'inspect'])
    assert.deepEqual(askedBy('/clear', face(), commands), ['prompt', '/clear'])
    assert.deepEqual(
      clashes.map(({ message }) => message),
      ['/clear of .gopi/commands is used in place of the one of gopi.'],
    )
    for (const words of [EN, ZH]) assert.match(words.say(clashes[0] ?? { code: '', facts: {} }), /\/clear/)
    assert.match(ZH.say(clashes[0] ?? { code: '', facts: {} }), /代替/)
  })
})
