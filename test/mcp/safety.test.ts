/** The security cases of servers of tools. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { kitOf } from '../../src/kit/kit.ts'
import type { Approval } from '../../src/session/session.ts'
import { builtinTools } from '../../src/tools/list.ts'
import { call, openHouse } from '../support/house.ts'
import { memory } from '../support/memory.ts'
import { scripted, servers, sources } from './servers.ts'

const { signal } = new AbortController()
const quiet = { signal, onProgress() {} }

test('MC-02: a tool that has changed asks again, whatever rules allow, until somebody has said yes', async t => {
  const directory = mkdtempSync(path.join(tmpdir(), 'gopi-note-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  const note = path.join(directory, 'note')
  const offers = memory()
  const mcp = { s: scripted('rug', note) }
  const seen = async () => {
    const { servers: open, notices } = await servers(t, { mcp, offers })
    await open.begin()
    await open.close()
    return notices.join()
  }
  await seen()
  const session = async (mode = 'auto-edit') => {
    const asked: string[] = []
    const house = await openHouse(t, {
      sources: await sources(t, { mcp, offers }),
      config: { permission: { mode, allow: ['mcp__s__*'] } },
      approve: async ({ call: { name }, why, hard, rules }: Approval) => {
        asked.push(`${name}: ${why}`)
        assert.deepEqual([hard, rules], [true, { session: [], always: [] }])
        return { allow: true }
      },
      replies: [call('mcp__s__same', { words: 'a' }), call('mcp__s__twisted', { words: 'b' }), 'Done.'],
    })
    await house.session.prompt('go')
    await house.session.close()
    return asked
  }
  assert.deepEqual(await session(), [], 'what was there first is what rules were set for')
  writeFileSync(`${note}.turned`, '')
  assert.match(await seen(), /The MCP server s offers something else now/)
  assert.deepEqual(await session(), [
    'mcp__s__twisted: the server has changed what mcp__s__twisted is since it was last used',
  ])
  assert.deepEqual(await session(), [], 'somebody has said yes')
  rmSync(`${note}.turned`)
  await seen()
  assert.deepEqual(await session('yolo'), [])
})

test('MC-03: a tool of a server that is called as ours is another one beside it', async t => {
  const mcp = { s: scripted('ours') }
  const offers = memory()
  const { servers: open } = await servers(t, { mcp, offers })
  await open.begin()
  await open.close()
  const kit = kitOf([{ from: 'gopi', tools: builtinTools() }, ...(await sources(t, { mcp, offers }))])
  const names = kit.tools.map(({ name }) => name)
  assert.deepEqual(names, [...builtinTools().map(({ name }) => name), 'mcp__s__bash', 'mcp__s__read'])
  assert.deepEqual(kit.clashes, [])
})

test('MC-05: a server that floods its standard error is bounded, and one that never answers holds nobody up', async t => {
  const { servers: open } = await servers(t, {
    mcp: { loud: scripted('loud'), never: scripted('never', undefined, { timeout: '300ms' }) },
  })
  const [loud, never] = open.all.map(({ server }) => server)
  const before = process.memoryUsage().rss
  const { content } = (await loud!.call('echo', { words: 'here' }, quiet)) as { content: object[] }
  assert.deepEqual(content, [{ type: 'text', text: 'here' }])
  const more = (process.memoryUsage().rss - before) / 1024 ** 2
  assert.ok(more < 60, `${Math.round(more)} MB more`)
  await assert.rejects(never!.call('x', {}, quiet), /the MCP server never: no answer within 0\.3 s/)
  const house = await openHouse(t, {
    sources: await sources(t, { mcp: { never: scripted('never') } }),
    replies: ['Hello.'],
  })
  assert.equal((await house.session.prompt('hi')).text, 'Hello.')
})

test('MC-06: a server at an address leads nowhere else', async t => {
  const listen = async (answer: RequestListener) => {
    const server = createServer(answer)
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    t.after(() => server.close())
    t.after(() => server.closeAllConnections())
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  }
  const reached: string[] = []
  const inner = await listen((request, response) => {
    reached.push(`${request.method} ${request.headers.authorization}`)
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  for (const location of [inner, 'file:///etc/passwd']) {
    const url = await listen((_, response) => void response.writeHead(307, { location }).end())
    const { servers: open } = await servers(t, {
      mcp: { far: { url, headers: { Authorization: 'secret' } } },
    })
    await assert.rejects(open.all[0]!.server.call('x', {}, quiet), /the MCP server far: /, location)
  }
  assert.deepEqual(reached, [])
})
