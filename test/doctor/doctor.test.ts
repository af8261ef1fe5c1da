import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { loadConfig } from '../../src/config/load.ts'
import { asJson, examine, hasPassed, report } from '../../src/doctor/doctor.ts'
import { fitting, needed } from '../../src/doctor/fit.ts'
import { noWall } from '../sandbox/walls.ts'
import { script } from '../support/demo/reply.ts'
import { type ServerOptions, startServer } from '../support/demo/server.ts'
import { temporary } from '../support/program.ts'

interface Ground extends Partial<ServerOptions> {
  config?: string
  model?: never
  host?: string
  env?: NodeJS.ProcessEnv
  files?: Record<string, string>
}

async function examined(t: TestContext, { config = '', host, env = {}, files = {}, ...server }: Ground = {}) {
  const home = temporary(t, 'gopi-home-')
  const cwd = temporary(t, 'gopi-project-')
  chmodSync(home, 0o700)
  writeFileSync(path.join(home, 'config.yaml'), config, { mode: 0o600 })
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(cwd, name), text)
  const demo = await startServer({ model: script(['One two three.']), ...server })
  t.after(() => demo.close())
  const around = { PATH: process.env.PATH, HOME: home, OLLAMA_HOST: host ?? demo.host, TERM: 'xterm', ...env }
  const loaded = await loadConfig({ home, cwd, env: around, flags: {}, trusted: false })
  const terminal = { isTTY: true, columns: 100, rows: 30, getColorDepth: () => 24 }
  const options = { loaded, home, cwd, env: around, terminal, speed: false }
  const findings = await examine(options)
  const of = (subject: string) =>
    findings.filter(found => found.subject === subject).map(({ level, code }) => `${level} ${code}`)
  return { findings, of, demo, options, home, text: await report(findings, 'en') }
}

test('everything there: each line says what it is, and no request for words was made', async t => {
  const { of, findings, demo, text } = await examined(t, { models: ['qwen2.5-coder:7b'] })
  assert.ok(hasPassed(findings))
  assert.deepEqual(of('server'), ['ok server.answers'])
  assert.deepEqual(of('version'), ['ok version.known'])
  assert.deepEqual(of('model'), ['ok model.there'])
  assert.deepEqual(of('dialect'), ['ok dialect.native'])
  assert.deepEqual(of('context'), ['ok context.asked'])
  assert.deepEqual(of('bash'), ['ok program.found'])
  assert.deepEqual(of('terminal'), ['ok terminal.good'])
  assert.deepEqual(of('home'), ['ok home.private'])
  assert.deepEqual(of('trust'), ['ok trust.none'])
  assert.equal(demo.chats.length, 0)
  assert.match(text, /^ok {4}server {6}Ollama answers at http/)
  assert.match(text, /^ok +model +qwen2\.5-coder:7b, .*\(the default\)$/m)
  const { ok, findings: lines } = JSON.parse(asJson(findings))
  assert.equal(ok, true)
  assert.match(lines[0].message, /^Ollama answers/)
  assert.match(await report(findings, 'zh'), /^正常 {2}服务器 {4}/)
})

test('what is amiss comes with its remedy, and only what ends gopi fails', async t => {
  const { of, findings, text } = await examined(t, {
    models: [{ name: 'qwen3:8b', capabilities: ['completion'], context: 8192 }],
    version: '0.12.5',
    config: 'ollama: { keep_alive: 1m }\nsandbox: off\n',
    env: { PATH: '/nowhere', TERM: 'dumb' },
    files: { 'AGENTS.md': 'Be brief.' },
  })
  assert.deepEqual(of('version'), ['warn said'])
  assert.deepEqual(of('model'), ['warn said', 'ok model.there'])
  assert.deepEqual(of('dialect'), ['warn dialect.react'])
  assert.deepEqual(of('context'), ['ok context.trained'])
  assert.deepEqual(of('keep_alive'), ['warn keep_alive.short'])
  assert.deepEqual(of('bash'), ['fail bash.missing'])
  assert.deepEqual(of('git'), ['warn git.missing'])
  assert.deepEqual(of('ripgrep'), ['warn ripgrep.missing'])
  assert.deepEqual(of('sandbox'), ['ok sandbox.off'])
  assert.deepEqual(of('terminal'), ['warn terminal.dumb'])
  assert.deepEqual(of('trust'), ['warn trust.no'])
  assert.equal(hasPassed(findings), false)
  assert.match(text, /update it to 0\.12\.6/)
  assert.match(text, /qwen2\.5-coder:7b is not installed; using qwen3:8b/)
})

test('which hosts the sandbox reaches is said', { skip: noWall ?? false }, async t => {
  const config = 'sandbox: { network: [registry.example, "*.example.com:8443"] }\n'
  const { text, of } = await examined(t, { models: ['qwen3:8b'], config })
  assert.deepEqual(of('sandbox'), ['ok sandbox.holds'])
  assert.match(
    text,
    /commands in it reach only registry\.example, \*\.example\.com:8443 where they can change/,
  )
})

test('a model that was named and is not there fails; so does a server that does not answer', async t => {
  const named = await examined(t, { models: ['qwen3:8b'], config: 'ollama: { model: other }\n' })
  assert.deepEqual(named.of('model'), ['fail said'])
  assert.match(named.text, /^fail +model +Ollama at .* has no model "other".*ollama pull other/m)
  const gone = await examined(t, { host: 'http://127.0.0.1:9' })
  assert.deepEqual(gone.of('server'), ['fail said'])
  assert.deepEqual(gone.of('model'), [])
  assert.deepEqual(gone.of('bash'), ['ok program.found'])
})

test('a loaded model: the context that it has, and where it is; files that others may write', async t => {
  const { demo, options, home } = await examined(t, { models: ['qwen2.5-coder:7b'] })
  const load = { model: 'qwen2.5-coder:7b', messages: [], options: { num_ctx: 4096 } }
  await (await fetch(`${demo.host}/api/chat`, { method: 'POST', body: JSON.stringify(load) })).text()
  mkdirSync(path.join(home, 'cache'), { recursive: true })
  chmodSync(home, 0o777)
  const codes = (await examine(options)).map(({ level, code }) => `${level} ${code}`)
  for (const code of ['warn context.other', 'ok memory.gpu', 'warn home.problem'])
    assert.ok(codes.includes(code), code)
})

test('the speed is measured on request, by one request', async t => {
  const { demo, options } = await examined(t, { models: ['qwen2.5-coder:7b'] })
  const findings = await examine({ ...options, speed: true })
  assert.equal(demo.chats.length, 1)
  assert.ok(findings.some(({ subject, level }) => subject === 'speed' && level !== 'fail'))
})

test('what a context takes, and what fits', () => {
  const model = { weights: 4_700_000_000, each: 57_344 }
  assert.equal(needed({ ...model, context: 32_768 }), 4_700_000_000 + 57_344 * 32_768 + 400_000_000)
  assert.equal(fitting({ ...model, free: 6_300_000_000 }), 20_480)
  assert.equal(fitting({ ...model, free: 1_000_000_000 }), 0)
})
