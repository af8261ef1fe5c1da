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
