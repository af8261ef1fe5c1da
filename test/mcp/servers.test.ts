import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { openServers } from '../../src/assembly/sources.ts'
import { readResult } from '../../src/mcp/result.ts'
import { flatSchema } from '../../src/mcp/schema.ts'
import { memory } from '../support/memory.ts'
import { asked, isAlive, noted, scripted, servers } from './servers.ts'

const { signal } = new AbortController()
const quiet = { signal, onProgress() {} }

function noteIn(t: TestContext): string {
  const directory = mkdtempSync(path.join(tmpdir(), 'gopi-note-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  return path.join(directory, 'note')
}

test('what a server answers is text, and what is no text is named; questions are declined', async t => {
  const { servers: open } = await servers(t, {
    mcp: { s: scripted('good', undefined, { env: { GIVEN: 'yes' } }) },
    env: { ...process.env, OLLAMA_API_KEY: 'secret', SOME_TOKEN: 'secret' },
  })
  const { server } = open.all[0]!
  const call = async (name: string, args = {}) => readResult(await server.call(name, args, quiet), 8192)
  assert.deepEqual(await call('echo', { words: 'hi' }), { output: 'hi', is_error: false })
  assert.deepEqual(await call('fail'), { output: 'it did not work', is_error: true })
  assert.equal(
    (await call('parts')).output,
    'a\u001b[31m\n[image: image/png, 3 KB, not shown]\n[resource log: file:///log]\ninner\n[resource x:z: b/c, 3 bytes, not shown]',
  )
  await assert.rejects(call('odd'), ({ message }: Error) => message.length < 300)
  const answers = JSON.parse((await call('ask')).output) as unknown[]
  assert.deepEqual(answers[0], { action: 'decline' })
  assert.match(String(answers[1]), /declines sampling/)
  const env = JSON.parse((await call('env')).output) as Record<string, string>
  assert.deepEqual(
    [env.GIVEN, env.OLLAMA_API_KEY, env.SOME_TOKEN, env.HOME],
    ['yes', undefined, undefined, process.env.HOME],
  )
  assert.equal(
    readResult({ content: [{ type: 'text', text: 'line\n'.repeat(10_000) }] }, 1_000).output.length < 1_000,
    true,
  )
  for (const raw of [undefined, null, 7, { content: 'x' }, { content: [[]] }]) readResult(raw, 100)
  assert.equal(readResult({ structuredContent: { a: 1 } }, 100).output, '{\n "a": 1\n}')
})

test('a server that dies is started three times more, then it is an error; what hangs or floods is one, too', async t => {
  const note = noteIn(t)
  const { servers: open, notices } = await servers(t, {
    mcp: {
      s: scripted('good', note, { timeout: '400ms' }),
      flood: scripted('good', undefined),
      dead: scripted('dies'),
      none: { command: 'no-such-program' },
    },
  })
  const [s, flood, dead, none] = open.all.map(({ server }) => server)
  await assert.rejects(s!.call('hang', {}, quiet), /the MCP server s: no answer within 0.4 s/)
  for (let n = 1; n <= 4; n++) {
    // Started anew, it answers as before.
    while (s!.state !== 'ready') await new Promise(resolve => setTimeout(resolve, 5))
    assert.equal(noted(note).length, n)
    await assert.rejects(s!.call('crash', {}, quiet), /the MCP server s: /)
  }
  while (s!.state !== 'dead') await new Promise(resolve => setTimeout(resolve, 5))
  await assert.rejects(s!.call('echo', { words: 'x' }, quiet), /the MCP server s: it ended/)
  assert.deepEqual(noted(note).map(isAlive), [false, false, false, false])
  await assert.rejects(flood!.call('pipe', {}, quiet), /more than 10 MB in one message|ended/)
  await assert.rejects(dead!.call('x', {}, quiet), /the MCP server dead: /)
  await assert.rejects(none!.call('x', {}, quiet), /no-such-program/)
  assert.equal(notices.filter(notice => /cannot be used/.test(notice)).length >= 3, true)
})

test('names, schemas and lists of any kind become tools, or are named as left out', async t => {
  const { servers: open, notices } = await servers(t, {
    mcp: {
      names: scripted('names'),
      schemas: scripted('schemas'),
      many: scripted('many', undefined, { tools: ['tool_1', 'tool_2', 'tool_x'] }),
      pages: scripted('pages'),
    },
  })
  await open.begin()
  const [names, schemas, many, pages] = open.all
  assert.deepEqual(
    names?.now?.tools.map(({ name }) => name.length),
    [8, 3, 300],
  )
  assert.equal(names?.now?.tools[2]?.description.length, 500)
  assert.ok(!/[\u0000-\u001f\u{e0041}]/u.test(names?.now?.tools[2]?.description ?? ''))
  assert.deepEqual(names?.left, [
    { name: 'a_b', why: 'same' },
    { name: '', why: 'nameless' },
  ])
  assert.deepEqual(
    schemas?.now?.tools.map(({ name }) => name),
    ['tree', 'union', 'none'],
  )
  assert.deepEqual(schemas?.left, [{ name: 'huge', why: 'large' }])
  assert.deepEqual(
    many?.now?.tools.map(({ name }) => name),
    ['tool_1', 'tool_2'],
    'only those that are allowed',
  )
  assert.ok(pages?.now === undefined || pages.now.tools.length <= 500, 'a list without an end')
  assert.match(notices.join('\n'), /Of the MCP server schemas some tools are left out: huge \(large\)/)

  const [tree, union, none] = schemas?.now?.tools ?? []
  assert.deepEqual(flatSchema(tree!.schema), {
    type: 'object',
    properties: {
      tree: { type: 'object', description: '{name: string, children?: [{name: string, children?: array}]}' },
    },
    required: ['tree'],
  })
  assert.deepEqual(flatSchema(union!.schema).properties, { id: { type: 'integer' } })
  assert.deepEqual(flatSchema(none!.schema), { type: 'object', properties: {}, required: [] })
  // In full.
  const { checkerOf } = await open.load()
  const checkTree = checkerOf(tree!.schema)
  assert.equal(checkTree({ tree: { name: 'a', children: [{ name: 'b' }] } }), undefined)
  assert.match(
    checkTree({ tree: { name: 'a', children: [{ name: 7 }] } }) ?? '',
    /children\/0\/name must be string/,
  )
  const checkUnion = checkerOf(union!.schema)
  assert.deepEqual(
    [checkUnion({ id: 1 }), checkUnion({ id: '#a' }), checkUnion({ id: null })],
    [undefined, undefined, undefined],
  )
  assert.match(checkUnion({ id: 'a' }) ?? '', /must match pattern/)
  assert.equal(
    checkerOf({ $ref: 'https://example.com/else' })({}),
    undefined,
    'a schema of nobody’s is no hindrance',
  )
})

test('a list that is remembered holds; another one now is told, and holds for the next', async t => {
  const note = noteIn(t)
  const offers = memory()
  const mcp = { s: scripted('changing', note) }
  const first = await servers(t, { mcp, offers })
  assert.equal(first.servers.all[0]?.offer, undefined)
  rmSync(note, { force: true })
  await first.servers.begin()
  await first.servers.close()
  assert.match(first.notices.join(), /The MCP server s offers 1 tool/)
  // The note that it wrote is there now: it offers something else.
  const second = await servers(t, { mcp, offers })
  const held = JSON.stringify(second.servers.all[0]?.offer)
  await second.servers.begin()
  assert.equal(JSON.stringify(second.servers.all[0]?.offer), held)
  const third = await servers(t, { mcp, offers })
  assert.deepEqual(
    third.servers.all[0]?.offer?.tools.map(({ name }) => name),
    ['new'],
  )
  await third.servers.begin()
  assert.deepEqual(third.notices, [])
  const other = await servers(t, { mcp: { s: { ...mcp.s, env: { A: 'b' } } }, offers })
  assert.equal(other.servers.all[0]?.offer, undefined, 'another configuration may offer something else')

  const live = await servers(t, { mcp: { s: scripted('good') } })
  await live.servers.begin()
  const { server } = live.servers.all[0]!
  await server.call('change', {}, quiet)
  while (live.notices.length < 2) await new Promise(resolve => setTimeout(resolve, 5))
  assert.match(live.notices[1] ?? '', /something else now \(new: fresh\) \(gone: crash, /)
})

test('servers that do not answer, or answer no HTTP, end with their session', async t => {
  const note = noteIn(t)
  const http = createServer((_, response) => {
    response.setHeader('content-type', 'application/json')
    response.write('{"jsonrpc":"2.0","id":0,"result":"')
    const more = () => !response.destroyed && response.write('x'.repeat(1024 * 1024), more)
    more()
  })
  await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve))
  t.after(() => http.closeAllConnections())
  t.after(() => http.close())
  const { port } = http.address() as { port: number }
  const options = await asked(t, {
    mcp: {
      never: scripted('never', note),
      garbage: scripted('garbage', note),
      deaf: scripted('deaf', note),
      endless: { url: `http://127.0.0.1:${port}/` },
    },
  })
  const { servers: open } = await openServers(options)
  const [never, garbage, deaf, endless] = open.all.map(({ server }) => server)
  await assert.rejects(endless!.call('x', {}, quiet), /the MCP server endless: .*(10 MB|terminated|fetch)/)
  const answers = [never!.begin(), garbage!.begin()]
  await deaf!.begin()
  while (noted(note).length < 3) await new Promise(resolve => setTimeout(resolve, 5))
  assert.equal(deaf!.state, 'ready')
  await open.close()
  await Promise.all(answers)
  assert.deepEqual(noted(note).map(isAlive), [false, false, false])
  writeFileSync(note, '')
})

test('a server over HTTP that has forgotten the session is begun anew', async t => {
  let session = 1
  const http = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    const { id, method, params } = JSON.parse(body || '{}') as {
      id?: number
      method?: string
      params?: object
    }
    const known = request.headers['mcp-session-id']
    if (known !== undefined && known !== `s${session}`) response.writeHead(404).end()
    else if (request.method !== 'POST') response.writeHead(405).end()
    else if (id === undefined) response.writeHead(202).end()
    else {
      const result =
        method === 'initialize'
          ? { ...params, capabilities: { tools: {} }, serverInfo: { name: 'web', version: '1' } }
          : method === 'tools/list'
            ? { tools: [] }
            : { content: [{ type: 'text', text: `of s${session}` }] }
      response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': `s${session}` })
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result }))
    }
  })
  await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve))
  t.after(() => http.close())
  t.after(() => http.closeAllConnections())
  const { port } = http.address() as { port: number }
  const { servers: open } = await servers(t, { mcp: { web: { url: `http://127.0.0.1:${port}/` } } })
  const { server } = open.all[0]!
  const call = async () => readResult(await server.call('x', {}, quiet), 100).output
  assert.equal(await call(), 'of s1')
  session = 2
  await assert.rejects(call(), /the MCP server web: /)
  assert.equal(await call(), 'of s2')
})
