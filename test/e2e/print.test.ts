import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { gate } from '../support/demo/reply.ts'
import { call } from '../support/house.ts'
import { entry, openProgram, type Program, startProcess } from '../support/program.ts'
import { openTerminal } from '../support/terminal.ts'

test('stdout in a pipe holds the last reply alone; what came before and the tools go to stderr', async t => {
  const gopi = await openProgram(t, {
    files: { 'a.txt': 'hello\n' },
    replies: [
      { text: 'I look\x1b]0;owned\x07 first.', calls: [{ name: 'read', arguments: { path: 'a.txt' } }] },
      { text: 'Now I try it.', calls: [{ name: 'bash', arguments: { command: 'exit 3' } }] },
      'It says hello.\n\n',
    ],
  })
  const { code, stdout, stderr } = await gopi.run(['-p', '--yolo', 'what is in a.txt?'])
  assert.equal(stdout, 'It says hello.\n')
  assert.equal(code, 0)
  for (const line of ['I look first.', '✓ read a.txt · 1 line', 'Now I try it.', '✗ bash exit 3 · exit 3'])
    assert.ok(stderr.split('\n').includes(line), `${line} in ${stderr}`)
  assert.deepEqual(gopi.server.violations, [])
})

test('standard input is appended to the prompt, or is the prompt', async t => {
  const gopi = await openProgram(t, { replies: ['ok', 'ok', 'ok'] })
  await gopi.run(['-p', 'sum', 'this up'], { stdin: 'one\ntwo\n' })
  await gopi.run(['-p'], { stdin: '只有这个' })
  await gopi.run(['--', '-p is what?'], { stdin: '' })
  const prompts = [0, 1, 2].map(index => gopi.sent(index).at(-1))
  assert.deepEqual(prompts, ['sum this up\n\none\ntwo', '只有这个', '-p is what?'])
})

test('a file that is named with @ on the command line goes with the prompt; one on standard input is text', async t => {
  const gopi = await openProgram(t, { files: { 'a.txt': 'AAA\n' }, replies: ['ok', 'ok'] })
  await gopi.run(['-p', 'see', '@a.txt'], { stdin: 'not @a.txt\n' })
  await gopi.run(['-p'], { stdin: 'see @a.txt\n' })
  assert.deepEqual(gopi.sent(0), ['<file path="a.txt">\n1\tAAA\n</file>\n\nsee @a.txt\n\nnot @a.txt'])
  assert.deepEqual(gopi.sent(1), ['see @a.txt'])
})

test('a prompt that is a command is done, or said to need a conversation; a path stays a prompt', async t => {
  const gopi = await openProgram(t, { replies: ['ok', 'ok', 'ok'] })
  const help = await gopi.run(['-p', '/help'])
  assert.equal(help.code, 0)
  assert.match(
    help.stdout,
    /^\/help {2}keys and commands\n[\s\S]*\n\/compact \[WHAT TO KEEP\] {2}summarise [^\n]*\n/,
  )
  assert.doesNotMatch(help.stdout, /^\/(?:model|mode|plan|later|resume|clear|copy|quit)\b/m)
  const compacted = await gopi.run(['-p', '/compact', 'the', 'names'])
  assert.deepEqual([compacted.code, compacted.stdout], [0, ''])
  assert.match(compacted.stderr, /nothing to summarise/)
  const json = await gopi.run(['-p', '--output-format', 'json', '/compact'])
  const { reason, text, turns } = JSON.parse(json.stdout)
  assert.deepEqual([reason, text, turns], ['done', '', 0])
  for (const prompt of ['/copy', '/model x', '/quit']) {
    const { code, stdout, stderr } = await gopi.run(['-p', prompt])
    assert.deepEqual([code, stdout], [2, ''])
    assert.match(stderr, /^gopi: \/\w+ is for a conversation: it does nothing with -p\.\n$/)
  }
  assert.deepEqual(gopi.journalFiles(), [])
  await gopi.run(['-p', '/etc/hosts'])
  const nope = await gopi.run(['-p', '/nope'])
  assert.deepEqual([nope.code, nope.stderr], [2, 'gopi: There is no command /nope; /help lists them.\n'])
  await gopi.run(['-p', '/tmp'])
  await gopi.run(['-p'], { stdin: '/compact\n' })
  assert.deepEqual(
    [0, 1, 2].map(index => gopi.sent(index)),
    [['/etc/hosts'], ['/tmp'], ['/compact']],
  )
})

test('-cp /compact summarises the session that was written last', async t => {
  const gopi = await openProgram(t, {
    model: ({ messages }) =>
      /summary/i.test(messages.at(-1)?.content ?? '') ? 'Kept.' : 'word '.repeat(500),
  })
  mkdirSync(path.join(gopi.home, '.gopi'), { recursive: true })
  writeFileSync(path.join(gopi.home, '.gopi', 'config.yaml'), 'context: { keep_recent: 2 }\n')
  await gopi.run(['-p', 'one'])
  for (const prompt of ['two', 'three']) await gopi.run(['-cp', prompt])
  const { code, stdout, stderr } = await gopi.run(['-cp', '/compact', 'the names'])
  assert.deepEqual([code, stdout], [0, ''], stderr)
  assert.match(stderr, /was summarised: [\d,]+ → [\d,]+ tokens/)
  assert.ok(gopi.journals()[0]?.some(({ type }) => type === 'compaction'))
})

test('-p without any prompt is a bad argument', async t => {
  const gopi = await openProgram(t)
  for (const stdin of ['', ' \n']) {
    const { code, stdout, stderr } = await gopi.run(['-p'], { stdin })
    assert.equal(code, 2)
    assert.equal(stdout, '')
    assert.match(stderr, /^gopi: -p expects a prompt.*\n$/)
  }
  assert.deepEqual(gopi.journalFiles(), [])
})

test('json: one object at the end, also of a failed run', async t => {
  const gopi = await openProgram(t, {
    replies: [
      call('ls', {}),
      'Nothing here.',
      ['half an ans', { cut: true }],
      {
        failure: {
          status: 500,
          error: 'model requires more system memory (9.9 GiB) than is available (1.0 GiB)',
        },
      },
    ],
  })
  const good = await gopi.run(['-p', '--output-format', 'json', 'what is here?'])
  assert.equal(good.code, 0)
  const result = JSON.parse(good.stdout)
  assert.equal(good.stdout, `${JSON.stringify(result)}\n`)
  const { session_id, model, duration_ms, usage, ...rest } = result
  assert.deepEqual(rest, { type: 'result', text: 'Nothing here.', turns: 2, reason: 'done' })
  assert.match(session_id, /^[0-9a-z]{10}$/)
  assert.equal(model, 'qwen2.5-coder:7b')
  assert.ok(duration_ms > 0 && usage.prompt_tokens > 0 && usage.completion_tokens > 0)

  const cut = await gopi.run(['-p', '--output-format=json', 'again'])
  assert.equal(cut.code, 1)
  assert.equal(JSON.parse(cut.stdout).error.code, 'stream')
  assert.equal(JSON.parse(cut.stdout).reason, 'error')
  assert.equal(JSON.parse(cut.stdout).text, 'half an ans')

  const full = await gopi.run(['-p', '--output-format=json', 'again'])
  assert.equal(full.code, 1)
  assert.equal(JSON.parse(full.stdout).error.code, 'memory')

  const nobody = await gopi.run(['-p', '--output-format=json', 'hi'], {
    env: { OLLAMA_HOST: 'http://127.0.0.1:9' },
  })
  assert.equal(nobody.code, 3)
  assert.equal(JSON.parse(nobody.stdout).error.code, 'no_server')
  assert.equal(nobody.stdout.split('\n').length, 2)
})

test('an error in JSON has its code, its facts and the English sentence, whatever the language', async t => {
  const swallowed = [{ hidden: '<tool_call>' }, { hidden: 'x' }]
  const gopi = await openProgram(t, { replies: [swallowed, swallowed, swallowed] })
  const { code, stdout } = await gopi.run(['-p', '--output-format', 'json', 'go'], {
    env: { GOPI_LANG: 'zh' },
  })
  assert.equal(code, 1)
  const { error } = JSON.parse(stdout)
  assert.deepEqual(Object.keys(error), ['code', 'facts', 'message'])
  assert.deepEqual([error.code, error.facts.case, error.facts.replies], ['stream', 'unreadable', 3])
  assert.match(error.message, /^The model's last 3 replies could not be read/)
})

test('stream-json: an object a line; the kept ones are the lines of the journal', async t => {
  const gopi = await openProgram(t, {
    files: { 'a.txt': 'hello\n' },
    replies: [
      { text: 'I look.', calls: [{ name: 'bash', arguments: { command: 'cat a.txt' } }] },
      ['It says ', 'hello.'],
    ],
  })
  const { code, stdout } = await gopi.run(['-p', '--yolo', '--output-format', 'stream-json', 'what?'])
  assert.equal(code, 0)
  assert.ok(stdout.endsWith('}\n'))
  const lines = stdout.trimEnd().split('\n')
  const kept = lines.filter(line => JSON.parse(line).timestamp !== undefined)
  const [journal] = gopi.journals()
  const written = journal
    ?.map(entry => JSON.stringify(entry))
    .filter(line => !line.includes('message_partial'))
  assert.deepEqual(kept, written)

  const live = lines.map(line => JSON.parse(line)).filter(({ timestamp }) => timestamp === undefined)
  const texts = live.filter(({ type }) => type === 'message_delta').map(({ text }) => text)
  assert.ok(texts.slice(-2).join('').includes('It says hello.'))
  assert.deepEqual(live.filter(({ type }) => type === 'message_start').length, 2)
  assert.equal(
    live
      .filter(({ type }) => type === 'tool_output')
      .map(({ text }) => text)
      .join(''),
    'hello\n',
  )
  const phases = live.filter(({ type }) => type === 'phase').map(({ phase }) => phase)
  assert.ok(phases.includes('waiting') && phases.includes('writing') && phases.includes('tool'), `${phases}`)
  assert.equal(phases.at(-1), 'idle')
})

test('what happens while standard input is awaited is told too: a journal of events begins with its header', async t => {
  const gopi = await openProgram(t, { replies: ['Hi.'] })
  const started = gopi.start(['-p', '--output-format', 'stream-json'], { stdin: 'open' })
  await started.until('stdout', /"type":"prompt"/)
  started.child.stdin.end('hello')
  const { code, stdout } = await started.ended
  assert.equal(code, 0)
  const types = stdout
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line).type)
  assert.deepEqual(types.slice(0, 3), ['header', 'model_change', 'prompt'])
})

test('a reply that broke off is no answer: what came of it is told to stderr', async t => {
  const gopi = await openProgram(t, {
    replies: [['Half of ', 'it', { cut: true }]],
  })
  const broken = await gopi.run(['-p', 'go'])
  assert.deepEqual([broken.code, broken.stdout], [1, ''])
  assert.match(broken.stderr, /^Half of it\ngopi: /m)
})

test('stream-json is flushed line by line: a delta arrives before the server sends the next', async t => {
  const [first, second] = [gate(), gate()]
  const gopi = await openProgram(t, {
    replies: [['Hello', { gate: first }, ' Jane', { gate: second }, ', bye.']],
  })
  const started = gopi.start(['-p', '--output-format', 'stream-json', 'hi'])
  await started.until('stdout', /"message_delta".*"Hello"\}\n/)
  assert.doesNotMatch(started.stdout, /Jane/)
  first.open()
  await started.until('stdout', /"message_delta".*" Jane"\}\n/)
  second.open()
  assert.equal((await started.ended).code, 0)
})

test('a reader that leaves early ends it quietly', async t => {
  const held = gate()
  const gopi = await openProgram(t, {
    replies: [['one\n', 'two\n', { gate: held }, ...Array.from({ length: 2000 }, (_, n) => `line ${n}\n`)]],
  })
  const started = gopi.start(['-p', '--output-format', 'stream-json', 'count'])
  await started.until('stdout', /two/)
  started.child.stdout.destroy()
  held.open()
  const { stderr, signal } = await started.ended
  assert.equal(signal, null)
  assert.equal(stderr, '')
})

test('an answer that cannot be written, as on a full disk, is an error', async t => {
  const gopi = await openProgram(t, { replies: ['lost', 'lost', 'lost', 'lost'] })
  for (const format of ['text', 'json', 'stream-json']) {
    // A file that is open for reading only refuses what is written, on every system.
    const ended = await startShell(
      t,
      gopi,
      `exec "$NODE" "$ENTRY" -p --output-format ${format} hi 1<"$ENTRY"`,
    )
    assert.equal(ended.code, 1, format)
    assert.match(ended.stderr, /^gopi: The output could not be written: EBADF\b.*\n$/, format)
  }
  const chinese = `GOPI_LANG=zh exec "$NODE" "$ENTRY" -p hi 1<"$ENTRY"`
  assert.match((await startShell(t, gopi, chinese)).stderr, /^gopi: 无法写出输出：EBADF\b.*。\n$/)
})

test('what only prints is quiet to a reader that has gone, and says so when it cannot be written', async t => {
  const gopi = await openProgram(t)
  for (const args of [
    '--version',
    '--help',
    'models --help',
    'config',
    'models',
    'permission check bash ls',
  ]) {
    const started = gopi.start(args.split(' '))
    started.child.stdout.destroy() // Before the first byte.
    const left = await started.ended
    assert.deepEqual([left.code, left.stderr], [1, ''], args)
    const refused = await startShell(t, gopi, `exec "$NODE" "$ENTRY" ${args} 1<"$ENTRY"`)
    assert.equal(refused.code, 1, args)
    assert.match(refused.stderr, /^gopi: The output could not be written: EBADF\b.*\n$/, args)
  }
})

test('a closed stdout, stderr or stdin breaks nothing', async t => {
  const gopi = await openProgram(t, { replies: ['fine', 'fine', call('read', { path: 'x' }), 'fine'] })
  for (const closed of ['>&-', '2>&-', '<&- >&- 2>&-']) {
    const ended = await startShell(t, gopi, `exec "$NODE" "$ENTRY" -p hi ${closed}`)
    assert.ok(ended.code === 0 || ended.code === 1, `${closed}: ${JSON.stringify(ended)}`)
    assert.doesNotMatch(ended.stderr, /failed|at .*\.cjs/)
  }
})

test('on a terminal every reply streams to stdout, cleaned, with the lines of the tools between', async t => {
  const held = gate()
  const gopi = await openProgram(t, {
    replies: [
      { text: 'I look\x1b[2J first.', calls: [{ name: 'bash', arguments: { command: 'true' } }] },
      ['The answer', { gate: held }, ' is 42.'],
    ],
  })
  const term = openTerminal(t, gopi, { args: ['-p', '--yolo', 'what is it?'] })
  await term.until('The answer')
  held.open()
  await term.until(' is 42.')
  // Standard input is a terminal too: it is not waited for.
  assert.equal(await term.ended, 0)
  assert.equal(term.output, 'I look first.\r\n✓ bash true\r\nThe answer is 42.\r\n')
})

const startShell = (t: TestContext, { cwd, env }: Program, command: string) =>
  startProcess(t, ['/bin/sh', '-c', command], { cwd, env: { ...env, NODE: process.execPath, ENTRY: entry } })
    .ended
