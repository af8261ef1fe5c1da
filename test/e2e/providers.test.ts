import assert from 'node:assert/strict'
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { openServer } from '../../src/assembly/provider.ts'
import { defaults } from '../../src/config/config.ts'
import { script } from '../support/demo/reply.ts'
import { startServer } from '../support/demo/server.ts'
import { openProgram } from '../support/program.ts'

test('a model of a named provider is asked there, and called by its whole name', async t => {
  const gopi = await openProgram(t, { replies: ['Here.', 'Still here.', 'In other words.'] })
  const file = path.join(gopi.home, 'own.yaml')
  writeFileSync(file, `providers: { lab: { type: ollama, host: '${gopi.server.host}' } }\n`)
  // The one called ollama is nowhere.
  const env = { OLLAMA_HOST: '127.0.0.1:9', GOPI_CONFIG: file }
  const first = await gopi.run(['-p', '-m', 'lab/scripted', 'where?'], { env })
  assert.deepEqual([first.code, first.stdout], [0, 'Here.\n'], first.stderr)
  const asked = gopi.server.chats.map(({ body }) => (body as { model: string }).model)
  assert.deepEqual(asked, ['scripted'])
  const change = gopi.journals()[0]?.find(({ type }) => type === 'model_change')
  assert.ok(change?.type === 'model_change' && change.model === 'lab/scripted')

  const again = await gopi.run(['-p', '-c', 'and now?'], { env: { ...env, GOPI_MODEL: 'lab/scripted' } })
  assert.deepEqual([again.code, again.stdout], [0, 'Still here.\n'], again.stderr)
  const listed = await gopi.run(['models'], { env: { ...env, GOPI_MODEL: 'lab/scripted' } })
  assert.match(listed.stdout, /^ {2}lab\/gopi-demo/m)
  assert.match(listed.stderr, /^ollama: No Ollama answers at http:\/\/127\.0\.0\.1:9/)
  const all = await gopi.run(['models'], { env: { ...env, OLLAMA_HOST: gopi.server.host } })
  assert.match(all.stdout, /^ {2}gopi-demo[\s\S]*^ {2}lab\/gopi-demo/m)

  const elsewhere = await gopi.run(['-p', '-m', 'user/model', 'where?'], { env })
  assert.equal(elsewhere.code, 3)
  assert.match(elsewhere.stderr, /No Ollama answers at http:\/\/127\.0\.0\.1:9/)

  writeFileSync(
    file,
    'providers: { lab: { type: openai, base_url: "http://127.0.0.1:9/v1", api_key: "${NO_KEY_OF_MINE}" } }\n',
  )
  const later = await gopi.run(['-p', '-m', 'lab/x', 'where?'], { env })
  assert.equal(later.code, 2)
  assert.match(later.stderr, /providers\.lab\.api_key: the environment variable NO_KEY_OF_MINE is not set/)

  // The key is in no file, and in nothing that is shown.
  const key = 'sk-of-nobody-in-particular'
  writeFileSync(
    file,
    `providers: { lab: { type: openai, base_url: '${gopi.server.host}/v1', api_key: ${key} } }\n`,
    { mode: 0o600 },
  )
  const paid = await gopi.run(['-p', '-m', 'lab/scripted', '--debug', 'hello'], { env })
  assert.deepEqual([paid.code, paid.stdout], [0, 'In other words.\n'], paid.stderr)
  const { path: endpoint, headers } = gopi.server.requests.at(-1)!
  assert.deepEqual([endpoint, headers.authorization], ['/v1/chat/completions', `Bearer ${key}`])
  const shown = await gopi.run(['config'], { env })
  const files = readdirSync(gopi.home, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && entry.name !== 'own.yaml')
    .map(entry => readFileSync(path.join(entry.parentPath, entry.name), 'utf8'))
  assert.ok(files.length > 1)
  for (const text of [shown.stdout, paid.stderr, ...files]) assert.ok(!text.includes(key))
})

test('a session goes on where its model is, and an agent’s model is asked where it is', async t => {
  const gopi = await openProgram(t, {
    replies: ['At the desk.'],
    files: {
      '.gopi/agents/far.md': '---\ndescription: far\nmodel: lab/big\ntools: Read\n---\nYou are far.\n',
    },
  })
  const lab = await startServer({ model: script(['One.', 'Two.', 'Far.', 'Still far.']) })
  t.after(() => lab.close())
  const file = path.join(gopi.home, 'own.yaml')
  const provider = `providers: { lab: { type: openai, base_url: '${lab.host}/v1' } }\n`
  writeFileSync(file, provider)
  const env = { GOPI_CONFIG: file }
  const said = async (...args: string[]) => {
    const { stdout, stderr, code } = await gopi.run(['-p', '--trust', ...args], { env })
    assert.equal(code, 0, stderr)
    return { stdout, stderr }
  }
  assert.equal((await said('-m', 'lab/scripted', 'one')).stdout, 'One.\n')
  assert.equal((await said('-c', 'two')).stdout, 'Two.\n')
  // A model that is named for this start comes before it, and what that costs is said.
  const other = await said('-c', '-m', 'gopi-demo', 'three')
  assert.equal(other.stdout, 'At the desk.\n')
  assert.match(other.stderr, /gopi-demo goes on where lab\/scripted was.*tokens/)
  assert.equal((await said('--agent', 'far', 'four')).stdout, 'Far.\n')
  assert.equal((await said('-c', 'five')).stdout, 'Still far.\n')
  const models = lab.requests
    .filter(({ path: where }) => /chat/.test(where))
    .map(({ body }) => (body as { model: string }).model)
  assert.deepEqual(models, ['scripted', 'scripted', 'big', 'big'])
  assert.deepEqual([lab.violations, gopi.server.violations], [[], []])
})

test('keys: others who can read them are named, variables that nobody named are not used', async t => {
  const gopi = await openProgram(t, { replies: ['One.', 'Two.', 'Three.', 'Four.'] })
  const file = path.join(gopi.home, 'own.yaml')
  const lab = `{ type: openai, base_url: '${gopi.server.host}/v1', api_key: of-nobody-in-particular }`
  const env = {
    GOPI_CONFIG: file,
    OPENAI_API_KEY: 'sk-never',
    OPENAI_BASE_URL: 'http://127.0.0.1:9/v1',
    DASHSCOPE_API_KEY: 'sk-never',
  }
  writeFileSync(file, `providers: { lab: ${lab} }\n`)
  const say = async (mode: number, ...more: string[]) => {
    chmodSync(file, mode)
    const { code, stderr } = await gopi.run(['-p', ...more, 'hi'], { env })
    assert.equal(code, 0, stderr)
    return stderr
  }
  assert.match(
    await say(0o644, '-m', 'lab/scripted'),
    /own\.yaml holds a key that others .* can read: chmod 600/,
  )
  assert.doesNotMatch(await say(0o600, '-m', 'lab/scripted'), /holds a key/)
  writeFileSync(file, '{}\n')
  await say(0o644)
  writeFileSync(
    file,
    `providers: { lab: ${lab.replace('of-nobody-in-particular', '"${OPENAI_API_KEY}"')} }\n`,
  )
  assert.doesNotMatch(await say(0o644, '-m', 'lab/scripted'), /holds a key/)
  assert.deepEqual(
    gopi.server.requests
      .filter(({ path: where }) => /chat/.test(where))
      .map(({ headers }) => headers.authorization),
    ['Bearer of-nobody-in-particular', 'Bearer of-nobody-in-particular', undefined, 'Bearer sk-never'],
  )
})

test('a key of the configuration is told to no model, whatever it may read, and stands in no journal', async t => {
  const key = 'wq83-hfnv-b20dk'
  const gopi = await openProgram(t, {
    files: { 'notes.txt': `the key is ${key}, and another one env-key-of-mine\n` },
    replies: [
      { calls: [{ name: 'read', arguments: { path: 'notes.txt' } }] },
      {
        calls: [
          {
            name: 'bash',
            arguments: { command: 'cat own.yaml; echo "$LAB_KEY"; seq 30000; cat own.yaml notes.txt' },
          },
        ],
      },
      'Read.',
    ],
  })
  const file = path.join(gopi.cwd, 'own.yaml')
  const base_url = `base_url: '${gopi.server.host}/v1'`
  writeFileSync(
    file,
    `providers: { lab: { type: openai, ${base_url}, api_key: ${key}, headers: { X-Api-Key: "\${LAB_KEY}" } } }\n`,
    { mode: 0o600 },
  )
  const env = { GOPI_CONFIG: file, LAB_KEY: 'env-key-of-mine' }
  const { code, stdout, stderr } = await gopi.run(
    ['-p', '--yolo', '--output-format', 'stream-json', '-m', 'lab/x', 'read'],
    { env },
  )
  assert.equal(code, 0, stderr)
  const last = gopi.server.requests.at(-1)!
  assert.match(last.text, /the key is \[masked: key\], and another one \[masked: key\]/)
  assert.match(last.text, /api_key: \[masked: (?:key|password)\]/)
  const spilled = readFileSync(/all of it: (\S+\.txt)/.exec(last.text)![1]!, 'utf8')
  assert.match(spilled, /another one \[masked: key\]/)
  const journal = gopi.journalFiles().map(one => readFileSync(one, 'utf8'))
  for (const text of [last.text, stdout, stderr, spilled, ...journal])
    for (const secret of [key, 'env-key-of-mine']) assert.ok(!text.includes(secret), secret)
})

test('plain http to another machine is said, also of a pool, and a key that goes there', async () => {
  const at = (host: string, api_key?: string) => ({
    ...{ type: 'openai' as const, base_url: `${host}/v1` },
    ...(api_key && { api_key }),
  })
  const providers = {
    here: at('http://localhost:8000', 'k'),
    near: at('http://192.168.1.20:8000', 'k'),
    far: at('http://203.0.113.7', 'k'),
    safe: at('https://203.0.113.7', 'k'),
    free: at('http://203.0.113.8'),
    pool: { type: 'pool' as const, of: ['here', 'near', 'free', 'safe'] },
  }
  const keysOf = async (name: string) => {
    const ollama = { ...defaults.ollama, model: `${name}/x` }
    const { openKeys, backend } = await openServer({ ...defaults, ollama, providers })
    backend.close?.()
    return openKeys
  }
  const near = 'http://192.168.1.20:8000/v1'
  assert.deepEqual(await Promise.all(['here', 'near', 'far', 'safe', 'free', 'pool'].map(keysOf)), [
    [],
    [near],
    ['http://203.0.113.7/v1'],
    [],
    [],
    [near],
  ])
})
