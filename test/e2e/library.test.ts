import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { call } from '../support/house.ts'
import {
  openProgram,
  type Program,
  type ProgramOptions,
  root,
  startProcess,
  temporary,
} from '../support/program.ts'

const heads = {
  'program.mjs': "import { builtinTools, createSession } from 'gopi'\nimport { z } from 'zod'\n",
  'program.cjs': "const { builtinTools, createSession } = require('gopi')\nconst { z } = require('zod')\n",
}

/** A program beside the project that has gopi installed, run as ESM and as CommonJS. → what it printed, as JSON. */
async function inBoth(
  t: TestContext,
  options: ProgramOptions,
  body: string,
  look: (printed: Record<string, unknown>, gopi: Program) => void,
): Promise<void> {
  for (const [name, head] of Object.entries(heads)) {
    await t.test(name, async t => {
      const gopi = await openProgram(t, options)
      const place = temporary(t, 'gopi-consumer-')
      mkdirSync(path.join(place, 'node_modules'))
      symlinkSync(root, path.join(place, 'node_modules', 'gopi'))
      symlinkSync(path.join(root, 'node_modules', 'zod'), path.join(place, 'node_modules', 'zod'))
      writeFileSync(
        path.join(place, name),
        `${head}async function main() {\n${body}\n}\nmain().then(value => console.log(JSON.stringify(value)))`,
      )
      const { code, stdout, stderr } = await startProcess(t, [process.execPath, path.join(place, name)], {
        cwd: gopi.cwd,
        env: gopi.env,
      }).ended
      assert.deepEqual([code, stderr], [0, ''])
      look(JSON.parse(stdout), gopi)
      assert.deepEqual(gopi.server.violations, [])
    })
  }
}

test('tools are added to the built-in ones, which a program can have too', async t => {
  await inBoth(
    t,
    { replies: ['One.', { calls: [{ name: 'ls', arguments: {} }] }, 'Two.'] },
    `
  const mine = { name: 'mine', description: 'Mine.', parameters: {}, readOnly: true, execute: () => 'mine' }
  const ls = { ...mine, name: 'ls', execute: () => 'listed by the program' }
  const one = await createSession({ extraTools: [mine] })
  await one.prompt('one')
  await one.close()
  const tools = builtinTools().filter(({ name }) => name === 'read')
  const two = await createSession({ tools, extraTools: [ls] })
  await two.prompt('two')
  await two.close()
  return two.messages.filter(({ role }) => role === 'tool').map(({ content }) => content)`,
    (printed, { server }) => {
      assert.deepEqual(printed, ['listed by the program'])
      const told = server.chats.map(({ body }) =>
        (body as { tools: { function: { name: string } }[] }).tools.map(tool => tool.function.name),
      )
      assert.deepEqual(told[0], ['bash', 'read', 'edit', 'write', 'grep', 'find', 'ls', 'mine'])
      assert.deepEqual(told[1], ['read', 'ls'])
    },
  )
})

test('tools of the program’s own, by JSON Schema and by zod; what changes something is asked about', async t => {
  await inBoth(
    t,
    {
      replies: [
        {
          calls: [
            { name: 'weather', arguments: { city: 'Oslo' } },
            { name: 'add', arguments: { a: 2, b: 3 } },
            { name: 'add', arguments: { a: 'two', b: 3 } },
            { name: 'launch', arguments: { to: 'moon' } },
            { name: 'launch', arguments: { to: 'sun' } },
          ],
        },
        'Sunny, and 5.',
      ],
    },
    `
  const asked = []
  const session = await createSession({
    tools: [
      {
        name: 'weather', description: 'The weather of a city.', readOnly: true,
        parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
        execute: async ({ city }, { signal }) => ({ output: city + ' is sunny', details: signal.aborted }),
      },
      {
        name: 'add', description: 'Adds.', readOnly: true,
        parameters: z.object({ a: z.number(), b: z.number().describe('the other') }),
        execute: ({ a, b }) => String(a + b),
      },
      {
        name: 'launch', description: 'Launches.', parameters: { type: 'object', properties: { to: { type: 'string' } } },
        execute: ({ to }, { onOutput }) => { onOutput('3, 2, 1'); throw new Error('no fuel for the ' + to) },
      },
    ],
    onPermission: async ({ name, arguments: { to } }, why) => { asked.push([name, to, typeof why]); return to === 'moon' ? 'allow' : 'deny' },
  })
  const seen = []
  session.subscribe(event => seen.push(event.type))
  const result = await session.prompt('weather?')
  await session.close()
  return { ...result, asked, tools: session.messages.filter(({ role }) => role === 'tool').map(({ content }) => content), output: seen.includes('tool_output') }`,
    ({ text, reason, turns, asked, tools, output }, { server }) => {
      assert.deepEqual([text, reason, turns, output], ['Sunny, and 5.', 'done', 2, true])
      assert.deepEqual(asked, [
        ['launch', 'moon', 'string'],
        ['launch', 'sun', 'string'],
      ])
      const [weather, sum, wrong, moon, sun] = tools as string[]
      assert.deepEqual([weather, sum, moon], ['Oslo is sunny', '5', 'no fuel for the moon'])
      assert.match(wrong ?? '', /add: .*number/s)
      assert.match(sun ?? '', /Denied/)
      const told = (server.chats[0]?.body as { tools: { function: { name: string } }[] } | undefined)?.tools
      assert.deepEqual(
        told?.map(tool => tool.function.name),
        ['weather', 'add', 'launch'],
      )
    },
  )
})

test('journal: false keeps nothing until save(); what was saved can be gone on with', async t => {
  await inBoth(
    t,
    { replies: ['One.', 'Two.'] },
    `
  const session = await createSession({ journal: false })
  await session.prompt('first')
  const before = session.sessionFile ?? null
  const file = await session.save()
  await session.close()
  const next = await createSession({ resume: session.id.slice(0, 6) })
  const { text } = await next.prompt('second')
  await next.close()
  return { before, file, text, same: next.id === session.id, model: next.model }`,
    ({ before, file, ...rest }, gopi) => {
      assert.equal(before, null)
      assert.deepEqual(rest, { text: 'Two.', same: true, model: 'qwen2.5-coder:7b' })
      assert.deepEqual(gopi.journalFiles(), [file])
      assert.deepEqual(gopi.sent(1), ['first', 'One.', 'second'])
    },
  )
})

test('the mode decides what runs; without anybody to ask, what would ask is denied', async t => {
  await inBoth(
    t,
    {
      replies: [
        call('bash', { command: 'echo ran > it' }),
        'No.',
        call('bash', { command: 'echo ran > it' }),
        'Yes.',
      ],
    },
    `
  const asking = await createSession({})
  const denied = await asking.prompt('run it')
  await asking.close()
  const free = await createSession({ mode: 'yolo', model: 'other:1b' })
  const done = await free.prompt('run it')
  await free.close()
  return { denied: [denied.text, denied.reason], done: [done.text, done.reason], model: free.model }`,
    (printed, { cwd }) => {
      assert.deepEqual(printed, { denied: ['No.', 'permission'], done: ['Yes.', 'done'], model: 'other:1b' })
      assert.equal(readFileSync(path.join(cwd, 'it'), 'utf8'), 'ran\n')
    },
  )
})

test('a wrong configuration, a session that is not there, a second prompt, a closed session: each rejects; a failed run does not', async t => {
  await inBoth(
    t,
    {
      replies: [
        ['half', { cut: true }],
        ['slow', { hang: true }],
      ],
    },
    `
  const failure = promise => promise.then(() => 'none', ({ name, message }) => name + ': ' + message)
  const config = await failure(createSession({ config: { olama: {}, tools: { bash_timeout: 'soon' } } }))
  const resume = await failure(createSession({ resume: 'nothere' }))
  const session = await createSession({})
  const cut = await session.prompt('one')
  const said = new Promise(resolve => session.subscribe(({ type }) => type === 'message_delta' && resolve()))
  const slow = session.prompt('two')
  const second = await failure(session.prompt('three'))
  await said
  session.abort()
  const { reason, text } = await slow
  await session.close()
  await session.close()
  return { config, resume, cut: [cut.reason, cut.error.code], second, slow: [reason, text], closed: await failure(session.prompt('x')) }`,
    ({ config, resume, cut, second, slow, closed }) => {
      assert.match(String(config), /^UsageError: .*tools\.bash_timeout: .*\n.*olama: .*ollama\?$/)
      assert.match(String(resume), /^UsageError: .*"nothere"/)
      assert.deepEqual(cut, ['error', 'stream'])
      assert.match(String(second), /a run is going/)
      assert.deepEqual(slow, ['aborted', 'slow'])
      assert.match(String(closed), /the session is closed/)
    },
  )
})

test('the example of the README runs against the package as it is installed', async t => {
  const gopi = await openProgram(t, {
    replies: [call('write', { path: 'src/a.js', content: 'bar\n' }), 'Renamed.'],
  })
  const place = temporary(t, 'gopi-installed-')
  // The scripts of a package are for those who publish it: what they build is there.
  const pack = ['npm', 'pack', '--ignore-scripts', '--silent', '--pack-destination', place]
  const packed = await startProcess(t, pack, { cwd: root, env: process.env }).ended
  assert.equal(packed.code, 0, packed.stderr)
  const installed = path.join(place, 'node_modules', 'gopi')
  mkdirSync(installed, { recursive: true })
  const [, tarball = ''] = /([\w.-]+\.tgz)\s*$/.exec(packed.stdout) ?? []
  const untar = ['tar', '-xzf', path.join(place, tarball), '-C', installed, '--strip-components=1']
  assert.equal((await startProcess(t, untar, { cwd: place, env: process.env }).ended).code, 0)
  const readme = readFileSync(path.join(root, 'README.md'), 'utf8')
  const [, block = ''] = /\n## For programs\n\n((?: {4}[^\n]*\n|\n)+)/.exec(readme) ?? []
  const example = block.replaceAll(/^ {4}/gm, '')
  assert.match(example, /createSession/)
  writeFileSync(path.join(place, 'example.mjs'), `${example}\nconsole.log('text', text, reason)\n`)
  const ran = await startProcess(t, [process.execPath, path.join(place, 'example.mjs')], {
    ...{ cwd: gopi.cwd, env: gopi.env },
  }).ended
  assert.deepEqual([ran.code, ran.stderr], [0, ''])
  assert.match(ran.stdout, /^agent_start$[\s\S]*^text Renamed\. done$/m)
  assert.equal(readFileSync(path.join(gopi.cwd, 'src/a.js'), 'utf8'), 'bar\n')
})

const cycles = Number(process.env.GOPI_CYCLES ?? 12)

test(`after close() nothing is left of ${cycles} sessions, under 64 descriptors: no child, directory, connection, timer, listener`, async t => {
  const gopi = await openProgram(t, {
    model: ({ messages }) => {
      const last = messages.at(-1)
      return last?.role === 'tool' ? 'Done.' : call('bash', { command: last?.content.split('\n')[0] ?? '' })
    },
  })
  const temporaries = temporary(t, 'gopi-temporaries-')
  const program = path.join(gopi.cwd, 'program.cjs')
  writeFileSync(
    program,
    `const { createSession } = require(${JSON.stringify(root)})
const { readdirSync } = require('node:fs')
const commands = ['echo hi', 'sleep 1000 & echo hi', 'seq 1 30000']
async function cycle(n) {
  const session = await createSession({ mode: 'yolo', journal: n % 2 === 0 })
  const { reason } = await session.prompt(commands[n % commands.length])
  await session.close()
  return reason
}
const left = () => ({
  descriptors: readdirSync('/dev/fd').length,
  temporary: readdirSync(process.env.TMPDIR),
  resources: process.getActiveResourcesInfo().filter(name => !/^((Pipe|TTY)Wrap|FSReq\\w+)$/.test(name)),
  listeners: process.eventNames().map(name => [String(name), process.listenerCount(name)]),
})
// A destroyed socket and its timer are gone a turn or two of the event loop after they were given up.
async function settled() {
  for (let n = 0; n < 500 && left().resources.length > 0; n++) await new Promise(resolve => setTimeout(resolve, 10))
  return left()
}
async function main() {
  const reasons = new Set([await cycle(0)])
  const before = await settled()
  for (let n = 1; n < ${cycles}; n++) reasons.add(await cycle(n))
  console.log(JSON.stringify({ reasons: [...reasons], before, after: await settled(), pid: process.pid, rss: process.memoryUsage().rss }))
  setInterval(() => {}, 1000)
}
main()`,
  )
  const shell = ['bash', '-c', 'ulimit -n 64; exec "$0" "$1"', process.execPath, program]
  const env = { ...gopi.env, TMPDIR: temporaries }
  const started = startProcess(t, shell, { cwd: gopi.cwd, env, stdin: 'open' })
  await started.until('stdout', /\n/)
  const { reasons, before, after, pid, rss } = JSON.parse(started.stdout)
  assert.deepEqual(reasons, ['done'])
  assert.deepEqual(after, before)
  assert.deepEqual([after.temporary, after.resources], [[], []])
  assert.deepEqual(childrenOf(pid), [])
  t.diagnostic(`${cycles} cycles: ${Math.round(rss / 1e6)} MB resident, ${after.descriptors} descriptors`)
})

/** The command lines of a process's children, as `ps` tells them. */
const childrenOf = (pid: number): string[] =>
  execFileSync('ps', ['-Aww', '-o', 'ppid=,args='], { encoding: 'utf8' })
    .split('\n')
    .filter(line => Number.parseInt(line, 10) === pid && !line.includes('ps -Aww'))

test('what left the shell is told with an event before the session is closed, and is in the journal', async t => {
  const gopi = await openProgram(t, {
    replies: [
      call('bash', {
        command: `perl -e 'use POSIX; exit if fork; setsid(); open STDOUT, ">/dev/null"; open STDERR, ">/dev/null"; exec "sleep", "4322"'; sleep 0.1`,
      }),
      'Done.',
    ],
  })
  const { stdout } = await gopi.run(['-p', '--yolo', '--output-format', 'stream-json', 'go'])
  const told = stdout.split('\n').filter(line => line.includes('"left_running"'))
  const { code, facts } = JSON.parse(told[0] ?? '{}')
  if (facts?.process) process.kill(facts.process, 'SIGKILL')
  assert.deepEqual([told.length, code, facts.command], [1, 'shell', 'sleep 4322'])
  assert.ok(gopi.journals()[0]?.some(entry => entry.type === 'notice' && entry.code === 'shell'))
})

test('a program in TypeScript finds the types through package.json, strictly and with the library checked', async t => {
  const place = temporary(t, 'gopi-types-')
  const installed = path.join(place, 'node_modules', 'gopi')
  mkdirSync(installed, { recursive: true })
  copyFileSync(path.join(root, 'package.json'), path.join(installed, 'package.json'))
  mkdirSync(path.join(place, 'node_modules', '@types'))
  for (const name of ['@types/node', 'undici-types', 'zod'])
    symlinkSync(path.join(root, 'node_modules', name), path.join(place, 'node_modules', name))
  const tsc = path.join(root, 'node_modules', '.bin', 'tsc')
  const types = path.join(installed, 'dist', 'types')
  const emit = [tsc, '-p', path.join(root, 'src/tsconfig.types.json'), '--outDir', types]
  const keep = [process.execPath, path.join(root, 'src/keep-types.mjs'), types]
  for (const command of [emit, keep]) {
    const { code, stdout } = await startProcess(t, command, { cwd: root, env: process.env }).ended
    assert.deepEqual([code, stdout], [0, ''])
  }
  assert.ok(existsSync(path.join(types, 'library.d.ts')))

  const body = `
const tool = { name: 'x', description: 'y', parameters: { type: 'object' }, execute: (args: Record<string, unknown>) => String(args.z) }
export async function main(): Promise<string> {
  const session = await createSession({ journal: false, tools: [tool], onPermission: ({ name }, why) => name === why ? 'allow' : 'deny' })
  session.subscribe((event: SessionEvent) => { if (event.type === 'message_delta') console.log(event.text.length) })
  const { text, turns, usage, error } = await session.prompt('hi', { maxTurns: 3, signal: new AbortController().signal })
  // @ts-expect-error: there is no such mode
  await createSession({ mode: 'nope' })
  const file: string = await session.save()
  return text + String(turns + usage.prompt_tokens) + error?.code + file
}
`
  const head = "import { createSession, type SessionEvent } from 'gopi'\n"
  writeFileSync(path.join(place, 'a.mts'), head + body)
  writeFileSync(path.join(place, 'b.cts'), head + body)
  const flags = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--types', 'node']
  const checked = await startProcess(t, [tsc, ...flags, 'a.mts', 'b.cts'], { cwd: place, env: process.env })
    .ended
  assert.deepEqual([checked.code, checked.stdout], [0, ''])
})
