import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { call } from '../support/house.ts'
import { openProgram } from '../support/program.ts'

test('-p again is another prompt, and a program steers a run by lines', async t => {
  const gopi = await openProgram(t, { replies: ['One.', 'Two.', 'Three.', 'Four.'] })
  const two = await gopi.run(['-p', 'first', 'words', '-p', 'second'])
  assert.deepEqual([two.code, two.stdout], [0, 'One.\nTwo.\n'])
  assert.deepEqual(gopi.sent(1), ['first words', 'One.', 'second'])
  const lines = [
    { type: 'prompt', text: 'third' },
    { type: 'prompt', text: 'fourth' },
  ]
  const stdin = `${lines.map(line => JSON.stringify(line)).join('\n')}\n`
  const json = ['-p', '--input-format', 'stream-json', '--output-format', 'stream-json']
  const steered = await gopi.run(json, { stdin })
  const events = steered.stdout
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line) as { type: string })
  assert.deepEqual([steered.code, events.filter(({ type }) => type === 'agent_end').length], [0, 2])
  assert.deepEqual(gopi.sent(3), ['third', 'Three.', 'fourth'])
  const wrong = await gopi.run(json, { stdin: 'hello\n' })
  assert.deepEqual([wrong.code, /expected lines such as/.test(wrong.stderr)], [2, true])
  assert.equal((await gopi.run(['--input-format', 'stream-json', 'x'])).code, 2)
})

test('rules, a text for the model and the person’s own file in the project hold for one start', async t => {
  const touch = (name: string) => call('bash', { command: `touch ${name}` })
  const gopi = await openProgram(t, { replies: [touch('a'), 'One.', touch('b'), 'Two.', 'Three.', 'Four.'] })
  const allowed = await gopi.run(['-p', '--allow', 'Bash(touch *)', 'go'])
  assert.equal(allowed.code, 0)
  assert.equal((await gopi.run(['-p', '--yolo', '--deny', 'Bash(touch *)', 'go'])).code, 0)
  assert.match(String(gopi.sent(3).at(-1)), /denied|not allowed/i)
  assert.equal((await gopi.run(['-p', '--allow', 'Bash(', 'go'])).code, 2)
  await gopi.run(['-p', '--append-system-prompt', 'Speak like a pirate.', 'go'])
  const system = (index: number) =>
    (gopi.server.chats[index]?.body as { messages: { content: string }[] } | undefined)?.messages[0]
      ?.content ?? ''
  assert.match(system(4), /\n\nSpeak like a pirate\.$/)
  mkdirSync(path.join(gopi.cwd, '.gopi'))
  writeFileSync(path.join(gopi.cwd, '.gopi/config.local.yaml'), 'ollama: { model: "mine:1b" }\n')
  await gopi.run(['-p', '--trust', 'go'])
  assert.equal((gopi.server.chats[5]?.body as { model: string } | undefined)?.model, 'mine:1b')
  const shown = await gopi.run(['config', 'set', 'max_turns', '7'])
  assert.deepEqual([shown.code, /\+max_turns: 7/.test(shown.stdout)], [0, true])
  assert.match((await gopi.run(['config'])).stdout, /max_turns: 7 +# user/)
})
