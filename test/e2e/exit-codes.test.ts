import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createConnections } from 'node:net'
import { test } from 'node:test'
import type { DemoModel, Reply } from '../support/demo/reply.ts'
import { call } from '../support/house.ts'
import { openProgram, type ProgramOptions } from '../support/program.ts'

interface Row extends ProgramOptions {
  title: string
  args?: string[]
  code: number
  /** What stands on stderr. */
  says: RegExp
  /** What stands on stdout; default: nothing. */
  answer?: string
}

const forever =
  (reply: Reply): DemoModel =>
  () =>
    reply
const noTools = { status: 400, error: 'registry.ollama.ai/library/qwen2.5-coder:7b does not support tools' }
const write = call('write', { path: 'new.txt', content: 'x' })
const gone = { OLLAMA_HOST: 'http://127.0.0.1:9' }

const rows: Row[] = [
  { title: 'a stream that breaks', replies: [['half', { cut: true }]], code: 1, says: /^half\ngopi: .*\n$/ },
  {
    title: 'an error in the stream',
    replies: [['half', { error: 'llama runner crashed' }]],
    code: 1,
    says: /crashed/,
  },
  {
    title: 'a context that is exceeded',
    replies: [{ failure: { status: 400, error: 'the input length exceeds the context length' } }],
    code: 1,
    says: /context/,
  },
  {
    title: 'three replies that cannot be read',
    model: forever([{ hidden: 'a call that the server swallowed' }]),
    code: 1,
    says: /last 3 replies could not be read.*\n$/,
  },
  {
    title: 'a forced dialect that the model refuses',
    args: ['--tool-calling', 'native'],
    replies: [{ failure: noTools }],
    code: 1,
    says: /tool/,
  },
  { title: 'an unknown option', args: ['--modle', 'x'], code: 2, says: /^gopi: .*--model\b.*\n$/ },
  { title: 'a mode that does not exist', args: ['--mode', 'yes'], code: 2, says: /auto-edit/ },
  { title: 'no such session', args: ['-r', 'zzz'], code: 2, says: /no session "zzz"/ },
  { title: 'no such config file', args: ['--config', 'none.yaml'], code: 2, says: /none\.yaml/ },
  { title: 'nobody at the host', env: gone, code: 3, says: /127\.0\.0\.1:9.*ollama serve.*--demo/s },
  {
    title: 'a host name that does not exist',
    args: ['--host', 'http://no-such-host.invalid:11434'],
    code: 3,
    says: /no-such-host\.invalid/,
  },
  {
    title: 'a model that is not installed, named by a flag',
    args: ['-m', 'nobody:1b'],
    server: { models: ['somebody:7b'] },
    code: 3,
    says: /nobody:1b.*ollama pull nobody:1b/s,
  },
  {
    title: 'the turn limit',
    args: ['--max-turns', '2'],
    model: (_, index) => call('ls', { path: index % 2 === 0 ? '.' : '..' }),
    code: 4,
    says: /Stopped after 2 turns/,
  },
  {
    title: 'the same call again and again',
    model: forever(call('ls', {})),
    code: 4,
    says: /again and again/,
  },
  {
    title: 'a call that nobody could allow',
    replies: [write, 'I could not.'],
    code: 5,
    says: /denied \(.*nobody can be asked/,
    answer: 'I could not.\n',
  },
  {
    title: 'edits allowed',
    args: ['--mode', 'auto-edit'],
    replies: [write, 'Done.'],
    code: 0,
    says: /✓ write/,
    answer: 'Done.\n',
  },
]

test('exit codes: each end has its own, one sentence on stderr, and stdout holds data only', async t => {
  for (const { title, args = [], code, says, answer = '', ...options } of rows) {
    await t.test(title, async t => {
      const gopi = await openProgram(t, options)
      const ended = await gopi.run(['-p', ...args, 'do it'])
      assert.equal(ended.code, code, ended.stderr)
      assert.equal(ended.stdout, answer)
      assert.match(ended.stderr, says)
      assert.doesNotMatch(ended.stderr, /\n\s+at |node:internal/)
      assert.deepEqual(gopi.server.violations, [])
    })
  }
})

test('a configuration with several faults: every one is named with its path', async t => {
  const gopi = await openProgram(t, {
    files: {
      'c.yaml': 'olama: {}\ntools: { bash_timeout: never }\ncontext: { keep_recent: 1 }\nextensions: x\n',
    },
  })
  const { code, stderr } = await gopi.run(['-p', '--config', 'c.yaml', 'hi'])
  assert.equal(code, 2)
  for (const wanted of [/olama.*ollama/, /tools\.bash_timeout/, /context\.keep_recent/, /extensions.*a list/])
    assert.match(stderr, wanted)
  assert.equal(stderr.trimEnd().split('\n').length, 4)
  assert.equal(gopi.server.requests.length, 0)
})

test('something at the host that is no Ollama is told in one sentence', async t => {
  const server = createServer((_, response) =>
    response.setHeader('content-type', 'text/html').end('<html>Hello'),
  )
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  const gopi = await openProgram(t, { env: { OLLAMA_HOST: `127.0.0.1:${port}` } })
  const { code, stderr } = await gopi.run(['-p', 'hi'])
  assert.ok(code === 1 || code === 3, `${code}`)
  assert.match(stderr, new RegExp(`^gopi: [^\n]*127\\.0\\.0\\.1:${port}[^\n]*\n$`))
})

test('something at the host that takes the connection and says nothing is given up after ollama.timeout', async t => {
  const server = createConnections(() => {})
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  const gopi = await openProgram(t, {
    env: { OLLAMA_HOST: `127.0.0.1:${port}` },
    files: { 'quick.yaml': 'ollama: { timeout: 200ms }\n' },
  })
  const { code, stderr } = await gopi.run(['-p', '--config', 'quick.yaml', 'hi'])
  assert.equal(code, 3)
  assert.match(stderr, /^gopi: [^\n]*within 200 ms[^\n]*ollama\.timeout[^\n]*\n$/)
})

test('what needs no server works without one; what needs one says so', async t => {
  const gopi = await openProgram(t, { env: gone })
  const asked: [string[], number, RegExp, RegExp][] = [
    [['--version'], 0, /^gopi \d+\.\d+\.\d+\n$/, /^$/],
    [['--help'], 0, /gopi COMMAND .*--output-format/s, /^$/],
    [['-h'], 0, /gopi \[options\]/, /^$/],
    ...['models', 'sessions', 'config', 'permission', 'demo'].map(
      name => [[name, '--help'], 0, new RegExp(`gopi ${name}`), /^$/] as [string[], number, RegExp, RegExp],
    ),
    [['config'], 0, /model: qwen2\.5-coder:7b +# default/, /^$/],
    [['config', 'get', 'ollama.model'], 0, /^qwen2\.5-coder:7b\n$/, /^$/],
    [['config', 'get', 'ollama.modle'], 2, /^$/, /unknown key; did you mean model\?/],
    [['sessions'], 0, /^$/, /no session/],
    [['models'], 3, /^$/, /^gopi: .*127\.0\.0\.1:9.*\n$/],
    [['doctor'], 1, /^fail +server +No Ollama answers at http:\/\/127\.0\.0\.1:9[\s\S]*^ok +bash/m, /^$/],
    [['init'], 3, /^$/, /^gopi: No Ollama answers at http:\/\/127\.0\.0\.1:9.*\n$/],
    [['doctro'], 2, /^$/, /^gopi: Did you mean gopi doctor\? .*put -- before it\n$/],
    [['completion', 'bash'], 0, /complete .* gopi\n$/, /^$/],
    [['completion', 'csh'], 2, /^$/, /^gopi: gopi completion expects bash, zsh or fish; "csh" came\n$/],
    [
      ['permission', 'check', '--allow', 'Bash(git *)', 'bash', 'git log && rm -rf ~'],
      0,
      /^ask: .*rm -r/,
      /^$/,
    ],
    [
      ['permission', 'check', '--json', '--deny', 'Bash(rm *)', 'bash', 'env rm x'],
      0,
      /^\{"decision":"deny","why":.*"rule":"Bash\(rm \*\)"\}\n$/,
      /^$/,
    ],
    [['permission', 'check', 'bash'], 2, /^$/, /check TOOL ARGUMENT/],
    [['permission', 'check', 'saw', 'x'], 2, /^$/, /no tool saw/],
    [['models', 'one', 'extra'], 2, /^$/, /extra/],
    [[], 3, /^$/, /127\.0\.0\.1:9/],
  ]
  const ended = await Promise.all(asked.map(([args]) => gopi.run(args)))
  for (const [n, [args, code, stdout, stderr]] of asked.entries()) {
    assert.equal(ended[n]?.code, code, `${args}: ${ended[n]?.stderr}`)
    assert.match(ended[n]?.stdout ?? '', stdout, `${args}`)
    assert.match(ended[n]?.stderr ?? '', stderr, `${args}`)
  }
})

test('config --json and models are data; a mark stands at the model in use', async t => {
  const gopi = await openProgram(t, {
    server: { models: ['one:7b', 'two:1b'] },
    env: { GOPI_MODEL: 'two:1b' },
  })
  const config = await gopi.run(['config', '--json'])
  assert.equal(config.code, 0, config.stderr)
  assert.match(JSON.stringify(JSON.parse(config.stdout)), /two:1b/)
  const models = await gopi.run(['models'])
  assert.equal(models.code, 0)
  assert.match(models.stdout, /^ {2}one:7b .*\n\* two:1b .*\n$/)
})
