import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { gate, type Reply } from '../support/demo/reply.ts'
import { call } from '../support/house.ts'
import { entry, eventually, openProgram, type Program, startProcess } from '../support/program.ts'
import { ctrlC, ctrlD, openTerminal } from '../support/terminal.ts'

const openPlain = (t: TestContext, gopi: Program, args: readonly string[] = []) =>
  openTerminal(t, gopi, { args: ['--plain', ...args] })

/** What a person can read: colours aside. */
const plainText = (output: string): string => output.replaceAll(/\x1b\[\d*m/g, '')

test('a conversation on a terminal: typed words, streamed replies, a line per tool, the diff before the yes', async t => {
  const held = gate()
  const gopi = await openProgram(t, {
    files: { 'main.ts': 'one\ntwo\nthree\n' },
    replies: [
      ['Hello', { gate: held }, ', you.'],
      call('read', { path: 'main.ts' }),
      call('edit', { path: 'main.ts', old: 'two', new: 'zwei\ndrei' }),
      call('bash', { command: 'echo out; exit 1' }),
      'Edited.',
    ],
  })
  // Here commands are asked about.
  mkdirSync(path.join(gopi.home, '.gopi'), { recursive: true })
  writeFileSync(path.join(gopi.home, '.gopi/config.yaml'), 'sandbox: off\n')
  const term = openPlain(t, gopi)
  await term.until(/qwen2\.5-coder:7b \(native\) at http:.* ask /)
  await term.until('> ')
  term.enter('hello')
  await term.until('Hello')
  held.open()
  await term.until(', you.')
  await term.until('> ')
  term.enter('edit it')
  await term.until(/-two.*\+zwei.*\+drei.*Run it\?/s)
  assert.equal(readFileSync(path.join(gopi.cwd, 'main.ts'), 'utf8'), 'one\ntwo\nthree\n')
  term.enter('y')
  await term.until('✓ edit main.ts +2 −1')
  await term.until(/ {2}echo out; exit 1\r\n.*Run it\?/s)
  term.enter('yes')
  await term.until('✗ bash echo out; exit 1 · exit 1')
  await term.until('Edited.')
  await term.until('> ')
  assert.equal(readFileSync(path.join(gopi.cwd, 'main.ts'), 'utf8'), 'one\nzwei\ndrei\nthree\n')
  term.press(ctrlD)
  assert.equal(await term.ended, 0)
  assert.ok(term.output.endsWith('\n'), 'the shell’s prompt gets a line of its own')
  assert.deepEqual(gopi.server.violations, [])
})

test('/background sends a command away, and whatever ends with the session is named', async t => {
  const command = 'touch begun; sleep 600'
  const gopi = await openProgram(t, { replies: [call('bash', { command }), 'It runs.'] })
  const term = openPlain(t, gopi, ['--yolo'])
  await term.until('> ')
  term.enter('/background')
  await term.until('Nothing is running.')
  term.enter('go')
  await eventually('it has begun', () => existsSync(path.join(gopi.cwd, 'begun')))
  term.enter('/background')
  await term.until('It runs.')
  await term.until('> ')
  term.enter('/clear')
  await term.until(`Ended with the session before (1): ${command}`)
  await term.until('> ')
  term.press(ctrlD)
  assert.equal(await term.ended, 0)
  assert.doesNotMatch(plainText(term.output), /Ended with gopi/)
})

test('no, or words instead, keep a call from running; the words reach the model', async t => {
  const write = call('write', { path: 'new.txt', content: 'x' })
  const gopi = await openProgram(t, { replies: [write, write, 'As you like.'] })
  const term = openPlain(t, gopi)
  await term.until('> ')
  term.enter('make it')
  await term.until('Run it?')
  term.enter('n')
  await term.until('Run it?')
  term.enter('call it other.txt instead')
  await term.until('As you like.')
  await term.until('> ')
  term.enter('/quit')
  assert.equal(await term.ended, 0)
  assert.equal(existsSync(path.join(gopi.cwd, 'new.txt')), false)
  assert.match(gopi.sent(1).at(-1) ?? '', /said no/)
  assert.match(gopi.sent(2).at(-1) ?? '', /call it other\.txt instead/)
})

test('words typed while it works step in at once; /later waits; commands are commands there too', async t => {
  const held = gate()
  const gopi = await openProgram(t, {
    replies: [['A long story', { gate: held }, ' about foxes'], 'Ok, short.', 'Then this.'],
  })
  const term = openPlain(t, gopi)
  await term.until('> ')
  term.enter('tell')
  await term.until('A long story')
  term.enter('/nope')
  await term.until('There is no command /nope')
  term.enter('/later and afterwards')
  await eventually('the follow-up is kept', () => gopi.isWritten('follow_up'))
  term.enter('shorter please')
  await term.until('Ok, short.')
  await term.until('Then this.')
  await term.until('> ')
  term.press(ctrlD)
  assert.equal(await term.ended, 0)
  assert.deepEqual(gopi.sent(1), ['tell', 'A long story', 'shorter please'])
  assert.deepEqual(gopi.sent(2).slice(3), ['Ok, short.', 'and afterwards'])
  assert.doesNotMatch(term.output, /foxes/)
})

test('Ctrl+C stops the run, in a reply or at a question, and the conversation goes on', async t => {
  const stops: [string, Reply][] = [
    ['Once', ['Once', { hang: true }]],
    ['Run it?', call('bash', { command: 'touch never' })],
  ]
  for (const [there, reply] of stops) {
    const gopi = await openProgram(t, { replies: [reply, 'Here again.'] })
    const term = openPlain(t, gopi)
    await term.until('> ')
    term.enter('one')
    await term.until(there)
    term.press(ctrlC)
    await term.until('Stopped.')
    await term.until('> ')
    term.enter('two')
    await term.until('Here again.')
    await term.until('> ')
    term.press(ctrlD)
    assert.equal(await term.ended, 0)
    assert.doesNotMatch(plainText(term.output), /✓ bash/)
    assert.deepEqual(gopi.server.violations, [])
  }
})

test('Ctrl+C twice leaves with 0, from a run or from rest', async t => {
  const gopi = await openProgram(t, { replies: [['Once', { hang: true }]] })
  const busy = openPlain(t, gopi)
  await busy.until('> ')
  busy.enter('one')
  await busy.until('Once')
  busy.press(ctrlC)
  await busy.until('Stopped.')
  busy.press(ctrlC)
  assert.equal(await busy.ended, 0)

  const idle = openPlain(t, gopi)
  await idle.until('> ')
  idle.press(ctrlC)
  await idle.until('Press Ctrl+C again to leave.')
  idle.press(ctrlC)
  assert.equal(await idle.ended, 0)
})

test('a terminal that goes away takes gopi and its commands with it', async t => {
  const gopi = await openProgram(t, { replies: [call('bash', { command: 'echo begun; sleep 60' })] })
  const term = openPlain(t, gopi, ['--yolo'])
  await term.until('> ')
  term.enter('go')
  await eventually('the tool runs', () => gopi.isWritten('tool_call_start'))
  term.pty.kill('SIGHUP')
  assert.equal(await term.ended, 129)
  const ends = gopi.journals()[0]?.filter(({ type }) => type === 'agent_end')
  assert.equal(ends?.length, 1)
})

test('a folder with instructions is asked about once; the answer is kept for its owner alone', async t => {
  const gopi = await openProgram(t, {
    files: { 'AGENTS.md': 'Always say MOO.' },
    replies: ['Hi.', 'Hi.'],
  })
  const file = path.join(gopi.home, '.gopi', 'trust.json')
  const piped = await gopi.run(['-p', 'hi'])
  assert.match(piped.stderr, /not trusted/)
  assert.equal(existsSync(file), false)

  const first = openPlain(t, gopi)
  await first.until(/AGENTS\.md.*Do you trust it\? \(y\/n\) /s)
  first.enter('y')
  await first.until('> ')
  first.enter('/quit')
  assert.equal(await first.ended, 0)
  assert.equal(statSync(file).mode & 0o777, 0o600)

  const second = openPlain(t, gopi)
  await second.until('> ')
  second.enter('hi')
  await second.until('Hi.')
  await second.until('> ')
  second.press(ctrlD)
  await second.ended
  assert.doesNotMatch(second.output, /trust/)
  assert.doesNotMatch(gopi.system(0), /MOO/)
  assert.match(gopi.system(1), /MOO/)
})

test('-r offers the sessions of this directory; what is chosen goes on', async t => {
  const gopi = await openProgram(t, { replies: ['One.', 'Two.', 'Three.'] })
  await gopi.run(['-p', 'about apples'])
  await gopi.run(['-p', 'about pears'])
  const term = openPlain(t, gopi, ['-r'])
  await term.until(/1 {2}\w{10} .*about pears.*2 {2}\w{10} .*about apples.*Which session\?/s)
  term.enter('7')
  await term.until('from 1 to 2')
  term.enter('2')
  await term.until('> ')
  term.enter('and?')
  await term.until('Three.')
  await term.until('> ')
  term.press(ctrlD)
  await term.ended
  assert.deepEqual(gopi.sent(2), ['about apples', 'One.', 'and?'])
})

test('nothing that a model, a tool or a file says reaches the terminal raw', async t => {
  const evil = '\x1b]0;owned\x07\x1b[2J\x1b[31mred\x9b5m\u202eback\r'
  const gopi = await openProgram(t, {
    replies: [
      {
        text: `Look: ${evil}`,
        calls: [
          {
            name: 'bash',
            arguments: { command: "echo seen; \x1b]0; echo hidden; printf '\\033[5mX' \x07; exit 1" },
          },
        ],
      },
      call('write', { path: 'evil\u202etxt.sh', content: `${evil}\n` }),
      call('read', { path: `none-${evil}` }),
      [`Bye ${evil.slice(0, 4)}`, evil.slice(4), ' End.'],
    ],
  })
  const term = openPlain(t, gopi)
  await term.until('> ')
  term.enter('go')
  await term.until('Run it?')
  term.enter('y')
  await term.until('Run it?')
  term.enter('y')
  await term.until('End.')
  await term.until('> ')
  term.press(ctrlD)
  await term.ended
  assert.doesNotMatch(plainText(term.output), /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202e]/)
  assert.doesNotMatch(term.output, /\x1b\[(31mred|5m|7m|2J)/)
  // What a person has to judge, and what was done, shows what was hidden in it.
  for (const shown of ['echo seen; \\x1b]0; echo hidden', '\\u{202e}txt.sh +1', '+\\x1b]0;owned'])
    assert.ok(term.output.includes(shown), shown)
})

test('piped input: one line is one prompt, each after the run before; the last may lack its newline', async t => {
  const gopi = await openProgram(t, { model: ({ messages }) => `Reply ${messages.length / 2}.` })
  const { code, stdout, stderr } = await gopi.run(['--plain'], { stdin: 'one\n\n/nope\ntwo\n/help\nthree' })
  assert.deepEqual([code, stderr], [0, ''])
  assert.deepEqual(
    [0, 1, 2].map(index => gopi.sent(index).at(-1)),
    ['one', 'two', 'three'],
  )
  assert.match(stdout, /Reply 1\.[\s\S]*no command \/nope[\s\S]*Reply 2\.[\s\S]*Ctrl\+C[\s\S]*Reply 3\.\n/)
  assert.doesNotMatch(stdout, /\x1b|^> /m)
})

test('another model, another session and back: by commands; one that there is not changes nothing', async t => {
  const gopi = await openProgram(t, {
    server: { models: ['one:7b', 'two:1b'] },
    env: { GOPI_MODEL: 'one:7b' },
    replies: ['First.', 'Second.', 'Third.', 'Fourth.'],
  })
  const term = openPlain(t, gopi)
  await term.until('> ')
  const say = async (line: string, until: RegExp) => {
    term.enter(line)
    const said = await term.until(until)
    await term.until('> ')
    return said
  }
  await say('hello', /First\./)
  await say('/model', /one:7b\r\ntwo:1b/)
  await say('/model nothing:1b', /nothing:1b[\s\S]*one:7b \(/)
  await say('/model two:1b', /two:1b \(/)
  await say('again', /Second\./)
  assert.deepEqual(gopi.sent(1), ['hello', 'First.', 'again'])
  await say('/clear', /\/help/)
  await say('anew', /Third\./)
  assert.deepEqual(gopi.sent(2), ['anew'])
  await say('/resume zzz', /zzz[\s\S]*\/help/)
  await say('/resume', /hello/)
  const [header] = gopi.journals().find(journal => JSON.stringify(journal).includes('hello')) ?? []
  const id = header?.type === 'header' ? header.id : ''
  await say(`/resume ${id}`, /\/help/)
  await say('and back', /Fourth\./)
  assert.deepEqual(gopi.sent(3).slice(0, 3), ['hello', 'First.', 'again'])
  // “Fourth.”, for the terminal's clipboard.
  await say('/copy', /\x1b\]52;c;Rm91cnRoLg==\x07[\s\S]*Copied 7 characters\./)
  await say('/mouse', /\/mouse is for the full screen/)
  await say('/mode plan', /Mode plan: reads and plans/)
  term.enter('/exit')
  assert.equal(await term.ended, 0)
})

test('a thought that was shown as the answer is told from it', async t => {
  const gopi = await openProgram(t, { replies: [['I wonder. ', '\n</think>', '\n\nForty-', 'two.']] })
  const { stdout } = await gopi.run(['--plain'], { stdin: 'how many?' })
  assert.match(stdout, /I wonder\.[\s\S]*\n\(That was a thought\. The answer:\)\nForty-two\.\n/)
  const last = gopi.journals()[0]?.findLast(({ type }) => type === 'message')
  assert.ok(last?.type === 'message' && last.role === 'assistant' && last.thinking === 'I wonder.')
})

test('the model that was chosen in a folder is the one there next time, unless one is named; one that there is not is none', async t => {
  const gopi = await openProgram(t, {
    server: { models: ['one:7b', 'two:1b', 'qwen2.5-coder:7b'] },
    model: ({ model }) => `I am ${model}.`,
  })
  const first = openPlain(t, gopi)
  await first.until(/qwen2\.5-coder:7b \(/)
  await first.until('> ')
  first.enter('/model two:1b')
  await first.until(/two:1b \(/)
  await first.until('> ')
  first.enter('/model nothing:1b')
  await first.until(/nothing:1b[\s\S]*two:1b \(/)
  await first.until('> ')
  first.enter('/quit')
  assert.equal(await first.ended, 0)
  assert.equal((await gopi.run(['-p', 'who?'])).stdout, 'I am two:1b.\n')
  assert.equal((await gopi.run(['-p', '-m', 'one:7b', 'who?'])).stdout, 'I am one:7b.\n')
  assert.equal((await gopi.run(['-p', 'who?'], { env: { GOPI_MODEL: 'one:7b' } })).stdout, 'I am one:7b.\n')
  const elsewhere = path.join(gopi.cwd, 'elsewhere')
  mkdirSync(elsewhere)
  assert.equal((await gopi.run(['-p', 'who?'], { cwd: elsewhere })).stdout, 'I am qwen2.5-coder:7b.\n')
  // A model that is not there is replaced, and that is said.
  const other = await openProgram(t, {
    server: { models: ['one:7b'] },
    model: ({ model }) => `I am ${model}.`,
  })
  const gone = await gopi.run(['-p', 'who?'], { env: { OLLAMA_HOST: other.server.host } })
  assert.deepEqual([gone.code, gone.stdout], [0, 'I am one:7b.\n'])
  assert.match(gone.stderr, /two:1b/)
})

test('piped input that is empty, or only a command, ends it with 0; a failed last run tells by its code', async t => {
  const gopi = await openProgram(t, { replies: [['half', { cut: true }]] })
  for (const stdin of ['', '\n', '/help\n', '/quit\nnever asked\n'])
    assert.equal((await gopi.run(['--plain'], { stdin })).code, 0)
  assert.throws(() => gopi.sent(0), /no request 0/)
  assert.deepEqual(gopi.journalFiles(), [])
  assert.equal((await gopi.run(['--plain'], { stdin: 'go' })).code, 1)
})

test('piped input whose end comes during a run lets the run end; a prompt given in words goes first', async t => {
  const held = gate()
  const gopi = await openProgram(t, { replies: [['One', { gate: held }, ' done.'], 'Two done.'] })
  const started = gopi.start(['--plain', 'first', 'words'], { stdin: 'open' })
  await held.reached
  started.child.stdin.end('then this\n')
  held.open()
  const { code, stdout } = await started.ended
  assert.equal(code, 0)
  assert.match(stdout, /One done\.[\s\S]*Two done\./)
  assert.deepEqual(gopi.sent(1), ['first words', 'One done.', 'then this'])
})

test('what there is to say about the folder and the configuration comes after the greeting', async t => {
  const gopi = await openProgram(t, { files: { 'AGENTS.md': 'Be brief.\n' }, replies: [] })
  const term = openPlain(t, gopi)
  await term.until(/Use them\?|y\/n|\[y\/N\]|trust/i)
  term.enter('n')
  await term.until(/ ask .*\r\n.*gopi: This folder is not trusted, so its instructions are not used/s)
  term.press(ctrlD)
  assert.equal(await term.ended, 0)
})

test('a reader that goes away ends it with 1, and nothing is thrown at the terminal', async t => {
  const gopi = await openProgram(t, { replies: ['Hello.', 'More.', 'And more.'] })
  const line = `printf 'one\\ntwo\\nthree\\n' | "$0" "$1" --plain | head -1; echo "\${PIPESTATUS[1]}"`
  const shell = ['bash', '-c', line, process.execPath, entry]
  const { stdout, stderr } = await startProcess(t, shell, { cwd: gopi.cwd, env: gopi.env }).ended
  assert.match(stdout, /^gopi .*\n1\n$/)
  assert.doesNotMatch(stderr, /Error|at /)
})

test('few file descriptors: a result or a sentence, whatever could not be opened, never a stack', async t => {
  const gopi = await openProgram(t, {
    model: ({ messages }) => (messages.at(-1)?.role === 'tool' ? 'Done.' : call('bash', { command: 'ls' })),
  })
  const run = (descriptors: number, line: string) => {
    const limited = `ulimit -n ${descriptors}; ${line.replaceAll('gopi', '"$0" "$1"')}`
    const shell = ['bash', '-c', limited, process.execPath, entry]
    return startProcess(t, shell, { cwd: gopi.cwd, env: gopi.env }).ended
  }
  assert.equal((await run(1_000, 'gopi -p --mode yolo go')).code, 0)
  // Fewer than these, and Node cannot open the front door.
  let least = 18
  while ((await run(least, 'gopi --version')).code !== 0) least += 1
  const lines = ['exec gopi -p -c --mode yolo go', 'echo go | gopi --plain --mode yolo', 'exec gopi sessions']
  const ends = new Set<number | null>()
  for (const line of lines) {
    for (
      let descriptors = least;
      descriptors < least + 14;
      descriptors += line.includes('sessions') ? 7 : 4
    ) {
      const { code, stdout, stderr } = await run(descriptors, line)
      const told = `${line}, ${descriptors}: ${code}\n${stdout}${stderr}`
      assert.ok(code === 0 || code === 1, told)
      assert.doesNotMatch(stdout + stderr, /\n +at |Please report/, told)
      if (code === 1)
        assert.match(stdout + stderr, /No more files can be opened|cannot be loaded: EMFILE/, told)
      ends.add(code)
    }
  }
  assert.deepEqual([...ends].sort(), [0, 1])
})
