import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { configAsJson, configAt, showConfig } from '../../src/cli/config-command.ts'
import { loadConfig, mergeConfig } from '../../src/config/load.ts'
import { mergeSettings, settingsOf } from '../../src/config/settings.ts'
import { checkYaml } from '../../src/config/yaml.ts'
import { REPORTS_EN } from '../../src/words/reports-en.ts'

async function loaded(t: TestContext, user: string, project?: string) {
  const root = mkdtempSync(path.join(tmpdir(), 'gopi-config-'))
  t.after(() => rmSync(root, { recursive: true }))
  const home = path.join(root, 'home')
  mkdirSync(home)
  mkdirSync(path.join(root, '.gopi'))
  writeFileSync(path.join(home, 'config.yaml'), user)
  if (project !== undefined) writeFileSync(path.join(root, '.gopi', 'config.yaml'), project)
  const env = { OLLAMA_HOST: '[::1]:1' }
  return {
    root,
    config: await loadConfig({ home, cwd: root, env, flags: { model: 'qwen3:8b' }, trusted: false }),
  }
}

test('every value is shown with where it came from, in one column', async t => {
  const { root, config } = await loaded(
    t,
    'permission: { deny: [Edit, "Bash(a # b: c)"] }\ntui: { keys: { steer: ctrl+s } }',
    'permission: { deny: [Read] }\ntui: { theme: light }',
  )
  const text = showConfig(config, REPORTS_EN.config)
  assert.equal(
    text.replaceAll(root, '/root'),
    `\
# Defaults, then these files, the environment and flags; later ones win:
#   /root/home/config.yaml (user)
#   /root/.gopi/config.yaml (project)

ollama:
  host: "[::1]:1"             # environment OLLAMA_HOST
  model: qwen3:8b             # flag --model
  timeout: 2m                 # default
  tool_calling: auto          # default
  keep_alive: 30m             # default
  think: off                  # default
  prewarm: type               # default
providers: {}                 # default
context:
  max_tokens: 32768           # default
  compaction_threshold: 0.6   # default
  keep_recent: 8              # default
tools:
  bash_timeout: 2m            # default
  bash_max_output: 8192       # default
  read_max_lines: 500         # default
  grep_max_matches: 50        # default
  todo: false                 # default
  git: false                  # default
  fetch: false                # default
  mcp_tokens: 1500            # default
  background: false           # default
agents:
  task: false                 # default
permission:
  mode: ask                   # default
  allow: []                   # default
  ask: []                     # default
  deny:                       # user, project
    - Edit
    - "Bash(a # b: c)"
    - Read
  env: []                     # default
sandbox: auto                 # default
tui:
  theme: dark                 # default
  show_token_count: true      # default
  quiet_startup: false        # default
  key_hints: true             # default
  side_column: true           # default
  language: auto              # default
  mouse: false                # default
  notify: true                # default
  keys:                       # user
    steer: ctrl+s
max_turns: 25                 # default
instructions: []              # default
verify: {}                    # default
extensions: []                # default
hooks: {}                     # default
mcp: {}                       # default
`,
  )
})

test('what is shown can be read again and means the same', async t => {
  const awkward = [
    'true',
    'null',
    '1',
    '-1',
    '0x1',
    '1e3',
    'a: b',
    '- a',
    'é',
    '"',
    '\\',
    '#',
    '~',
    '::',
    'a:',
    'Yes',
    'm:8b',
  ]
  for (const model of awkward.filter(name => !/\s/.test(name))) {
    const { config } = await loaded(
      t,
      `ollama: { keep_alive: -1, timeout: 61s, think: on }\nproviders: { lab: { type: ollama, host: 'a # b' } }\ntui: { keys: ${JSON.stringify(Object.fromEntries(awkward.map(name => [name, name])))} }`,
    )
    config.config.ollama.model = model
    const checked = checkYaml(showConfig(config, REPORTS_EN.config), 'shown')
    assert.deepEqual(checked.problems, [])
    assert.deepEqual(mergeSettings(settingsOf(checked.values, { from: 'user' })).config, config.config)
    assert.deepEqual(await mergeConfig(JSON.parse(configAsJson(config)).config), config.config)
  }
})

test('a file that is not there is said, and a long value does not push the column away', async t => {
  const { config } = await loaded(t, `ollama: { model: ${'m'.repeat(200)} }`)
  config.config.ollama.host = `http://${'h'.repeat(200)}`
  const text = showConfig(config, REPORTS_EN.config)
  assert.match(text, /config\.yaml \(project, not there\)$/m)
  assert.match(text, /^ {2}host: http:\/\/h{200} {2}# environment OLLAMA_HOST$/m)
  assert.match(text, /^ {2}think: off {1,30}# default$/m)
})

test('the JSON form tells sources, files and notices', async t => {
  const { root, config } = await loaded(t, '', 'tui: { theme: light }')
  const shown = JSON.parse(configAsJson(config))
  assert.deepEqual(shown.sources['ollama.model'], [{ from: 'flag', name: '--model' }])
  assert.deepEqual(shown.sources['tui.theme'], [{ from: 'default' }])
  assert.equal(shown.config.ollama.timeout, '2m')
  assert.deepEqual(shown.files, [
    { from: 'user', file: path.join(root, 'home', 'config.yaml'), found: true },
    { from: 'project', file: path.join(root, '.gopi', 'config.yaml'), found: true },
  ])
  assert.equal(shown.notices.length, 1)
})

test('one value, or a section, is shown as the whole shows it', async t => {
  const { config } = await loaded(
    t,
    'permission: { deny: [Edit, "Bash(a # b)"] }\ntui: { keys: { steer: ctrl+s } }\nproviders: { lab: { type: openai, base_url: "http://h", api_key: secret } }',
  )
  const rows: [key: string, text: string | undefined][] = [
    ['ollama.model', 'qwen3:8b\n'],
    ['ollama.timeout', '2m\n'],
    ['max_turns', '25\n'],
    ['permission.deny', '- Edit\n- "Bash(a # b)"\n'],
    ['permission.allow', ''],
    ['tui.keys', 'steer: ctrl+s\n'],
    ['tui.keys.steer', 'ctrl+s\n'],
    ['agents', 'task: false\n'],
    ['ollama.modle', undefined],
    ['ollama.model.length', undefined],
    ['constructor', undefined],
  ]
  for (const [key, text] of rows) assert.equal(configAt(config, key), text, key)
  assert.equal(configAt(config, 'permission.deny', true), '[\n  "Edit",\n  "Bash(a # b)"\n]\n')
  assert.doesNotMatch(configAt(config, 'providers') ?? '', /secret/)
})
