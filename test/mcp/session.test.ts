import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import type { ChatBody } from '../../src/demo/request.ts'
import { commandIn, perform } from '../../src/kit/commands/obey.ts'
import { kitOf } from '../../src/kit/kit.ts'
import { kitText, kitView } from '../../src/kit/view.ts'
import { asForeign } from '../../src/text/foreign.ts'
import { builtinTools } from '../../src/tools/list.ts'
import { EN } from '../../src/words/en.ts'
import { ZH } from '../../src/words/zh.ts'
import { call, type House, openHouse } from '../support/house.ts'
import { memory } from '../support/memory.ts'
import { noted, scripted, servers, sources } from './servers.ts'

const toolsOf = ({ server }: House) => (server.chats[0]?.body as ChatBody | undefined)?.tools

const names = (tools: ReturnType<typeof toolsOf>) =>
  ((tools ?? []) as { function: { name: string } }[]).map(tool => tool.function.name)

test('a server that nobody has seen is reached at once through two tools; the next session has its own', async t => {
  const offers = memory()
  const mcp = { s: scripted('good') }
  const search = call('mcp_search', { query: 'echo words' })
  const echo = call('mcp_call', { tool: 'mcp__s__echo', arguments: { words: 'hello' } })
  const first = await openHouse(t, {
    sources: await sources(t, { mcp, offers }),
    replies: [search, echo, call('mcp_call', { tool: 'mcp__s__echo', arguments: {} }), 'done'],
  })
  await first.session.prompt('go')
  const told = names(toolsOf(first))
  assert.deepEqual(told.slice(builtinTools().length), ['mcp_search', 'mcp_call'])
  const results = first.sent(3).filter(({ role }) => role === 'tool')
  assert.match(
    results[0]?.content ?? '',
    /\{"tool":"mcp__s__echo","description":"does echo","arguments":\{"words"/,
  )
  assert.equal(results[1]?.content, asForeign('hello', { from: 'mcp:s' }))
  assert.match(results[2]?.content ?? '', /mcp__s__echo: missing words/)
  assert.match(JSON.stringify(first.events), /The MCP server s offers 10 tools/)
  await first.session.close()

  const prefixes: string[] = []
  for (const n of [1, 2]) {
    const house = await openHouse(t, {
      sources: await sources(t, { mcp, offers }),
      replies: [call('mcp__s__echo', { words: 'hi' }), call('mcp__s__fail', { words: '' }), `done ${n}`],
    })
    await house.session.prompt('go')
    prefixes.push(JSON.stringify([toolsOf(house), house.sent(0)]))
    assert.ok(names(toolsOf(house)).includes('mcp__s__echo'))
    assert.ok(!names(toolsOf(house)).includes('mcp_search'), 'all of it stands in the prompt')
    assert.deepEqual(
      house
        .sent(2)
        .filter(({ role }) => role === 'tool')
        .map(({ content }) => content),
      [asForeign('hi', { from: 'mcp:s' }), 'it did not work'],
    )
    assert.doesNotMatch(JSON.stringify(house.events), /MCP server/)
  }
  assert.equal(prefixes[0], prefixes[1], 'the same bytes at once')
})

test('200 tools: within the budget some stand in the prompt, the rest is found', async t => {
  const offers = memory()
  const mcp = { many: scripted('many') }
  const before = await servers(t, { mcp, offers })
  await before.servers.begin()
  await before.servers.close()
  for (const budget of [1_500, 200, 0]) {
    const kit = kitOf(await sources(t, { mcp, offers, tools: { mcp_tokens: budget } }))
    const view = await kitView(kit)
    const tokens = view.tools.reduce((sum, tool) => sum + tool.tokens, 0)
    assert.ok(tokens <= Math.max(budget, 120), `${tokens} of ${budget}`)
    assert.deepEqual(
      view.tools.slice(-2).map(({ name }) => name),
      ['mcp_search', 'mcp_call'],
    )
    assert.ok(budget < 1_500 || view.tools.length > 20)
  }
  const house = await openHouse(t, {
    sources: await sources(t, { mcp, offers }),
    replies: [
      call('mcp_search', { query: 'needle' }),
      call('mcp_search', { query: '§' }),
      call('mcp_call', { tool: 'mcp__many__tool_150', arguments: { words: 'x' } }),
      call('mcp_call', { tool: 'nothing', arguments: {} }),
      'done',
    ],
  })
  await house.session.prompt('go')
  const results = house
    .sent(4)
    .filter(({ role }) => role === 'tool')
    .map(({ content }) => content)
  assert.equal(results[0]?.match(/"tool":/g)?.length, 1)
  assert.match(results[0] ?? '', /mcp__many__tool_150/)
  assert.match(results[1] ?? '', /Nothing found\. There are: mcp__many__tool_0, /)
  assert.match(results[2] ?? '', /"words":"x"/)
  assert.match(results[3] ?? '', /there is no tool "nothing"/)
})

test('a server’s tool asks, whatever it says of itself; rules speak of it by its name, also behind mcp_call', async t => {
  const mcp = { s: scripted('good') }
  const offers = memory()
  const before = await servers(t, { mcp, offers })
  await before.servers.begin()
  await before.servers.close()
  const open = () => sources(t, { mcp, offers, tools: { mcp_tokens: 0 } })
  const replies = () => [
    call('mcp_call', { tool: 'mcp__s__echo', arguments: { words: 'a' } }),
    call('mcp_call', { tool: 'mcp__s__env', arguments: { words: 'b' } }),
    'done',
  ]
  const asked: string[] = []
  const house = await openHouse(t, {
    sources: await open(),
    replies: replies(),
    config: { permission: { mode: 'ask', deny: ['mcp__s__env'] } },
    approve: async ({ rules, preview }) => {
      asked.push(rules.session.join(), JSON.stringify(await preview()))
      return { allow: true }
    },
  })
  await house.session.prompt('go')
  assert.deepEqual(asked.length, 2)
  assert.equal(asked[0], 'mcp__s__echo')
  assert.match(asked[1] ?? '', /mcp__s__echo/)
  const results = house
    .sent(2)
    .filter(({ role }) => role === 'tool')
    .map(({ content }) => content)
  assert.equal(results[0], asForeign('a', { from: 'mcp:s' }))
  assert.match(results[1] ?? '', /mcp__s__env/)
  assert.match(results[1] ?? '', /[Nn]ot run|denied|[Dd]enie/)
  const free = await openHouse(t, {
    sources: await open(),
    replies: replies(),
    config: { permission: { mode: 'ask', allow: ['mcp__s__*'] } },
    approve: async () => assert.fail('a rule allows it'),
  })
  await free.session.prompt('go')
  assert.equal(free.sent(1).at(-1)?.content, asForeign('a', { from: 'mcp:s' }))
})

test('@server:uri is read into the prompt, prompts are commands, /mcp and /kit tell', async t => {
  const offers = memory()
  const mcp = { s: scripted('good'), wrong: { comand: 'x' } }
  const before = await servers(t, { mcp, offers })
  await before.servers.begin()
  await before.servers.close()
  const own = await sources(t, { mcp, offers })
  const house = await openHouse(t, { sources: own, replies: ['one', 'two'] })
  const words = 'look at @s:file:///notes, and @t:x'
  await house.session.prompt(words, { typed: words })
  assert.equal(
    house.sent(0).at(-1)?.content,
    `<file path="s:file:///notes">\nwhat stands in file:///notes\n</file>\n\n${words}`,
  )
  const kit = kitOf(own)
  const { commands } = await kit.commands()
  assert.deepEqual(
    commands.map(({ name }) => name),
    ['mcp__s__greet', 'mcp'],
  )
  const shown: string[] = []
  const run = async (line: string) => {
    const found = commandIn(line, commands)
    assert.ok(found, line)
    await new Promise<void>((resolve, reject) =>
      perform(found.command, found.argument, {
        ...{ words: EN, running: false, say() {}, refuse: reject },
        work: job =>
          void job({
            ...{
              words: EN,
              show: (text: string) => shown.push(text),
              prompt: (text: string) => shown.push(text),
            },
          } as unknown as Parameters<typeof job>[0]).then(resolve, reject),
      }),
    )
  }
  await run('/mcp__s__greet "Ada Lovelace" with a bow')
  await run('/mcp')
  assert.equal(shown[0], 'Greet Ada Lovelace, with a bow.')
  assert.match(
    shown[1] ?? '',
    /^s: ready in \d+ ms · 10 tools, 10 in the prompt \(\d+ tokens\) · 1 prompts \(\/mcp__s__…\) · resources/,
  )
  const view = await kitView(kit)
  assert.deepEqual(
    view.refused.map(({ code }) => code),
    ['mcp'],
  )
  assert.deepEqual(
    view.states.map(({ name, state }) => [name, state]),
    [['s', 'ready']],
  )
  assert.match(kitText(view, EN), /Left out\n.*the MCP server wrong is left out: unknown key comand/)
  assert.match(kitText(view, ZH), /未使用/)
})

test('three slow servers: the first request does not wait for them, and none is started before it', async t => {
  const directory = mkdtempSync(path.join(tmpdir(), 'gopi-note-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  const note = path.join(directory, 'note')
  const never = scripted('never', note)
  let begun: number | undefined
  const house = await openHouse(t, {
    sources: await sources(t, { mcp: { a: never, b: never, c: never } }),
    model: () => 'done',
  })
  house.session.subscribe(({ type }) => {
    if (type === 'turn_start') begun ??= noted(note).length
  })
  await house.session.prompt('go')
  assert.equal(begun, 0)
  assert.equal(house.events.findLast(({ type }) => type === 'agent_end')?.type, 'agent_end')
})
