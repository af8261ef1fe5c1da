/** What runs unasked in each mode, in real runs: nothing happens that nobody was asked about. */
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import type { Approval } from '../../src/agent/run.ts'
import { createDoor } from '../../src/permission/door.ts'
import type { PermissionMode } from '../../src/protocol/events.ts'
import { makeProject } from '../permission/ground.ts'
import { call, type HouseOptions, openHouse } from '../support/house.ts'
import { noWall } from './walls.ts'

const skip = noWall === undefined ? false : `no sandbox here: ${noWall}`

const LINES = [
  'for f in *; do cat "$f"; done',
  'x=1; while [ $x -lt 3 ]; do echo $x; x=$((x+1)); done',
  'awk \'BEGIN { system("touch CANARY") }\'',
  "node -e \"require('fs').writeFileSync('CANARY', '')\"",
  'trap \'echo "touch CANARY"\' DEBUG',
  'exec true',
  'read x <&10; printf "touch CANARY\\n\\0" >&13',
  "python3 -c \"open('CANARY', 'w')\"",
  'printf "\\0" >&29; echo "$(touch CANARY)"',
  './env ls',
  'for ab in .; do read a""b <<< -delete; find "$ab"; done',
  "echo sh | xargs -Iecho env echo -c 'touch CANARY'",
  'cd sub && git status',
]

const FILES = { 'a.txt': 'a\n', env: '#!/bin/sh\ntouch CANARY\n' }

async function talk(t: Parameters<typeof openHouse>[0], lines: readonly string[], options: HouseOptions) {
  const house = await openHouse(t, {
    files: FILES,
    replies: [...lines.map(command => call('bash', { command })), 'Done.'],
    maxTurns: lines.length + 2,
    ...options,
  })
  await house.session.prompt('go')
  const entries = house.journal()
  const told = entries.flatMap(entry => (entry.type === 'permission' ? [entry] : []))
  const results = entries.flatMap(entry => (entry.type === 'message' && entry.role === 'tool' ? [entry] : []))
  return { ...house, told, results }
}

for (const mode of ['plan', 'ask'] as const) {
  for (const sandbox of ['auto', 'off'] as const)
    test(`in mode ${mode} nothing unasked changes anything, sandbox ${sandbox}`, {
      skip: sandbox === 'auto' && skip,
    }, async t => {
      const { cwd, told } = await talk(t, [...LINES, ...LINES], {
        config: { permission: { mode }, sandbox: { mode: sandbox } },
        approve: async () => ({ allow: false }),
      })
      assert.deepEqual(readdirSync(cwd).sort(), ['a.txt', 'env'])
      if (sandbox === 'auto') assert.equal(told[0]?.decision, 'allow')
    })
}

test('mode plan runs what it likes, and hears why nothing changed', { skip }, async t => {
  const { results, told, cwd } = await talk(
    t,
    [
      'node -e "console.log(6*7)"',
      "python3 -c \"open('x','w')\" || node -e \"require('fs').writeFileSync('x','')\"",
    ],
    {
      config: { permission: { mode: 'plan' } },
      approve: async () => assert.fail('nobody is asked in mode plan'),
    },
  )
  assert.deepEqual(
    told.map(({ decision, by }) => `${decision} ${by}`),
    ['allow mode', 'allow mode'],
  )
  assert.equal(results[0]?.content, '42')
  assert.match(results[1]?.content ?? '', /exit code 1\nIt ran in a sandbox where nothing can be changed\.$/)
  assert.equal(existsSync(path.join(cwd, 'x')), false)
})

test('mode auto-edit runs commands that change the project, and offers outside what the sandbox stops', {
  skip,
}, async t => {
  const asked: Approval[] = []
  const outside = `echo made > ~/gopi-canary-$$ && cat ~/gopi-canary-$$; rm -f ~/gopi-canary-$$; exit 3`
  const { cwd, told, results } = await talk(
    t,
    [
      "node -e \"require('fs').writeFileSync('made', 'x')\" && cat made",
      outside.replace('echo made >', 'node -e 1 && cp a.txt'),
      'echo still',
    ],
    {
      config: { permission: { mode: 'auto-edit' } },
      async approve(approval) {
        asked.push(approval)
        return { allow: true }
      },
    },
  )
  assert.equal(readFileSync(path.join(cwd, 'made'), 'utf8'), 'x')
  assert.equal(told[0]?.why, 'runs in the sandbox, where it can change the project only')
  assert.ok(results.length === 3)
  for (const { why } of asked) assert.match(why, /outside the project|the sandbox stopped it/)
})

test('in mode ask what the sandbox stopped is asked about, with the reason, and runs outside after a yes', {
  skip,
}, async t => {
  const asked: Approval[] = []
  const line = "node -e \"require('fs').writeFileSync('made', 'x')\""
  for (const allow of [false, true]) {
    const { cwd, results, told } = await talk(t, [line], {
      config: { permission: { mode: 'ask' } },
      async approve(approval) {
        asked.push(approval)
        return { allow }
      },
    })
    assert.equal(existsSync(path.join(cwd, 'made')), allow)
    assert.match(asked.at(-1)?.why ?? '', /^the sandbox stopped it, for it wanted to write; mode ask asks/)
    assert.deepEqual(
      told.map(({ decision, by }) => `${decision} ${by}`),
      ['allow mode', `${allow ? 'allow' : 'deny'} user`],
    )
    assert.match(
      results[0]?.content ?? '',
      allow ? /^\(no output\)$/ : /sandbox where nothing can be changed[\s\S]*said no/,
    )
  }
})

test('rules about files keep what nobody understands out of the sandbox', async t => {
  const project = makeProject()
  t.after(project.remove)
  const ask = async (mode: PermissionMode, deny: string[], command = 'node x.js', cwd = project.cwd) => {
    const door = createDoor({
      ...{ cwd, home: project.home, gopiHome: `${project.home}/.gopi` },
      mode: () => mode,
      shellCwd: () => project.cwd,
      rules: { allow: [], ask: [], deny },
      wall: { network: [], required: false, works: false, problem: async () => undefined, missed: () => {} },
    })
    const { decision, where } = await door.authorize(project.bashCall(command))
    return [decision, where]
  }
  assert.deepEqual(await ask('ask', []), ['allow', 'sandbox-read'])
  assert.deepEqual(await ask('ask', ['Read(private/**)']), ['ask', undefined])
  assert.deepEqual(await ask('ask', ['Edit(src/**)']), ['allow', 'sandbox-read'])
  assert.deepEqual(await ask('auto-edit', ['Edit(src/**)']), ['ask', undefined])
  assert.deepEqual(await ask('plan', ['Read(private/**)']), ['deny', undefined])
  assert.deepEqual(await ask('auto-edit', [], 'echo x > y'), ['allow', 'sandbox-work'])
  assert.deepEqual(await ask('ask', [], 'touch y'), ['ask', undefined])
  assert.deepEqual(await ask('ask', [], 'git log $(echo -p)'), ['allow', 'sandbox-read'])
  assert.deepEqual(await ask('ask', [], 'git push'), ['ask', undefined])
  // In the home lies what runs by itself: nobody may change all of it unasked.
  assert.deepEqual(await ask('auto-edit', [], 'node x.js', project.home), ['allow', 'sandbox-read'])
  assert.deepEqual(await ask('auto-edit', [], 'make', path.dirname(project.home)), ['ask', undefined])
})

test('what publishes asks where hosts are named, and where none are the sandbox stops it', async t => {
  const project = makeProject()
  t.after(project.remove)
  const ask = async (network: string[], command: string) => {
    const door = createDoor({
      ...{ cwd: project.cwd, home: project.home, gopiHome: `${project.home}/.gopi` },
      mode: () => 'auto-edit',
      shellCwd: () => project.cwd,
      rules: { allow: [], ask: [], deny: [] },
      wall: { network, required: false, works: false, problem: async () => undefined, missed: () => {} },
    })
    return (await door.authorize(project.bashCall(command))).where ?? 'asks'
  }
  for (const command of [
    'git push',
    'git -C . push origin main',
    'npm run x && npm publish',
    'cargo publish',
  ])
    for (const [network, where] of [
      [['*'], 'asks'],
      [['example.com'], 'asks'],
      [[], 'sandbox-work'],
    ] as const)
      assert.equal(await ask([...network], command), where, `${command} ${network}`)
  for (const command of ['npm install', 'git fetch', 'git stash push', 'cargo build'])
    assert.equal(await ask(['example.com'], command), 'sandbox-work', command)
})

test('where the sandbox does not hold it is missed once, and what needs one is refused when it is required', async t => {
  const project = makeProject()
  t.after(project.remove)
  const ask = async (mode: PermissionMode, command: string, required: boolean) => {
    const missed: string[] = []
    const door = createDoor({
      ...{ cwd: project.cwd, home: project.home, gopiHome: `${project.home}/.gopi` },
      mode: () => mode,
      shellCwd: () => project.cwd,
      rules: { allow: [], ask: [], deny: [] },
      wall: {
        network: [],
        required,
        works: false,
        problem: async () => 'none',
        missed: why => missed.push(why),
      },
    })
    const { decision, where } = await door.authorize(project.bashCall(command))
    return [decision, where, missed.length]
  }
  assert.deepEqual(await ask('ask', 'node x.js', false), ['ask', undefined, 1])
  assert.deepEqual(await ask('ask', 'node x.js', true), ['deny', undefined, 0])
  assert.deepEqual(await ask('plan', 'node x.js', false), ['deny', undefined, 1])
  assert.deepEqual(await ask('auto-edit', 'npm test', true), ['deny', undefined, 0])
  assert.deepEqual(await ask('ask', 'ls', true), ['allow', 'harmless', 0])
  assert.deepEqual(await ask('ask', 'rm -rf ~', false), ['ask', undefined, 0])
  assert.deepEqual(await ask('yolo', 'node x.js', true), ['allow', undefined, 0])
})
