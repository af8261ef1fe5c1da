import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import type { ChatBody } from '../../src/demo/request.ts'
import { withBackground } from '../../src/tools/background.ts'
import { builtinTools } from '../../src/tools/list.ts'
import { toWire } from '../../src/tools/tool.ts'
import { call } from '../support/house.ts'
import { openProgram } from '../support/program.ts'

const EMPTY = `mcp: {}
hooks: {}
extensions: []
verify: {}
agents: {}
`

test('what is there and empty adds no byte to the first request, and no request to it', async t => {
  const gopi = await openProgram(t, { replies: ['One.', 'Two.'] })
  const { server, cwd, env } = gopi
  const home = env.GOPI_HOME ?? ''
  const first = await gopi.run(['-p', 'hello', '--trust', '--no-session'])
  assert.equal(first.stdout, 'One.\n')
  const bare = [...server.requests]

  mkdirSync(home, { recursive: true })
  writeFileSync(path.join(home, 'config.yaml'), EMPTY)
  writeFileSync(path.join(cwd, '.mcp.json'), '{ "mcpServers": {} }\n')
  for (const own of [home, path.join(cwd, '.gopi'), path.join(cwd, '.agents'), path.join(cwd, '.claude')])
    for (const folder of ['skills', 'commands', 'agents'])
      mkdirSync(path.join(own, folder), { recursive: true })
  const second = await gopi.run(['-p', 'hello', '--trust', '--no-session'])
  assert.deepEqual([second.stdout, second.stderr, second.code], ['Two.\n', first.stderr, 0])
  const chats = (requests: typeof bare) =>
    requests.flatMap(({ path, body }) => (path === '/api/chat' ? [JSON.stringify(body)] : []))
  assert.deepEqual(chats(server.requests.slice(bare.length)), chats(bare))
  assert.equal(chats(bare).length, 1)
})

test('with tools.background the built program tells the model of it as the sources do, and it works', async t => {
  const gopi = await openProgram(t, {
    replies: [
      call('bash', { command: 'sleep 600', background: true }),
      call('bash_kill', { id: 'b1' }),
      'Done.',
    ],
  })
  const home = gopi.env.GOPI_HOME ?? ''
  mkdirSync(home, { recursive: true })
  writeFileSync(path.join(home, 'config.yaml'), 'tools: { background: true }\n')
  const { stdout, stderr } = await gopi.run(['-p', '--yolo', 'go'])
  assert.equal(stdout, 'Done.\n', stderr)
  const [first, second] = gopi.server.chats.map(({ body }) => body as ChatBody)
  assert.equal(JSON.stringify(first?.tools), JSON.stringify(withBackground(builtinTools()).map(toWire)))
  assert.equal(second?.messages.at(-1)?.content, 'b1 runs in the background.')
  const { stdout: kit } = await gopi.run(['kit', '--json'])
  assert.match(kit, /"bash_output"/)
})
