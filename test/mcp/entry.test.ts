import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { configuredServers } from '../../src/assembly/servers.ts'
import { changedSinceTrusted, claims, rememberTrust, trustOf } from '../../src/assembly/trust.ts'
import { claimedSettings } from '../../src/config/claimed.ts'
import { loadConfig } from '../../src/config/load.ts'
import { ZH } from '../../src/words/zh.ts'

function places(t: TestContext, { own = '', project }: { own?: string; project?: string }) {
  const [home = '', cwd = ''] = ['home', 'project'].map(name =>
    mkdtempSync(path.join(tmpdir(), `gopi-${name}-`)),
  )
  t.after(() => {
    for (const directory of [home, cwd]) rmSync(directory, { recursive: true, force: true })
  })
  writeFileSync(path.join(home, 'config.yaml'), own)
  if (project !== undefined) writeFileSync(path.join(cwd, '.mcp.json'), project)
  const load = async (env: Record<string, string> = {}, trusted = true) => {
    const config = await loadConfig({ home, cwd, env, trusted })
    return configuredServers({ config, cwd, env, trusted })
  }
  return { home, cwd, load, file: path.join(home, 'config.yaml'), json: path.join(cwd, '.mcp.json') }
}

const OWN = `# mine
mcp:
  git: { command: git-server, args: [--repo, '\${REPO:-.}'], env: { TOKEN: '\${TOKEN}' }, timeout: 5s, tools: [log] }
  web:
    url: https://example.com/\${WHERE:-mcp}
    headers: { Authorization: 'Bearer \${TOKEN}' }
  off: { command: x, enabled: false }
  two__three: { command: x }
  wrong:
    command: x
    arg: [y]
  both: { command: x, url: http://y }
  ftp: { url: ftp://y }
  soon: { command: x, timeout: soon }
  none: 7
  args: { command: x, args: x }
  unset:
    command: \${NOBODY_SET_THIS}
  GIT: { command: other }
`

test('entries are read, filled in, and each that is wrong is a sentence with its line', async t => {
  const { load, file } = places(t, { own: OWN })
  const { servers, problems } = await load({ TOKEN: 'secret', REPO: '' })
  assert.deepEqual(
    servers.map(({ name, entry, from }) => ({ name, entry, from })),
    [
      {
        name: 'git',
        from: file,
        entry: {
          command: 'git-server',
          args: ['--repo', '.'],
          env: { TOKEN: 'secret' },
          timeout: 5_000,
          tools: ['log'],
        },
      },
      {
        name: 'web',
        from: file,
        entry: {
          url: 'https://example.com/mcp',
          headers: { Authorization: 'Bearer secret' },
          timeout: 60_000,
        },
      },
    ],
  )
  assert.ok(
    !JSON.stringify(servers.map(({ written }) => written)).includes('secret'),
    'remembered as written',
  )
  assert.deepEqual(
    problems.map(({ message }) => message.replace(file, 'F').replace(/ is left out/, '')),
    [
      'F:8: the MCP server two__three: two__three is no name for a server (at most 40 letters, digits, - and single _).',
      'F:11: the MCP server wrong: unknown key arg; known here: command, args, env, cwd, url, headers, timeout, enabled, tools.',
      'F:12: the MCP server both: expected either a command or a url.',
      'F:13: the MCP server ftp: ftp://y is no address of the web (http://… or https://…).',
      'F:14: the MCP server soon: timeout: expected a duration such as 30s.',
      'F:15: the MCP server none: expected a mapping (command and args, or url).',
      'F:16: the MCP server args: args: expected a list of texts.',
      'F:17: the MCP server unset: the variable NOBODY_SET_THIS is not set, and there is no default (${NOBODY_SET_THIS:-default}).',
      'F:19: the MCP server GIT: git has the same name.',
    ],
  )
  for (const problem of problems) assert.match(ZH.say(problem), /未使用/)
})

test('a project names servers as other assistants do: used once it is trusted, and for what it says', async t => {
  const project = JSON.stringify(
    {
      mcpServers: {
        git: { type: 'stdio', command: 'theirs', autoApprove: ['log'] },
        old: { type: 'sse', url: 'http://x' },
        far: { type: 'http', url: 'http://localhost:1/mcp', timeout: 100 },
        off: { command: 'x', disabled: true },
      },
    },
    null,
    1,
  )
  const { home, cwd, load, json, file } = places(t, { own: 'mcp: { git: { command: mine } }', project })
  assert.deepEqual(claims(cwd), [json])
  const shown = await claimedSettings(cwd)
  assert.match(shown.join('\n'), /mcp\.git: .*theirs/)
  const untrusted = await load({}, false)
  assert.deepEqual(
    [untrusted.servers.map(({ entry }) => entry.command), untrusted.problems],
    [['mine'], []],
    'nothing of it, and no server of it is read',
  )
  await rememberTrust(home, cwd, true)
  const { servers, problems } = await load()
  assert.deepEqual(
    servers.map(({ name, entry }) => [name, entry.command ?? entry.url, entry.timeout]),
    [
      ['git', 'theirs', 60_000],
      ['far', 'http://localhost:1/mcp', 100],
    ],
  )
  assert.deepEqual(
    problems.map(({ message }) => message),
    [
      `The MCP server git of ${json} is used in place of the one of ${file}.`,
      `${json}:11: the MCP server old is left out: type sse is not supported; stdio and http are.`,
    ],
  )
  assert.equal(trustOf(home, cwd), true)
  writeFileSync(json, project.replace('theirs', 'others'))
  assert.deepEqual([trustOf(home, cwd), changedSinceTrusted(home, cwd)], [undefined, [json]])

  writeFileSync(json, '{\n "mcpServers": {\n  "a": {]\n')
  const broken = await load()
  assert.deepEqual(
    broken.servers.map(({ name }) => name),
    ['git'],
  )
  assert.match(
    broken.problems[0]?.message ?? '',
    /\.mcp\.json:3: no MCP server of it is used: this is no JSON/,
  )
  writeFileSync(json, '[]')
  assert.match((await load()).problems[0]?.message ?? '', /expected an object mcpServers/)
})
