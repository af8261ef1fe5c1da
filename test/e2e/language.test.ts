import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { call } from '../support/house.ts'
import { openProgram } from '../support/program.ts'
import { ctrlD, openTerminal } from '../support/terminal.ts'

test('every face speaks the language of the environment, and its configuration before that', async t => {
  const gopi = await openProgram(t, {
    replies: [call('bash', { command: 'touch x' }), 'Then not.', 'Hi.', 'Hi.'],
  })
  const zh = { LANG: 'zh_CN.UTF-8' }
  const printed = await gopi.run(['-p', 'go'], { env: zh })
  assert.match(printed.stderr, /已拒绝 \(ask 模式/)
  const lines = await gopi.run(['--plain'], { env: zh, stdin: '/help\n/nope\n' })
  assert.match(lines.stdout, /qwen2\.5-coder:7b（native），位于 http/)
  assert.match(lines.stdout, /输入你想做的事/)
  assert.match(lines.stdout, /没有 \/nope 这个命令/)

  const english = await gopi.run(['--plain'], { env: { ...zh, GOPI_LANG: 'en' }, stdin: '/nope\n' })
  assert.match(english.stdout, /There is no command \/nope/)

  mkdirSync(path.join(gopi.home, '.gopi'), { recursive: true })
  writeFileSync(path.join(gopi.home, '.gopi', 'config.yaml'), 'tui: { language: zh }\n')
  const configured = await gopi.run(['--plain'], { stdin: '/nope\n' })
  assert.match(configured.stdout, /没有 \/nope 这个命令/)
  const screen = openTerminal(t, gopi)
  await screen.until('想做什么？')
  screen.press(ctrlD)
  assert.equal(await screen.ended, 0)
})

test('what subcommands print is Chinese for who reads Chinese, in columns that line up', async t => {
  const gopi = await openProgram(t, { replies: ['Hi.'], files: { '.mcp.json': '{' } })
  const env = { LANG: 'zh_CN.UTF-8' }
  await gopi.run(['-p', 'go'], { env })
  const server = ['--', process.execPath, '-e', '0']
  const lines = [
    ...['models', 'models qwen2.5-coder:7b', 'doctor', 'sessions', 'sessions --all', 'config', 'mcp', 'kit'],
    ...['sessions prune --older-than 9999d', 'config set tui.theme light', 'config set tui.theme light'],
    ...['skills', 'extensions', 'permission check bash ls', 'init', 'mcp add empty', 'mcp list', 'mcp test'],
    ...[
      'mcp list --trust',
      'mcp remove empty',
      'mcp remove empty',
      'sessions delete nope',
      'completion fish',
    ],
    ...['sessions prune --older-than 0d', 'sessions prune --older-than 0d --yes'],
  ]
  for (const line of lines) {
    const args = [...line.split(' '), ...(line === 'mcp add empty' ? server : [])]
    const { stdout, stderr } = await gopi.run(args, { env })
    const said = `${stdout}${stderr}`.replaceAll(gopi.home, '~').replaceAll(gopi.cwd, '.')
    assert.match(said, line === 'permission check bash ls' ? /只读取/ : /\p{Script=Han}/u, line)
    // Commands as they are typed, what the person has said, names in a table, and the words of other programs.
    const own = said
      .replaceAll(
        /`[^`]*`|“[^”]*”|"[^"]*"|^complete -c gopi(?:.* -d |[ -~]*$)|--[a-z-]+ [a-z]+|node -e 0|^.*·.*$/gm,
        '',
      )
      .replaceAll(/ollama (?:pull|serve)|qwen2\.5-coder:7b +\S+|gopi [a-z]+|Agent Client Protocol/g, '')
    assert.doesNotMatch(own, /[a-z]{3,}[,.:;]? [a-z]{2,} [a-z]{2,}/i, `gopi ${line}\n${said}`)
  }
  const { stdout } = await gopi.run(['config'], { env })
  const columns = stdout.split('\n').flatMap(row => (/^ *\w+: \S+ +#/.test(row) ? [row.indexOf('#')] : []))
  assert.equal(new Set(columns).size, 1, stdout)
  const json = await gopi.run(['config', '--json'], { env })
  assert.deepEqual(Object.keys(JSON.parse(json.stdout)), ['config', 'sources', 'files', 'notices'])
})
