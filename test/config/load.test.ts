import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { defaults } from '../../src/config/config.ts'
import { type LoadOptions, loadConfig, mergeConfig } from '../../src/config/load.ts'
import { UsageError } from '../../src/protocol/errors.ts'

/** A home and a project on disk, with the given files. */
function world(t: TestContext, { user, project }: { user?: string | Buffer; project?: string } = {}) {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'gopi-config-')))
  t.after(() => rmSync(root, { recursive: true }))
  const home = path.join(root, 'home', '.gopi')
  const cwd = path.join(root, 'project')
  mkdirSync(home, { recursive: true })
  mkdirSync(path.join(cwd, '.gopi'), { recursive: true })
  const userFile = path.join(home, 'config.yaml')
  const projectFile = path.join(cwd, '.gopi', 'config.yaml')
  if (user !== undefined) writeFileSync(userFile, user)
  if (project !== undefined) writeFileSync(projectFile, project)
  const load = (more: Partial<LoadOptions> = {}) => loadConfig({ home, cwd, env: {}, trusted: true, ...more })
  return { root, home, cwd, userFile, projectFile, load }
}

async function problemsOf(loading: Promise<unknown>): Promise<string[]> {
  const error = await loading.then(
    () => assert.fail('expected a UsageError'),
    (error: unknown) => error,
  )
  assert.ok(error instanceof UsageError, String(error))
  return [...error.problems]
}

test('without any file the defaults hold, and nothing is explicit', async t => {
  const { load, userFile, projectFile } = world(t)
  const loaded = await load()
  assert.deepEqual(loaded.config, defaults)
  assert.equal(loaded.explicit.size, 0)
  assert.deepEqual(loaded.notices, [])
  assert.deepEqual(loaded.sources.get('ollama.model'), [{ from: 'default' }])
  assert.deepEqual(loaded.files, [
    { from: 'user', file: userFile, found: false },
    { from: 'project', file: projectFile, found: false },
  ])
})

test('what is handed out is nobody else’s', async t => {
  const { load } = world(t)
  const { config } = await load()
  config.permission.deny.push('Bash')
  config.ollama.model = 'other'
  assert.deepEqual((await load()).config, defaults)
  assert.throws(() => defaults.permission.deny.push('Bash'), TypeError)
  assert.throws(() => Object.assign(defaults.ollama, { model: 'x' }), TypeError)
})

test('flags beat the environment, which beats the project, which beats the user', async t => {
  const { load, userFile, projectFile } = world(t, {
    user: 'ollama: { model: user, host: user, think: low, timeout: 1s }\ntui: { keys: { a: u, b: u } }',
    project: 'ollama: { model: project, host: project, think: high }\ntui: { keys: { b: p } }',
  })
  const env = { GOPI_MODEL: ' environment ', OLLAMA_HOST: ' environment:1 ' }
  const { config, sources, explicit } = await load({
    env,
    flags: { host: 'flag', toolCalling: 'react', mode: 'plan' },
  })
  assert.equal(config.ollama.model, 'environment')
  assert.equal(config.ollama.host, 'flag')
  assert.equal(config.ollama.think, 'high')
  assert.equal(config.ollama.timeout, 1_000)
  assert.equal(config.ollama.tool_calling, 'react')
  assert.deepEqual(config.tui.keys, { a: 'u', b: 'p' })
  assert.deepEqual(sources.get('ollama.model'), [{ from: 'environment', name: 'GOPI_MODEL' }])
  assert.deepEqual(sources.get('ollama.host'), [{ from: 'flag', name: '--host' }])
  assert.deepEqual(sources.get('ollama.think'), [{ from: 'project', name: projectFile }])
  assert.deepEqual(sources.get('ollama.timeout'), [{ from: 'user', name: userFile }])
  assert.deepEqual(sources.get('ollama.keep_alive'), [{ from: 'default' }])
  assert.deepEqual(sources.get('permission.mode'), [{ from: 'flag', name: '--mode' }])
  assert.deepEqual([...explicit].sort(), [
    'ollama.host',
    'ollama.model',
    'ollama.think',
    'ollama.timeout',
    'ollama.tool_calling',
    'permission.mode',
    'tui.keys',
  ])
  assert.equal((await load({ env })).config.ollama.host, ' environment:1 ')
  assert.equal((await load({ env: { GOPI_MODEL: '', OLLAMA_HOST: ' ' } })).config.ollama.host, 'project')
})

test('rules of the permission lists are joined, each once', async t => {
  const { load, userFile, projectFile } = world(t, {
    user: 'permission: { deny: [Read, Edit], allow: [Ls], env: [A] }',
    project: 'permission: { deny: [Edit, Bash], allow: [Find], ask: [Grep], env: [B] }',
  })
  const { config, sources } = await load()
  assert.deepEqual(config.permission, {
    mode: 'ask',
    allow: ['Ls', 'Find'],
    ask: ['Grep'],
    deny: ['Read', 'Edit', 'Bash'],
    env: ['A', 'B'],
  })
  assert.deepEqual(sources.get('permission.deny'), [
    { from: 'user', name: userFile },
    { from: 'project', name: projectFile },
  ])
})

test('a project that is not trusted only tightens, and one sentence names what was left out', async t => {
  const { load, projectFile } = world(t, {
    user: 'permission: { deny: [Read], allow: [Ls] }',
    project: [
      'ollama: { host: evil.example, model: evil }',
      'permission: { mode: plan, allow: [Bash], ask: [Edit], deny: [Bash], env: [HOME] }',
      'tui: { theme: light }',
    ].join('\n'),
  })
  const { config, notices, sources, explicit } = await load({ trusted: false })
  assert.deepEqual(config.ollama, defaults.ollama)
  assert.equal(config.tui.theme, 'dark')
  assert.deepEqual(config.permission, {
    mode: 'plan',
    allow: ['Ls'],
    ask: ['Edit'],
    deny: ['Read', 'Bash'],
    env: ['HOME'],
  })
  assert.equal(notices.length, 1)
  assert.ok(
    notices[0]?.message.startsWith(
      `${projectFile}: ollama.host, ollama.model, permission.allow, tui.theme are left out`,
    ),
  )
  assert.deepEqual(sources.get('ollama.host'), [{ from: 'default' }])
  assert.ok(!explicit.has('ollama.model'))
})

test('a project’s mode holds as far as it may', async t => {
  const rows: [user: string, project: string, trusted: boolean, mode: string, notices: number][] = [
    ['ask', 'plan', false, 'plan', 0],
    ['ask', 'ask', false, 'ask', 0],
    ['ask', 'auto-edit', false, 'ask', 1],
    ['ask', 'yolo', false, 'ask', 1],
    ['yolo', 'auto-edit', false, 'auto-edit', 0],
    ['yolo', 'yolo', false, 'yolo', 1],
    ['plan', 'ask', false, 'plan', 1],
    ['ask', 'auto-edit', true, 'auto-edit', 0],
    ['plan', 'auto-edit', true, 'auto-edit', 0],
    ['ask', 'yolo', true, 'ask', 1],
    ['yolo', 'yolo', true, 'yolo', 1],
  ]
  for (const [user, project, trusted, mode, notices] of rows) {
    const { load } = world(t, {
      user: `permission: { mode: ${user} }`,
      project: `permission: { mode: ${project} }`,
    })
    const loaded = await load({ trusted })
    const row = `user ${user}, project ${project}, ${trusted ? 'trusted' : 'not trusted'}`
    assert.equal(loaded.config.permission.mode, mode, row)
    assert.equal(loaded.notices.length, notices, row)
    assert.ok(
      loaded.notices.every(notice => notice.message.includes('permission.mode')),
      row,
    )
    assert.equal((await load({ trusted, flags: { mode: 'yolo' } })).config.permission.mode, 'yolo', row)
  }
})

test('in the home directory the one file is the user’s', async t => {
  const { root, home } = world(t, { user: 'ollama: { model: mine }\npermission: { mode: yolo }' })
  symlinkSync(path.join(root, 'home'), path.join(root, 'link'))
  for (const cwd of [path.join(root, 'home'), path.join(root, 'link')]) {
    const loaded = await loadConfig({ home, cwd, env: {}, trusted: false })
    assert.equal(loaded.config.ollama.model, 'mine')
    assert.equal(loaded.config.permission.mode, 'yolo')
    assert.deepEqual(loaded.notices, [])
    assert.equal(loaded.files.length, 1)
  }
})

test('--config and GOPI_CONFIG stand for the user’s file, and must exist', async t => {
  const { load, cwd } = world(t, {
    user: 'ollama: { model: user, think: on }',
    project: 'tui: { theme: light }',
  })
  writeFileSync(path.join(cwd, 'mine.yaml'), 'ollama: { model: mine }')
  const byFlag = await load({ file: 'mine.yaml', env: { GOPI_CONFIG: '/nowhere' } })
  assert.equal(byFlag.config.ollama.model, 'mine')
  assert.equal(byFlag.config.ollama.think, 'off')
  assert.equal(byFlag.config.tui.theme, 'light')
  assert.equal(
    (await load({ env: { GOPI_CONFIG: path.join(cwd, 'mine.yaml') } })).config.ollama.model,
    'mine',
  )
  assert.equal((await load({ env: { GOPI_CONFIG: '' } })).config.ollama.model, 'user')
  assert.deepEqual(await problemsOf(load({ file: 'none.yaml' })), [
    `${path.join(cwd, 'none.yaml')}: expected a file, as --config names it; there is none`,
  ])
  assert.deepEqual(await problemsOf(load({ env: { GOPI_CONFIG: '/nowhere/x' } })), [
    '/nowhere/x: expected a file, as GOPI_CONFIG names it; there is none',
  ])
})

test('all problems of all files and of the environment come at once, each with file, line and path', async t => {
  const { load, userFile, projectFile } = world(t, {
    user: '# mine\nollama:\n  timeout: 5\n\n  modle: x\ncontext: { keep_recent: 1 }\n',
    project: 'permission:\n  deny:\n    - Read\n    - Bash(a: b)\n  mode: [yolo]\n',
  })
  const problems = await problemsOf(load({ env: { GOPI_MODEL: 'a b' } }))
  const starts = [
    `${userFile}:3: ollama.timeout: expected a duration such as 120s`,
    `${userFile}:5: ollama.modle: unknown key; did you mean model?`,
    `${userFile}:6: context.keep_recent: expected a whole number from 2; came 1`,
    `${projectFile}:4: permission.deny[1]: expected a rule such as`,
    `${projectFile}:5: permission.mode: expected one of plan, ask, auto-edit, yolo; came a list`,
    'GOPI_MODEL: expected the name of a model such as qwen3:8b; came "a b"',
  ]
  const shown = problems.join('\n')
  assert.equal(problems.length, starts.length, shown)
  for (const [i, start] of starts.entries()) assert.ok(problems[i]?.startsWith(start), `${start}\n${shown}`)
})

test('settings of models are read, and what is wrong with them is told with its line', async t => {
  const { home, load } = world(t)
  const file = path.join(home, 'models.yaml')
  const text =
    'qwen3:8b: { think: high }\n"qwen*":\n  context: 8192\n  options: { temperature: 0.2 }\nempty:\n'
  writeFileSync(file, text)
  const profiles = {
    'qwen3:8b': { think: 'high' },
    'qwen*': { context: 8192, options: { temperature: 0.2 } },
    empty: {},
  }
  assert.deepEqual((await load()).profiles, profiles)
  writeFileSync(
    file,
    'a:\n  thonk: on\n  context: -1\nb: { options: { num_ctx: 5 } }\nc: { few_shot: [] }\nd: 4\n',
  )
  assert.deepEqual(await problemsOf(load()), [
    `${file}:2: a.thonk: unknown key; did you mean think?`,
    `${file}:3: a.context: expected a whole number of tokens from 1`,
    `${file}:4: b.options.num_ctx: unknown key; known here: temperature, top_p, top_k, min_p, typical_p, repeat_penalty, repeat_last_n, presence_penalty, frequency_penalty, seed`,
    `${file}:5: c.few_shot: expected true or false`,
    `${file}:6: d: expected a mapping (key: value)`,
  ])
})

test('files that set nothing are fine', async t => {
  for (const user of [
    '',
    '\n\n',
    '# only words\n',
    '---\n',
    '~',
    '{}',
    '\uFEFF',
    'ollama:\n',
    'ollama:\n  # model: x\r\ntui:\r\n',
  ]) {
    assert.deepEqual((await world(t, { user }).load()).config, defaults, JSON.stringify(user))
  }
})

test('what is no YAML mapping is told in one sentence with its line', async t => {
  const rows: [string | Buffer, string, number?][] = [
    ['- a\n- b', ':1: expected a mapping (key: value); came a list'],
    ['just words', ':1: expected a mapping (key: value); came "just words"'],
    ['ollama: { model: x', ':1: this is no YAML: '],
    ['tui:\n\ttheme: dark', ':2: this is no YAML: '],
    ['a: b: c', ':1: this is no YAML: '],
    ['tui:\n  theme: dark\n mouse: true', ':3: this is no YAML: '],
    ['tui: {}\n---\ntui: {}', ':2: this is no YAML: '],
    ['tui: { theme: !dark dark }', ':1: this is no YAML: '],
    ['permission: { allow: [*] }', ':1: this is no YAML: '],
    ['tui:\n  mouse: true\n  mouse: false', ':3: the key mouse stands here for the second time; keep one'],
    ['tui: {}\ncontext: {}\ntui: {}', ':3: the key tui stands here for the second time; keep one'],
    [Buffer.from([0x74, 0x75, 0x69, 0x3a, 0x20, 0xff, 0xfe]), ': expected UTF-8 text, came other bytes'],
    [Buffer.from('tui: {}', 'utf16le'), ':'],
    [`tui: { theme: ${'['.repeat(100_000)}`, ':'],
    [`a: &a [x,x,x,x,x,x,x,x,x]\n${bomb()}`, ': expected YAML that can be read'],
    ['permission: { deny: &a [*a] }', ':1: permission.deny[0]: expected a rule'],
    [`# ${'x'.repeat(2 * 1024 * 1024)}`, ': expected at most 1 MB, came 2.0 MB'],
  ]
  for (const [user, start] of rows) {
    const { load, userFile } = world(t, { user })
    const problems = await problemsOf(load())
    const about = `${JSON.stringify(String(user).slice(0, 60))}\n${problems.join('\n').slice(0, 500)}`
    assert.ok(problems[0]?.startsWith(userFile + start), about)
    assert.ok(
      problems.length <= 5 && problems.every(problem => !problem.includes('\n') && problem.length < 400),
      about,
    )
  }
})

/** Each alias list holds the one before nine times: 9⁹ values of a few lines. */
function bomb(): string {
  const names = [...'abcdefghi']
  const lines = names
    .slice(1)
    .map((name, i) => `${name}: &${name} [${Array(9).fill(`*${names[i]}`).join(',')}]`)
  return lines.join('\n')
}

test('a duplicate key hides no other problem', async t => {
  const { load } = world(t, { user: 'tui:\n  mouse: true\n  mouse: 1\ncolor: red' })
  const problems = await problemsOf(load())
  assert.equal(problems.length, 3, problems.join('\n'))
})

test('what is no readable file is told in one sentence, and never waited for', async t => {
  const { load, root } = world(t)
  const file = (name: string) => path.join(root, name)
  mkdirSync(file('directory'))
  assert.equal(spawnSync('mkfifo', [file('fifo')]).status, 0)
  symlinkSync('/dev/zero', file('zero'))
  symlinkSync(file('loop'), file('loop'))
  const rows: [string, RegExp][] = [
    ['directory', /directory: expected a file, came a directory$/],
    ['fifo', /fifo: expected a file, came a device, pipe or socket$/],
    ['zero', /zero: expected a file, came a device, pipe or socket$/],
    ['loop', /loop: this file cannot be read: ELOOP/],
  ]
  for (const [name, problem] of rows) {
    const problems = await problemsOf(load({ file: file(name) }))
    assert.equal(problems.length, 1)
    assert.match(problems[0] ?? '', problem)
  }
})

test('a file that gopi may not read is told in one sentence', async t => {
  const { load, userFile } = world(t, { user: 'tui: {}' })
  chmodSync(userFile, 0o000)
  // Root may read everything, so where the tests run as root the call is made as somebody else.
  const root = process.geteuid?.() === 0
  if (root) process.seteuid?.(65_534)
  const loading = problemsOf(load())
  if (root) process.seteuid?.(0)
  assert.deepEqual(await loading, [
    `${userFile}: gopi may not read this file; change its permissions or move it`,
  ])
})

test('a caller’s partial config is checked like a file and laid over the defaults', async () => {
  assert.deepEqual(await mergeConfig(undefined), defaults)
  assert.deepEqual(await mergeConfig({}), defaults)
  const config = await mergeConfig({ ollama: { model: 'm', timeout: '5s' }, permission: { deny: ['Bash'] } })
  assert.deepEqual(config, {
    ...defaults,
    ollama: { ...defaults.ollama, model: 'm', timeout: 5_000 },
    permission: { ...defaults.permission, deny: ['Bash'] },
  })
  const problems = await problemsOf(mergeConfig({ ollama: { timeout: 5, modle: 1 }, x: 1 }))
  assert.deepEqual(problems.sort(), [
    'config: ollama.modle: unknown key; did you mean model?',
    'config: ollama.timeout: expected a duration such as 120s (a whole number and ms, s, m or h; at most 596h); came 5',
    'config: x: unknown key; known here: ollama, providers, context, tools, agents, permission, sandbox, tui, max_turns, instructions, verify, extensions, hooks, mcp',
  ])
})

test('what is wrong with the file of an untrusted folder is said, and the rest of it holds', async t => {
  const { load, projectFile } = world(t, {
    project:
      'permission:\n  deny: ["Bash(rm *)", "no rule(", "Read(x)"]\n  sandbox: true\nunknown: 1\ntools: { todo: 7 }\n',
  })
  assert.equal((await problemsOf(load())).length, 4)
  const { config, notices } = await load({ trusted: false })
  assert.deepEqual(config.permission.deny, ['Bash(rm *)', 'Read(x)'])
  assert.equal(notices.length, 4)
  assert.match(
    notices.map(({ message }) => message).join('\n'),
    /config\.yaml:4: unknown: unknown key.*not trusted/,
  )
  writeFileSync(projectFile, 'a: [')
  const broken = await load({ trusted: false })
  assert.deepEqual(broken.config, defaults)
  assert.ok(broken.notices.length > 0)
  assert.ok((await problemsOf(load())).length > 0)
})

test('a home that others can write to is refused, with the remedy', async t => {
  const { load, home, userFile } = world(t, { user: 'tools: { todo: false }\n' })
  chmodSync(home, 0o770)
  assert.deepEqual(await problemsOf(load()), [
    `${home}: expected that only you can write there, came mode 770; run: chmod 700 ${home}`,
  ])
  chmodSync(home, 0o755)
  chmodSync(userFile, 0o666)
  assert.match((await problemsOf(load())).join(), /config\.yaml: expected that only you .* chmod go-w /)
  chmodSync(home, 0o700)
  await load()
})
