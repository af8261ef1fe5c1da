/** Calls of tools that gopi does not know: all that counts is what they touch. */
import assert from 'node:assert/strict'
import { linkSync } from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import { questionAbout } from '../../src/permission/suggest.ts'
import type { Access } from '../../src/protocol/access.ts'
import { ZH } from '../../src/words/zh.ts'
import { type Asked, makeProject } from './ground.ts'

const project = makeProject()
after(project.remove)

const MODES = ['ask', 'auto-edit', 'plan', 'yolo'] as const

const judge = (accesses: Access[], asked: Asked = {}, tool = 'mcp__x__Do') =>
  project.judge({ tool, accesses }, asked)

test('a call that names no access asks in every mode, and is denied in plan; a rule may let it run', async () => {
  for (const mode of MODES) {
    const { decision, why } = await judge([], { mode })
    assert.equal(decision, mode === 'plan' ? 'deny' : 'ask', mode)
    assert.match(why, /mcp__x__Do does not say what it touches/)
  }
  assert.equal((await judge([], { allow: ['mcp__x'] })).decision, 'allow')
  assert.equal((await judge([], { allow: ['mcp__x__do'], mode: 'plan' })).decision, 'deny')
  assert.equal((await judge([], { allow: ['mcp__x__do(y)'] })).decision, 'ask')
})

test('what nobody can tell asks; what touches nothing runs', async () => {
  const decisions = async (access: Access) =>
    Promise.all(MODES.map(async mode => (await judge([access], { mode })).decision))
  assert.deepEqual(await decisions({ unknown: 'x' }), ['ask', 'ask', 'deny', 'allow'])
  assert.deepEqual(await decisions({ none: true }), ['allow', 'allow', 'allow', 'allow'])
  assert.equal((await judge([{ none: true }], { deny: ['mcp__x__*'] })).decision, 'deny')
  assert.equal((await judge([{ unknown: 'x' }], { allow: ['mcp__x'] })).decision, 'allow')
})

test('a host is judged by the rules that name the tool', async () => {
  const rows: [host: string, asked: Asked, decision: string][] = [
    ['example.org', {}, 'ask'],
    ['example.org', { mode: 'auto-edit' }, 'ask'],
    ['example.org', { mode: 'plan' }, 'deny'],
    ['example.org', { allow: ['WebFetch(example.org)'] }, 'allow'],
    ['docs.example.org', { allow: ['WebFetch(example.org)'] }, 'ask'],
    ['docs.example.org', { allow: ['WebFetch(*.example.org)'] }, 'allow'],
    ['example.org', { allow: ['WebFetch'] }, 'allow'],
    ['example.org', { allow: ['Read', 'Bash', 'Edit'] }, 'ask'],
    ['example.org', { allow: ['WebFetch'], deny: ['WebFetch(example.*)'] }, 'deny'],
    ['example.org:8443', { allow: ['WebFetch'], deny: ['WebFetch(example.org)'] }, 'deny'],
    ['example.org:8443', { allow: ['WebFetch(example.org)'] }, 'ask'],
    ['example.org', { mode: 'yolo', ask: ['webfetch(example.org)'] }, 'ask'],
  ]
  for (const [host, asked, decision] of rows) {
    const came = await judge([{ reach: host }], asked, 'WebFetch')
    assert.equal(came.decision, decision, `${host} ${JSON.stringify(asked)}: ${came.why}`)
  }
})

test('files and commands of any tool are judged as those of gopi’s own', async () => {
  const rows: [accesses: Access[], asked: Asked, decision: string, by?: string][] = [
    [[{ read: 'f' }], {}, 'allow', 'mode'],
    [[{ read: 'f' }], { deny: ['Read(f)'] }, 'deny', 'rule'],
    [[{ read: 'f' }], { deny: ['Edit(f)'] }, 'allow', 'mode'],
    [[{ read: 'f' }], { deny: ['mcp__x(f)'] }, 'deny', 'rule'],
    [[{ read: '.env' }], { mode: 'yolo' }, 'ask', 'protected'],
    [[{ read: '../secret.txt' }], {}, 'ask', 'mode'],
    [[{ write: 'f' }], {}, 'ask', 'mode'],
    [[{ write: 'f' }], { mode: 'auto-edit' }, 'allow', 'mode'],
    [[{ write: 'f' }], { allow: ['Edit(f)'] }, 'allow', 'rule'],
    [[{ write: '.git/hooks/x' }], { mode: 'yolo' }, 'ask', 'protected'],
    [[{ write: 'dangling.txt' }], { mode: 'auto-edit' }, 'ask', 'mode'],
    [[{ run: 'ls' }], {}, 'allow', 'mode'],
    [[{ run: 'rm -rf ~' }], { mode: 'yolo' }, 'ask', 'hard'],
    [[{ run: 'make x' }], { allow: ['Bash(make *)'] }, 'allow', 'rule'],
    [[{ run: 'make x' }], { allow: ['mcp__x(make *)'] }, 'allow', 'rule'],
    [[{ run: 'make x' }], { deny: ['mcp__x(make *)'], mode: 'yolo' }, 'deny', 'rule'],
  ]
  for (const [accesses, asked, decision, by] of rows) {
    const came = await judge(accesses, asked)
    const text = `${JSON.stringify(accesses)} ${JSON.stringify(asked)}: ${came.why}`
    assert.deepEqual([came.decision, came.by], [decision, by], text)
  }
})

test('of several accesses the strictest decides', async () => {
  const read: Access = { read: 'f' }
  const write: Access = { write: 'f' }
  const rows: [accesses: Access[], asked: Asked, decision: string, by: string][] = [
    [[read, write], {}, 'ask', 'mode'],
    [[write, read], { mode: 'auto-edit' }, 'allow', 'mode'],
    [[write, { read: '.env' }], {}, 'ask', 'protected'],
    [[write, { read: '.env' }, { run: 'rm -rf ~' }], {}, 'ask', 'hard'],
    [[{ run: 'rm -rf ~' }, read], { deny: ['Read(f)'] }, 'deny', 'rule'],
    [[write, read], { ask: ['Read(f)'] }, 'ask', 'rule'],
    [[{ none: true }, { unknown: 'x' }], {}, 'ask', 'mode'],
    // A rule for one of them is no word about the other.
    [[{ read: 'f' }, { read: 'file.txt' }], { allow: ['Read(f)'] }, 'allow', 'mode'],
  ]
  for (const [accesses, asked, decision, by] of rows) {
    const came = await judge(accesses, asked)
    assert.deepEqual([came.decision, came.by], [decision, by], `${JSON.stringify(accesses)}: ${came.why}`)
  }
})

test('the rules on offer name the tool as it is called, and all that it touches', async () => {
  const offered = async (accesses: Access[]) => {
    const call = { tool: 'mcp__x__Do', accesses }
    return questionAbout(call, await project.facts(call)).rules
  }
  const reach = 'mcp__x__Do(example.org)'
  assert.deepEqual(await offered([{ reach: 'example.org' }]), { session: [reach], always: [reach] })
  assert.deepEqual(await offered([{ unknown: 'x' }]), { session: ['mcp__x__Do'], always: [] })
  assert.deepEqual(await offered([{ none: true }, { write: 'f' }]), {
    session: ['Edit(~/project/f)'],
    always: ['Edit(~/project/f)'],
  })
  assert.deepEqual(await offered([{ write: 'f' }, { write: '.git/x' }]), { session: [], always: [] })
})

test('a reason is a code and facts, which the catalogues word', async () => {
  const call = project.bashCall('make x && git status')
  const { decide } = await import('../../src/permission/decide.ts')
  const { why } = decide(call, await project.facts(call))
  assert.equal(
    why.message,
    'mode ask asks before a command: make may change something (in `make x`); after /mode auto-edit commands like it run without asking, in a sandbox: they change only this project and have no network',
  )
  assert.deepEqual(why.facts, {
    case: 'ask_command',
    mode: 'ask',
    why: {
      code: 'permission',
      facts: {
        case: 'in_part',
        why: { code: 'permission', facts: { case: 'unknown_reader', name: 'make' } },
        part: 'make x',
      },
    },
  })
  assert.match(
    ZH.say(why),
    /^ask 模式在运行命令前询问：.*（在 `make x` 中）；切换到 \/mode auto-edit 后，这类命令会在沙盒中运行，不再询问：/,
  )
  const endless = project.bashCall(`make ${'x'.repeat(5_000)}`)
  const long = decide(endless, await project.facts(endless)).why
  assert.ok(long.message.length < 500 && JSON.stringify(long.facts).length < 900)
})

test('a change to a file that has another name asks in every mode: the other may be a protected one', async () => {
  linkSync(path.join(project.cwd, '.git/config'), path.join(project.cwd, 'linked.txt'))
  for (const mode of ['ask', 'auto-edit', 'yolo'] as const) {
    const { decision, by, why } = await judge([{ write: 'linked.txt' }], { mode, allow: ['Edit'] })
    assert.deepEqual([decision, by], ['ask', 'protected'], why)
  }
  assert.equal((await judge([{ read: 'linked.txt' }])).decision, 'allow')
})
