import assert from 'node:assert/strict'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { topHelp } from '../../src/cli/help.ts'
import type { ChatBody } from '../../src/demo/request.ts'
import { builtinTools } from '../../src/tools/list.ts'
import { toWire } from '../../src/tools/tool.ts'
import { call } from '../support/house.ts'
import {
  entry,
  eventually,
  openProgram,
  type Program,
  type ProgramOptions,
  startProcess,
  temporary,
} from '../support/program.ts'

/** What `watch-start.cjs` writes down: until the first words for the model left, or gopi ended without any. */
interface Seen {
  /** Files of dist that were read, the front door first. */
  read: string[]
  /** How V8 took the code that was kept of each script. */
  code: ('none' | 'rejected' | 'taken')[]
  /** Names that were looked up. */
  asked: string[]
  spawned: string[]
  /** Modules of Node that were loaded. */
  modules: string[]
  zod: boolean
}

const hook = fileURLToPath(new URL('../support/watch-start.cjs', import.meta.url))

async function openWatched(t: TestContext, options: ProgramOptions = {}) {
  const gopi = await openProgram(t, { model: () => 'Hello.', ...options })
  const file = path.join(gopi.home, 'seen.json')
  const watched = { NODE_OPTIONS: `--require ${JSON.stringify(hook)}`, GOPI_WATCH: file }
  return {
    ...gopi,
    async watch(...args: string[]): Promise<Seen & { inAll: Seen; stdout: string }> {
      const { code, stdout, stderr } = await gopi.run(args, { env: watched })
      assert.equal(code, 0, stderr)
      assert.doesNotMatch(stderr, /gopi/)
      return { ...JSON.parse(readFileSync(file, 'utf8')), stdout }
    },
  }
}

const cacheOf = ({ home }: Pick<Program, 'home'>) => path.join(home, '.gopi', 'cache')
const codeOf = (gopi: Pick<Program, 'home'>, face = 'print') =>
  path.join(cacheOf(gopi), `code-${face}-${process.version}-${process.arch}`)

/** The scripts whose code is kept. */
const codesOf = (gopi: Pick<Program, 'home'>): string[] =>
  readdirSync(cacheOf(gopi)).flatMap(name => /^code-(\w+)-/.exec(name)?.[1] ?? [])

/** What Node's own fetch is. */
const fetch = 'internal/deps/undici/undici'

/** A config file whose last change is long ago. */
function writeConfig({ home }: Program, text: string): void {
  const file = path.join(home, '.gopi', 'config.yaml')
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, text)
  utimesSync(file, 1e9, 1e9)
}

test('--version and --help are answered by the front door alone', async t => {
  const gopi = await openWatched(t)
  const { version } = JSON.parse(readFileSync(path.join(entry, '../../package.json'), 'utf8'))
  const answers = { '--version': `gopi ${version}\n`, '--help': topHelp(), '-h': topHelp() }
  for (const [argument, answer] of Object.entries(answers)) {
    const { stdout, read, code, modules } = await gopi.watch(argument)
    assert.equal(stdout, answer)
    assert.deepEqual([read, code], [['gopi.cjs'], []])
    assert.ok(!modules.includes('http') && !modules.includes('zlib'))
  }
})

test('the second start runs the code that the first has kept, and keeps it', async t => {
  const gopi = await openWatched(t)
  assert.deepEqual((await gopi.watch('-p', 'hi')).code, ['none'])
  const { ino, mode } = statSync(codeOf(gopi))
  assert.equal(mode & 0o777, 0o600)
  const second = await gopi.watch('-p', 'hi')
  assert.equal(second.stdout, 'Hello.\n')
  assert.deepEqual(second.code, ['taken'])
  assert.deepEqual(second.read, ['gopi.cjs', 'print.cjs'])
  assert.equal(statSync(codeOf(gopi)).ino, ino, 'it was written again')
  assert.deepEqual(second.inAll.code, ['taken', 'taken'])
  assert.deepEqual(second.inAll.read, ['gopi.cjs', 'print.cjs', 'rest.cjs'])
  assert.deepEqual(codesOf(gopi), ['print', 'rest'])
})

test('before the words for the model leave nothing is spawned, nobody else looked up, and nothing loaded that is slow', async t => {
  const gopi = await openWatched(t)
  const host = gopi.server.host.replace('127.0.0.1', 'localhost')
  const { asked, spawned, modules, zod, inAll } = await gopi.watch('--host', host, '-p', 'hi')
  assert.deepEqual(spawned, [])
  assert.deepEqual([...new Set(asked)], ['localhost'])
  assert.equal(zod, false)
  assert.ok(modules.includes('http'))
  assert.ok(!inAll.modules.includes(fetch))
  const slow = [fetch, 'child_process', 'worker_threads', 'readline', 'https', 'perf_hooks', 'fs/promises']
  assert.deepEqual(
    modules.filter(name => slow.includes(name)),
    [],
  )
})

test('three servers of tools that never answer: the first words leave before one is started, or much is loaded', async t => {
  const gopi = await openWatched(t)
  const never = '{ command: sleep, args: ["600"] }'
  writeConfig(gopi, `mcp: { a: ${never}, b: ${never}, c: ${never} }\n`)
  await gopi.watch('-p', 'hi')
  const { read, code, spawned, modules, zod } = await gopi.watch('-p', 'hi')
  assert.deepEqual([spawned, zod, code], [[], false, ['taken']])
  assert.ok(!modules.includes('child_process'))
  // What names them, and what asks for their tools: not the client package, nor what comes after a request.
  const dist = path.dirname(entry)
  const more = read.filter(name => !['gopi.cjs', 'print.cjs'].includes(name))
  const bytes = more.reduce((sum, name) => sum + statSync(path.join(dist, name)).size, 0)
  assert.ok(bytes > 0 && bytes < 40_000, `${bytes} bytes: ${more.join(' ')}`)
})

test('the config file costs yaml and zod once, and again after a change', async t => {
  const gopi = await openWatched(t)
  const model = () => (gopi.server.chats.at(-1)?.body as ChatBody | undefined)?.model
  const isYaml = (name: string) => name.startsWith('yaml-')
  const rows: [write: string | undefined, checks: boolean, model: string][] = [
    ['ollama:\n  model: one:1b\n', true, 'one:1b'],
    [undefined, false, 'one:1b'],
    ['ollama:\n  model: two:2b\n', true, 'two:2b'],
    [undefined, false, 'two:2b'],
  ]
  for (const [text, checks, expected] of rows) {
    if (text !== undefined) writeConfig(gopi, text)
    const { read, zod } = await gopi.watch('-p', 'hi')
    assert.equal(read.some(isYaml), checks, read.join(' '))
    assert.equal(zod, checks)
    assert.equal(model(), expected)
  }
})

test('the model is told about the tools in the same bytes as from source; their code comes with the first call', async t => {
  const gopi = await openWatched(t, {
    files: { 'a.txt': 'in here\n' },
    model: ({ messages }) => (messages.at(-1)?.role === 'tool' ? 'Done.' : call('read', { path: 'a.txt' })),
  })
  const { inAll, zod, read, stdout } = await gopi.watch('-p', 'look')
  assert.equal(stdout, 'Done.\n')
  assert.ok(!zod && !read.includes('rest.cjs'), read.join(' '))
  assert.ok(inAll.zod && inAll.read.includes('rest.cjs'), inAll.read.join(' '))
  const [first, second] = gopi.server.chats.map(({ body }) => body as ChatBody)
  assert.equal(JSON.stringify(first?.tools), JSON.stringify(builtinTools().map(toWire)))
  assert.match(second?.messages.at(-1)?.content ?? '', /in here/)
})

test('code that was damaged, or kept by another Node or build, is left alone and replaced', async t => {
  const gopi = await openWatched(t)
  await gopi.watch('-p', 'hi')
  const file = codeOf(gopi)
  const good = readFileSync(file)
  const bit = Buffer.from(good)
  bit[Math.floor(bit.length / 2)]! ^= 0x40
  const text = good.toString('latin1')
  const bad: [what: string, bytes: Buffer][] = [
    ['a flipped bit', bit],
    ['half of it', good.subarray(0, good.length / 2)],
    [
      'another Node',
      Buffer.from(text.replace(process.version, 'v20.19.0'.padEnd(process.version.length)), 'latin1'),
    ],
    ['another build', Buffer.from(`0000000000000000${text.slice(16)}`, 'latin1')],
  ]
  for (const [what, bytes] of bad) {
    writeFileSync(file, bytes)
    const seen = await gopi.watch('-p', 'hi')
    assert.equal(seen.stdout, 'Hello.\n', what)
    assert.deepEqual(seen.code, ['none'], what)
    assert.deepEqual((await gopi.watch('-p', 'hi')).code, ['taken'], what)
  }
  chmodSync(file, 0o666)
  assert.deepEqual((await gopi.watch('-p', 'hi')).code, ['none'], 'anybody could have written it')
})

test('a start that failed keeps no code; a cache that cannot be written is not spoken of', async t => {
  const gopi = await openWatched(t)
  await gopi.run(['-p', 'hi'], { env: { OLLAMA_HOST: 'http://127.0.0.1:9' } })
  assert.throws(() => statSync(codeOf(gopi)))

  rmSync(cacheOf(gopi), { recursive: true, force: true })
  mkdirSync(path.dirname(cacheOf(gopi)), { recursive: true })
  writeFileSync(cacheOf(gopi), 'no directory')
  for (const _ of [1, 2]) assert.deepEqual((await gopi.watch('-p', 'hi')).code, ['none'])
})

test('gopis that start at once all answer, and leave one good cache', async t => {
  const gopi = await openWatched(t)
  const all = await Promise.all(['a', 'b', 'c', 'd'].map(word => gopi.run(['-p', '--no-session', word])))
  for (const { code, stdout, stderr } of all) assert.deepEqual([code, stdout, stderr], [0, 'Hello.\n', ''])
  assert.deepEqual(codesOf(gopi), ['print', 'rest'])
  assert.deepEqual((await gopi.watch('-p', 'hi')).code, ['taken'])
})

test('a conversation keeps code of its own when it has come to rest', async t => {
  const gopi = await openProgram(t, { model: () => 'Hello.' })
  const started = gopi.start(['--plain'], { stdin: 'open' })
  await eventually('code is kept', () => existsSync(codeOf(gopi, 'print-lines')))
  started.child.stdin.end('hi\n')
  const { code, stdout } = await started.ended
  assert.equal(code, 0)
  assert.match(stdout, /Hello\./)
})

test('dist works wherever it is put', async t => {
  const gopi = await openProgram(t, {
    files: { 'a.txt': 'in here\n' },
    model: ({ messages }) => (messages.at(-1)?.role === 'tool' ? 'Done.' : call('read', { path: 'a.txt' })),
  })
  const elsewhere = path.join(temporary(t, 'gopi-dist-'), 'some where')
  cpSync(path.dirname(entry), elsewhere, { recursive: true })
  writeConfig(gopi, 'ollama:\n  model: one:1b\n')
  for (const _ of ['without code', 'with it']) {
    const command = [process.execPath, path.join(elsewhere, 'gopi.cjs'), '-p', 'look']
    const { stdout, stderr } = await startProcess(t, command, { cwd: gopi.cwd, env: gopi.env }).ended
    assert.equal(stdout, 'Done.\n', stderr)
  }
})
