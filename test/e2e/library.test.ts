import assert from 'node:assert/strict'
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
  'program.mjs': "import { createSession } from 'gopi'\nimport { z } from 'zod'\n",
  'program.cjs': "const { createSession } = require('gopi')\nconst { z } = require('zod')\n",
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

test('a program in TypeScript finds the types through package.json, strictly and with the library checked', async t => {
  const place = temporary(t, 'gopi-types-')
  const installed = path.join(place, 'node_modules', 'gopi')
  mkdirSync(installed, { recursive: true })
  copyFileSync(path.join(root, 'package.json'), path.join(installed, 'package.json'))
  mkdirSync(path.join(place, 'node_modules', '@types'))
  for (const name of ['@types/node', 'undici-types', 'zod'])
    symlinkSync(path.join(root, 'node_modules', name), path.join(place, 'node_modules', name))
  const tsc = path.join(root, 'node_modules', '.bin', 'tsc')
  const emit = [
    tsc,
    '-p',
    path.join(root, 'src/tsconfig.types.json'),
    '--outDir',
    path.join(installed, 'dist', 'types'),
  ]
  const emitted = await startProcess(t, emit, { cwd: root, env: process.env }).ended
  assert.deepEqual([emitted.code, emitted.stdout], [0, ''])
  assert.ok(existsSync(path.join(installed, 'dist', 'types', 'library.d.ts')))

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
