import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { readHooks } from '../../src/kit/hooks/entries.ts'
import { Hooks } from '../../src/kit/hooks/hooks.ts'
import { kitOf } from '../../src/kit/kit.ts'
import type { Source } from '../../src/kit/source.ts'
import { builtinTools } from '../../src/tools/list.ts'
import type { Tool } from '../../src/tools/tool.ts'
import { EN } from '../../src/words/en.ts'
import { ZH } from '../../src/words/zh.ts'
import { gate } from '../support/demo/reply.ts'
import { deskOf, obeyed } from '../support/desk.ts'
import { call, type HouseOptions, openHouse } from '../support/house.ts'
import { eventually } from '../support/program.ts'

/** Hooks as they stand in a configuration: event → [matcher, command, more]. */
type Written = Record<string, [matcher: string, command: string, more?: object][]>

const asConfig = (written: Written) =>
  Object.fromEntries(
    Object.entries(written).map(([event, rows]) => [
      event,
      rows.map(([matcher, command, more]) => ({
        matcher,
        hooks: [{ type: 'command', command, ...more }],
      })),
    ]),
  )

async function hooked(t: TestContext, written: Written, options: HouseOptions = {}) {
  let source: Source | undefined
  const house = await openHouse(t, {
    ...options,
    sources: async ({ cwd }) => {
      const { entries, refused } = readHooks(asConfig(written), () => 'config.yaml:1')
      assert.deepEqual(refused, [])
      source = new Hooks(entries, { cwd, env: process.env }).source([])
      return [source]
    },
  })
  const read = (name: string) => readFileSync(path.join(house.cwd, name), 'utf8')
  const told = () => house.events.flatMap(event => (event.type === 'notice' ? [event.message] : []))
  /** What `/hooks` shows. */
  const shown = async (): Promise<string[]> => {
    const commands = (await source?.commands?.(kitOf([]))) ?? []
    const at = deskOf(house)
    await obeyed('/hooks', { ...at, commands })
    return at.shown.join('\n').split('\n')
  }
  return { ...house, read, told, shown, states: () => source?.states?.() ?? [] }
}

test('before and after a call: denied, changed, told more; matched by common names and ours, with their JSON', async t => {
  const house = await hooked(
    t,
    {
      PreToolUse: [
        [
          'Bash',
          `cat > seen.json; grep -q forbidden seen.json && { echo no such thing >&2; exit 2; }; exit 0`,
        ],
        [
          'Write|Edit',
          `echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","updatedInput":{"file_path":"b.txt"},"additionalContext":"named b"}}'`,
        ],
        ['read', `echo '{"decision":"approve"}'`],
        ['NoSuchTool.*', 'touch never'],
      ],
      PostToolUse: [
        ['*', `cat >> after.jsonl; echo >> after.jsonl`],
        ['Write', `echo '{"decision":"block","reason":"not formatted"}'`],
      ],
      PostToolUseFailure: [['', `cat > failure.json; echo look again >&2; exit 2`]],
    },
    {
      config: { permission: { mode: 'ask', deny: ['Read(secret.txt)'] } },
      files: { 'secret.txt': 'x' },
      replies: [
        call('bash', { command: 'echo forbidden' }),
        call('write', { path: 'a.txt', content: 'x' }),
        call('read', { path: 'secret.txt' }),
        call('read', { path: 'nowhere.txt' }),
        'Done.',
      ],
    },
  )
  await house.session.prompt('go')
  const results = house.sent(4).filter(({ role }) => role === 'tool')
  assert.match(results[0]?.content ?? '', /^Denied: .*no such thing/)
  const seen = JSON.parse(house.read('seen.json'))
  assert.deepEqual(
    [seen.hook_event_name, seen.tool_name, seen.tool_input, seen.cwd, seen.permission_mode, seen.session_id],
    ['PreToolUse', 'Bash', { command: 'echo forbidden' }, house.cwd, 'default', house.session.id],
  )
  assert.match(results[1]?.content ?? '', /b\.txt[\s\S]*\n\nnamed b\nnot formatted$/)
  assert.ok(existsSync(path.join(house.cwd, 'b.txt')) && !existsSync(path.join(house.cwd, 'a.txt')))
  // What a rule denies, no hook allows.
  assert.match(results[2]?.content ?? '', /^Denied: .*Read\(secret\.txt\)/)
  assert.match(results[3]?.content ?? '', /look again$/)
  assert.equal(JSON.parse(house.read('failure.json')).tool_input.file_path, 'nowhere.txt')
  const after = house
    .read('after.jsonl')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
  assert.deepEqual(
    after.map(({ tool_name, tool_input }) => [tool_name, tool_input.file_path]),
    [['Write', 'b.txt']],
  )
  assert.ok(!existsSync(path.join(house.cwd, 'never')))
})

test('around a run: words get context or are kept back, an end is put off once, the session begins and ends', async t => {
  const house = await hooked(
    t,
    {
      SessionStart: [['startup', 'cat >> log; echo >> log; echo today is a good day']],
      UserPromptSubmit: [
        ['', 'cat > prompt.json; if grep -q password prompt.json; then echo keep it >&2; exit 2; fi'],
        ['', `echo '{"hookSpecificOutput":{"additionalContext":"branch main"},"systemMessage":"heard"}'`],
      ],
      Stop: [
        [
          '',
          `cat > stop.json; grep -q '"stop_hook_active":false' stop.json && echo '{"decision":"block","reason":"Run the tests."}'; exit 0`,
        ],
      ],
      SessionEnd: [['', 'cat >> log; echo >> log']],
    },
    { replies: ['Done.', 'Tested.'] },
  )
  const kept = await house.session.prompt('my password is x')
  assert.equal(kept.reason, 'error')
  assert.equal(kept.error?.message, 'A hook kept this from being sent: keep it')
  assert.match(ZH.say(kept.error ?? { code: '' }), /keep it/)
  assert.equal(house.server.requests.filter(({ path }) => path === '/api/chat').length, 0)
  const result = await house.session.prompt('go')
  assert.equal(result.text, 'Tested.')
  assert.match(house.sent(0).at(-1)?.content ?? '', /^go\n\ntoday is a good day\nbranch main$/)
  assert.equal(house.sent(1).at(-1)?.content, 'Run the tests.')
  assert.equal(JSON.parse(house.read('stop.json')).stop_hook_active, true)
  assert.ok(house.told().some(message => /The hook UserPromptSubmit: echo .* says: heard/.test(message)))
  assert.equal(JSON.parse(house.read('prompt.json')).prompt, 'go')
  const first = JSON.parse(house.read('log').split('\n')[0] ?? '')
  assert.deepEqual([first.hook_event_name, first.source], ['SessionStart', 'startup'])
})

test('one that fails or hangs is said and stops nothing, unless it is required; all run beside each other', async t => {
  const house = await hooked(
    t,
    {
      PreToolUse: [
        ['Bash', 'touch one; while [ ! -e two ]; do sleep 0.01; done'],
        ['Bash', 'touch two; while [ ! -e one ]; do sleep 0.01; done'],
        ['Bash', 'echo broken >&2; exit 1'],
        ['Bash', 'echo "{ no json"'],
        ['Bash', 'sleep 60', { timeout: 0.3 }],
        ['Read', 'exit 3', { required: true }],
      ],
    },
    {
      files: { 'a.txt': 'x' },
      replies: [call('bash', { command: 'echo ran' }), call('read', { path: 'a.txt' }), 'Done.'],
    },
  )
  await house.session.prompt('go')
  const results = house.sent(2).filter(({ role }) => role === 'tool')
  assert.match(results[0]?.content ?? '', /^ran/)
  assert.match(results[1]?.content ?? '', /^Denied: .*PreToolUse Read: exit 3 failed: exit 3/)
  for (const why of [/exit 1 failed: exit 1: broken$/, /failed: no JSON$/, /sleep 60 failed: timeout$/])
    assert.ok(
      house.told().some(message => why.test(message)),
      `${why}: ${house.told()}`,
    )
  assert.deepEqual(
    house.states().map(({ state, ms }) => [state, typeof ms]),
    house.states().map(() => ['1×', 'number']),
  )
  const shown = await house.shown()
  assert.equal(shown.length, 6, 'a row each')
  assert.match(shown[4] ?? '', /^PreToolUse Bash: sleep 60 · 1× · \d+ ms$/)
})

test('before the person is asked: a hook answers in their place, but never past the hard class', async t => {
  const asked: string[] = []
  const house = await hooked(
    t,
    {
      PermissionRequest: [
        ['Write', `echo '{"hookSpecificOutput":{"decision":{"behavior":"allow"}}}'`],
        ['Bash', `echo '{"hookSpecificOutput":{"decision":{"behavior":"allow"}}}'`],
        ['Edit', `echo '{"hookSpecificOutput":{"decision":{"behavior":"deny","message":"not here"}}}'`],
      ],
      Notification: [['permission_prompt', 'cat > note.json']],
    },
    {
      config: { permission: { mode: 'ask' } },
      files: { 'c.txt': 'c' },
      approve: async ({ call }) => {
        asked.push(call.name)
        return { allow: false }
      },
      replies: [
        call('write', { path: 'a.txt', content: 'x' }),
        call('bash', { command: 'rm -rf ~' }),
        call('read', { path: 'c.txt' }),
        call('edit', { path: 'c.txt', old: 'c', new: 'd' }),
        'Done.',
      ],
    },
  )
  await house.session.prompt('go')
  assert.deepEqual(asked, ['bash'])
  assert.ok(existsSync(path.join(house.cwd, 'a.txt')))
  assert.match(house.sent(4).findLast(({ role }) => role === 'tool')?.content ?? '', /not here/)
})

test('entries that are wrong are one sentence each with their place; the others hold', () => {
  const good = { hooks: [{ command: 'true' }] }
  const { entries, refused } = readHooks(
    {
      PreToolUse: [good, { matcher: '(', hooks: [] }, { matcher: 1, hooks: [] }, { matcher: 'a' }, 'x'],
      PreTool: [good],
      Stop: 'x',
      PostToolUse: [
        {
          hooks: [
            { type: 'prompt', prompt: 'x' },
            { command: 1 },
            { command: 'a', timeout: -1 },
            3,
            { command: 'b', required: 'x' },
          ],
        },
      ],
    },
    event => `config.yaml:${event.length}`,
  )
  assert.equal(entries.length, 1)
  assert.equal(refused.length, 11)
  for (const one of refused) {
    assert.match(one.message, /^config\.yaml:\d+: the hook .* it is left out\.$/)
    assert.match(ZH.say(one), /略过/)
    assert.equal(EN.say(one), one.message)
  }
})

test('the end of an agent and a summary: told with their JSON, put off or kept from being', async t => {
  const house = await hooked(
    t,
    {
      SubagentStop: [
        [
          '',
          `cat > sub.json; grep -q '"stop_hook_active":false' sub.json && { cp sub.json first.json; echo Look again. >&2; exit 2; }; exit 0`,
        ],
      ],
      Stop: [['', 'cat >> stop.jsonl; echo >> stop.jsonl']],
      PreCompact: [
        [
          'manual',
          `cat > compact.json; grep -q everything compact.json && { echo not yet >&2; exit 2; }; exit 0`,
        ],
        ['auto', 'touch never'],
      ],
    },
    {
      tasks: true,
      replies: [
        call('task', { agent: 'explore', prompt: 'Where is a?' }),
        'Nowhere.',
        'I looked again: nowhere.',
        'So it is nowhere. '.repeat(400),
        'A summary.',
      ],
    },
  )
  const { session } = house
  await session.prompt('go')
  const common = { session_id: session.id, transcript_path: session.sessionFile, cwd: house.cwd }
  assert.deepEqual(JSON.parse(house.read('first.json')), {
    ...{ ...common, permission_mode: 'bypassPermissions', hook_event_name: 'SubagentStop' },
    ...{ stop_hook_active: false, last_assistant_message: 'Nowhere.' },
  })
  assert.equal(JSON.parse(house.read('sub.json')).last_assistant_message, 'I looked again: nowhere.')
  assert.equal(house.sent(2).at(-1)?.content, 'Look again.')
  const stops = house.read('stop.jsonl').trim().split('\n')
  assert.deepEqual(
    stops.map(line => JSON.parse(line).hook_event_name),
    ['Stop'],
    'the end of an agent is not that of the run',
  )

  const requests = house.server.chats.length
  assert.equal(await session.compact('keep everything'), false)
  assert.equal(house.server.chats.length, requests, 'nothing was asked of the model')
  assert.deepEqual(JSON.parse(house.read('compact.json')), {
    ...{ ...common, permission_mode: 'bypassPermissions', hook_event_name: 'PreCompact' },
    ...{ trigger: 'manual', custom_instructions: 'keep everything' },
  })
  assert.equal(existsSync(path.join(house.cwd, 'never')), false)
})

test('a call that runs ahead of the end of its reply waits for its hook', async t => {
  const held = gate()
  let ran: boolean | undefined
  const tools = builtinTools().map(
    (tool): Tool =>
      tool.name !== 'read'
        ? tool
        : {
            ...tool,
            execute(args, context) {
              ran = existsSync(path.join(context.cwd, 'answered'))
              return tool.execute(args, context)
            },
          },
  )
  const house = await hooked(
    t,
    { PreToolUse: [['Read', 'touch asked; while [ ! -e go ]; do sleep 0.01; done; touch answered']] },
    {
      tools,
      files: { 'a.txt': 'early' },
      replies: [
        [{ call: { name: 'read', arguments: { path: 'a.txt' } } }, { gate: held }, 'That is all.'],
        'Done.',
      ],
    },
  )
  const run = house.session.prompt('go')
  await eventually('the hook runs ahead, too', () => existsSync(path.join(house.cwd, 'asked')))
  await held.reached
  assert.equal(ran, undefined)
  writeFileSync(path.join(house.cwd, 'go'), '')
  await eventually('the call runs while the model still writes', () => ran !== undefined)
  assert.equal(ran, true)
  held.open()
  assert.equal((await run).reason, 'done')
  assert.match(house.sent(1).find(({ role }) => role === 'tool')?.content ?? '', /early/)
})
