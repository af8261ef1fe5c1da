/** Servers that others made, as npm has them, with the built program and in-process; and what happens when gopi is killed. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import type { ChatBody } from '../../src/demo/request.ts'
import { readContents, readMessages, readResult } from '../../src/mcp/result.ts'
import { asForeign } from '../../src/text/foreign.ts'
import { isAlive, noted, scripted, servers } from '../mcp/servers.ts'
import { call } from '../support/house.ts'
import { eventually, openProgram, root } from '../support/program.ts'

const modules = path.join(root, 'node_modules/@modelcontextprotocol')
const program = (name: string, ...args: string[]) => ({
  command: process.execPath,
  args: [path.join(modules, `server-${name}/dist/index.js`), ...args],
})
const { signal } = new AbortController()
const quiet = { signal, onProgress() {} }

test('everything, filesystem and memory, over stdio and HTTP: tools, prompts, resources, progress', async t => {
  const port = await freePort()
  const http = spawn(
    process.execPath,
    [path.join(modules, 'server-everything/dist/index.js'), 'streamableHttp'],
    {
      env: { ...process.env, PORT: String(port) },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  )
  t.after(() => http.kill())
  let said = ''
  http.stderr.setEncoding('utf8').on('data', (text: string) => (said += text))
  await eventually('the server listens', () => said.includes(String(port)))

  const { servers: open, notices } = await servers(t, {
    mcp: {
      everything: program('everything'),
      web: { url: `http://127.0.0.1:${port}/mcp`, headers: { 'X-Test': 'yes' } },
      memory: program('memory'),
    },
  })
  await open.begin()
  assert.deepEqual(
    open.all.map(({ server }) => [server.name, server.state]),
    [
      ['everything', 'ready'],
      ['web', 'ready'],
      ['memory', 'ready'],
    ],
    notices.join('\n'),
  )
  for (const { server, now } of open.all.slice(0, 2)) {
    assert.ok((now?.tools.length ?? 0) >= 10 && (now?.prompts.length ?? 0) >= 3 && now?.resources)
    const sum = readResult(await server.call('get-sum', { a: 2, b: 3 }, quiet), 8192)
    assert.match(sum.output, /2 and 3 is 5/)
    const image = readResult(await server.call('get-tiny-image', {}, quiet), 8192)
    assert.match(image.output, /\[image: image\/png, [\d.]+ KB, not shown\]/)
    const links = readResult(await server.call('get-resource-links', { count: 2 }, quiet), 8192)
    assert.match(links.output, /\[resource .*: demo:\/\//)
    const wrong = readResult(await server.call('get-sum', { a: 'x' }, quiet), 8192)
    assert.equal(wrong.is_error, true)
    const progress: string[] = []
    const long = { signal, onProgress: (text: string) => void progress.push(text) }
    await server.call('trigger-long-running-operation', { duration: 0.2, steps: 2 }, long)
    assert.ok(progress.length >= 1)
    assert.match(readMessages(await server.prompt('args-prompt', { city: 'Oslo' }, signal), 8192), /Oslo/)
    const uri = 'demo://resource/dynamic/text/1'
    assert.match(readContents(await server.read(uri, signal), 8192), /[Rr]esource 1/)
  }
  const memory = open.all[2]?.server
  const entities = [{ name: 'gopi', entityType: 'program', observations: ['is local'] }]
  const made = readResult(await memory?.call('create_entities', { entities }, quiet), 8192)
  assert.equal(made.is_error, false, made.output)
  const graph = await memory?.call('search_nodes', { query: 'gopi' }, quiet)
  assert.match(readResult(graph, 8192).output, /is local/)
  const { checkerOf } = await open.load()
  const schema = open.all[2]?.now?.tools.find(({ name }) => name === 'create_entities')?.schema ?? {}
  assert.equal(checkerOf(schema)({ entities }), undefined)
  assert.match(checkerOf(schema)({ entities: [{ name: 'x' }] }) ?? '', /entityType/)
})

test('the built program: a server is added, tried and used, and its tools are in the next prompt', async t => {
  const requests: ChatBody[] = []
  const gopi = await openProgram(t, {
    files: { 'a.txt': 'what stands in a' },
    model: body => {
      requests.push(body)
      const results = body.messages.filter(({ role }) => role === 'tool')
      return results.length === 0
        ? call('mcp__files__read_text_file', { path: path.join(gopi.cwd, 'a.txt') })
        : 'read'
    },
  })
  const config = path.join(gopi.home, '.gopi/config.yaml')
  const plain = await gopi.run(['-p', 'hello'])
  assert.equal(plain.code, 0, plain.stderr)
  const before = requests.splice(0)[0]
  const server = program('filesystem', gopi.cwd)
  const added = await gopi.run(['mcp', 'add', 'files', '--', server.command, ...server.args])
  assert.equal(added.code, 0, added.stderr)
  assert.match(readFileSync(config, 'utf8'), /mcp:\n {2}files:\n {4}command:/)
  assert.equal((await gopi.run(['mcp', 'add', 'files', 'x'])).code, 2)
  const tried = await gopi.run(['mcp', 'test', 'files'])
  assert.match(tried.stdout, /^files: ready in \d+ ms; \d+ tools \(\d+ tokens\)\n {2}read_file/)
  assert.match((await gopi.run(['mcp', 'list'])).stdout, /^files {2}\d+ tools/)
  const kit = JSON.parse((await gopi.run(['kit', '--json'])).stdout) as {
    tools: { name: string; from: string; tokens: number }[]
  }
  const ours = kit.tools.find(({ name }) => name === 'mcp__files__read_text_file')
  assert.ok(ours?.from === 'mcp:files' && ours.tokens > 50)

  const used = await gopi.run(['-p', '--allow', 'mcp__files__*', 'hello'])
  assert.deepEqual([used.code, used.stdout], [0, 'read\n'], used.stderr)
  assert.equal(requests[1]?.messages.at(-1)?.content, asForeign('what stands in a', { from: 'mcp:files' }))
  const names = (body: ChatBody | undefined) =>
    ((body?.tools ?? []) as { function: { name: string } }[]).map(tool => tool.function.name)
  assert.deepEqual(names(requests[0]).slice(0, names(before).length), names(before))
  assert.ok(names(requests[0]).includes('mcp_search'), 'what does not fit is found')

  // Without it the request is what it was, byte for byte.
  assert.equal((await gopi.run(['mcp', 'remove', 'files'])).code, 0)
  const none = await gopi.run(['mcp', 'list'])
  assert.deepEqual([none.code, none.stdout], [0, ''])
  assert.match(none.stderr, /No MCP server is configured/)
  await gopi.run(['mcp', 'add', 'gone', '--', 'false'])
  assert.equal((await gopi.run(['mcp', 'test', 'gone'])).stdout, 'gone: it ended without a word\n')
  assert.equal((await gopi.run(['mcp', 'remove', 'gone'])).code, 0)
  requests.splice(0)
  await gopi.run(['-p', 'hello'])
  assert.deepEqual(JSON.stringify(requests[0]?.tools), JSON.stringify(before?.tools))
  assert.deepEqual(requests[0]?.messages[0], before?.messages[0])
  assert.deepEqual(gopi.server.violations, [])
})

test('TR-03: gopi mcp list, get and kit start no server, and show nothing of a folder that is not trusted', async t => {
  const gopi = await openProgram(t)
  const note = path.join(gopi.home, 'note')
  mkdirSync(path.join(gopi.home, '.gopi'))
  const own = { mine: scripted('good', note) }
  writeFileSync(path.join(gopi.home, '.gopi/config.yaml'), `mcp: ${JSON.stringify(own)}\n`)
  writeFileSync(
    path.join(gopi.cwd, '.mcp.json'),
    JSON.stringify({ mcpServers: { theirs: scripted('good', note) } }),
  )
  for (const args of [['mcp', 'list'], ['mcp', 'get', 'mine'], ['kit', '--json'], ['config']]) {
    const { code, stdout } = await gopi.run(args)
    assert.equal(code, 0)
    assert.doesNotMatch(stdout, /theirs/, args.join(' '))
  }
  assert.match((await gopi.run(['mcp', 'list', '--trust'])).stdout, /theirs/)
  assert.deepEqual(noted(note), [])
})

test('servers end with gopi when it is killed, also one that ignores what it is told', async t => {
  let answer = (_: string) => {}
  const gopi = await openProgram(t, { replies: [() => new Promise(resolve => (answer = resolve))] })
  const note = path.join(gopi.home, 'note')
  mkdirSync(path.join(gopi.home, '.gopi'))
  writeFileSync(
    path.join(gopi.home, '.gopi/config.yaml'),
    `mcp: ${JSON.stringify({ good: scripted('good', note), deaf: scripted('deaf', note) })}\n`,
  )
  const started = gopi.start(['-p', 'hello'])
  await eventually('both began', () => noted(note).length === 2)
  assert.deepEqual(noted(note).map(isAlive), [true, true])
  started.child.kill('SIGKILL')
  await started.ended
  await eventually('both ended', () => noted(note).every(pid => !isAlive(pid)))
  answer('too late')
})

function freePort(): Promise<number> {
  return import('node:net').then(
    ({ createServer }) =>
      new Promise(resolve => {
        const server = createServer().listen(0, '127.0.0.1', () => {
          const { port } = server.address() as { port: number }
          server.close(() => resolve(port))
        })
      }),
  )
}
