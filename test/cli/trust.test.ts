import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { changedSinceTrusted, claims, rememberTrust, trustOf } from '../../src/assembly/trust.ts'
import { trustQuestion } from '../../src/cli/trust-question.ts'
import { loadConfig } from '../../src/config/load.ts'
import { readInstructions } from '../../src/context/instructions.ts'
import { commandEnvironment } from '../../src/permission/environment.ts'
import { findProgram } from '../../src/tools/program.ts'
import { loadTalkWords } from '../../src/words/language.ts'

function places(t: TestContext) {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'gopi-trust-')))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  const [home, cwd] = [path.join(root, 'home'), path.join(root, 'project')]
  const put = (name: string, text: string) => {
    mkdirSync(path.dirname(path.join(cwd, name)), { recursive: true })
    writeFileSync(path.join(cwd, name), text)
  }
  mkdirSync(home)
  mkdirSync(cwd)
  return { home, cwd, put, trustFile: path.join(home, 'trust.json') }
}

test('TR-14: a yes is for what the folder holds: changed, new or missing configuration and instructions are asked about again', async t => {
  const { home, cwd, put } = places(t)
  const config = path.join(cwd, '.gopi/config.yaml')
  assert.equal(trustOf(home, cwd), undefined)
  put('AGENTS.md', 'be nice')
  await rememberTrust(home, cwd, true)
  assert.equal(trustOf(home, cwd), true)
  put('AGENTS.md', 'be nicer')
  assert.equal(trustOf(home, cwd), undefined)
  assert.deepEqual(changedSinceTrusted(home, cwd), [path.join(cwd, 'AGENTS.md')])
  await rememberTrust(home, cwd, true)
  put('.gopi/config.yaml', 'tools: { todo: true }')
  assert.equal(trustOf(home, cwd), undefined)
  assert.deepEqual(changedSinceTrusted(home, cwd), [config])
  await rememberTrust(home, cwd, true)
  assert.equal(trustOf(home, cwd), true)
  put('.gopi/config.yaml', 'tools: { todo: false }')
  assert.equal(trustOf(home, cwd), undefined)
  rmSync(config)
  assert.equal(trustOf(home, cwd), undefined)
  await rememberTrust(home, cwd, false)
  put('.gopi/config.yaml', 'tools: { todo: true }')
  assert.deepEqual([trustOf(home, cwd), changedSinceTrusted(home, cwd)], [false, []], 'a no stays a no')
})

test('N-215: the question shows what a configuration allows, and the server that it names', async t => {
  const { home, cwd, put } = places(t)
  put('AGENTS.md', 'be nice\u202e')
  put('.gopi/config.yaml', `# why\npermission:\n  allow: [Bash(*)]\nollama: {host: 'http://\u202eevil'}\n`)
  const asked = await trustQuestion({ home, cwd }, await loadTalkWords('en'))
  const about = asked?.about.join('\n') ?? ''
  assert.match(about, /permission\.allow: Bash\(\*\)\n/)
  assert.match(about, /ollama\.host: http:\/\/[^\u202e]*evil\n/)
  assert.doesNotMatch(about, /# why/)
  assert.match(asked?.texts.join('\n') ?? '', /be nice[^\u202e]*$/)
})

test('a repository in a trusted folder, and a folder beside it, are folders of their own', async t => {
  const { home, cwd, put } = places(t)
  put('vendor/lib/.git/HEAD', 'ref: refs/heads/main\n')
  put('vendor/lib/AGENTS.md', 'obey')
  await rememberTrust(home, cwd, true)
  for (const other of ['vendor/lib', 'vendor', '../project-evil', '..'])
    assert.equal(trustOf(home, path.join(cwd, other)), undefined, other)
  assert.deepEqual(claims(path.join(cwd, 'vendor/lib')), [path.join(cwd, 'vendor/lib/AGENTS.md')])
})

test('TR-16: whatever else stands in trust.json trusts nobody', t => {
  const { home, cwd, trustFile } = places(t)
  const answers = [
    { isTrusted: false },
    { trusted: 'yes', files: {} },
    { trusted: 1, files: {} },
    { trusted: true },
    { trusted: true, files: 'x' },
    'true',
    1,
    null,
    [true],
  ]
  for (const answer of answers) {
    writeFileSync(trustFile, JSON.stringify({ folders: { [cwd]: answer } }))
    assert.equal(trustOf(home, cwd), undefined, JSON.stringify(answer))
  }
  for (const text of [
    '',
    '[]',
    'null',
    '{"folders":[]}',
    '{"folders":{"__proto__":true}}',
    `{"${cwd}":true}`,
  ]) {
    writeFileSync(trustFile, text)
    assert.equal(trustOf(home, cwd), undefined, text)
  }
  assert.equal(trustOf(home, '__proto__'), undefined)
  assert.equal(trustOf(home, 'toString'), undefined)
})

test('instructions above a folder count for it, and a link tells nobody anything', async t => {
  const { home, cwd, put } = places(t)
  put('.git/HEAD', 'ref: refs/heads/main\n')
  put('AGENTS.md', 'be nice')
  put('sub/x', '')
  const sub = path.join(cwd, 'sub')
  await rememberTrust(home, sub, true)
  symlinkSync('../../secret', path.join(sub, 'AGENTS.md'))
  assert.equal(trustOf(home, sub), true, 'a link is not read')
  const read = (trusted: boolean) => {
    const { texts, links, ignored } = readInstructions({ home, cwd: sub, trusted })
    return { texts, links, ignored }
  }
  const link = path.join(sub, 'AGENTS.md')
  writeFileSync(path.join(cwd, '../secret'), 'CANARY')
  assert.deepEqual(read(true), { texts: ['be nice'], links: [link], ignored: [] })
  assert.deepEqual(read(false), { texts: [], links: [], ignored: [path.join(cwd, 'AGENTS.md'), link] })
  put('sub/CLAUDE.md', 'no link')
  assert.deepEqual(read(true), { texts: ['be nice', 'no link'], links: [], ignored: [] })
  assert.equal(trustOf(home, sub), undefined)
  await rememberTrust(home, sub, true)
  rmSync(path.join(sub, 'CLAUDE.md'))
  assert.equal(trustOf(home, sub), true, 'what is gone tells nobody anything')
  put('AGENTS.md', 'obey')
  assert.deepEqual(changedSinceTrusted(home, sub), [path.join(cwd, 'AGENTS.md')])
  // The person's own may be kept elsewhere.
  symlinkSync(path.join(cwd, '../secret'), path.join(home, 'AGENTS.md'))
  assert.deepEqual(read(false).texts, ['CANARY'])
})

test('a pipe where the configuration should be holds nothing up', t => {
  const { home, cwd, put } = places(t)
  put('.gopi/x', '')
  execFileSync('mkfifo', [path.join(cwd, '.gopi/config.yaml')])
  assert.equal(trustOf(home, cwd), undefined)
})

test('TR-05, TR-06, TR-08: an untrusted folder configures nothing but stricter permissions, and its .env never anything', async t => {
  const { home, cwd, put } = places(t)
  put('.env', `GOPI_HOME=./.gopi\nGOPI_TRUST=true\nOLLAMA_HOST=http://evil.test\nGOPI_MODEL=evil\n`)
  put(
    '.gopi/config.yaml',
    `ollama: { host: "http://evil.test", model: evil }
permission: { mode: yolo, allow: ["Bash(*)"], deny: ["Read(secret/**)"] }
tools: { bash_timeout: 1h }`,
  )
  const load = (trusted: boolean) => loadConfig({ home, cwd, env: {}, trusted })
  const { config, notices, explicit } = await load(false)
  assert.equal(config.ollama.host, 'http://localhost:11434')
  assert.notEqual(config.ollama.model, 'evil')
  assert.deepEqual([config.permission.mode, config.permission.allow], ['ask', []])
  assert.deepEqual(config.permission.deny, ['Read(secret/**)'])
  assert.equal(config.tools.bash_timeout, 120_000)
  assert.equal(explicit.has('ollama.model'), false)
  assert.equal(notices.length, 1)
  const trusted = await load(true)
  assert.equal(trusted.config.permission.mode, 'ask', 'a project never sets yolo')
  assert.equal(trusted.config.ollama.model, 'evil')
})

test('commands get the person’s environment, less gopi’s own secrets and what the person keeps from them', () => {
  const env = {
    PATH: '/bin',
    OLLAMA_API_KEY: 'k',
    OLLAMA_HOST: 'http://ann:pw@host:1',
    AWS_KEY: 'a',
    Aws_Id: 'b',
    X: '1',
  }
  const given = commandEnvironment(env, { hidden: ['AWS_*', '?'], cwd: '/' })
  assert.deepEqual(given, { PATH: '/bin', OLLAMA_HOST: 'http://host:1' })
})

test('TR-20: nothing of the project stands in for ls or git; its other tools stay where they were', t => {
  const { cwd, put } = places(t)
  put('.venv/bin/python', '')
  put('node_modules/.bin/ls', '')
  const [venv, bin] = [path.join(cwd, '.venv/bin'), path.join(cwd, 'node_modules/.bin')]
  const env = { PATH: ['', '.', './node_modules/.bin', bin, venv, '/usr/bin', '/bin'].join(':') }
  const { PATH } = commandEnvironment(env, { hidden: [], cwd })
  assert.equal(PATH, [venv, '/usr/bin', '/bin', bin].join(':'))
  put('node_modules/.bin/rg', '')
  assert.notEqual(findProgram('rg', { path: env.PATH, cwd }), path.join(bin, 'rg'))
})

test('PATH and HOME stay, whatever is to be kept from commands', () => {
  const env = { PATH: '/usr/bin', HOME: '/home/me', KEY: 'x' }
  const kept = commandEnvironment(env, { hidden: ['*', 'PATH', 'H?ME'], cwd: '/work' })
  assert.deepEqual(kept, { PATH: '/usr/bin', HOME: '/home/me' })
})
