/** Agents, checks and goals from the command line, in the built program. */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import type { ChatBody } from '../../src/demo/request.ts'
import { call } from '../support/house.ts'
import { openProgram, type Program } from '../support/program.ts'

const toolsOf = ({ server }: Program, index: number) =>
  ((server.chats[index]?.body as ChatBody | undefined)?.tools ?? []).map(tool => tool.function.name)

function configured({ home }: Program, text: string): void {
  mkdirSync(path.join(home, '.gopi'), { recursive: true })
  writeFileSync(path.join(home, '.gopi/config.yaml'), text)
}

const write = (name: string, content: string) => call('write', { path: name, content })

test('-p --agent explore searches, with tools that read and no others; nobody has task unasked', async t => {
  const gopi = await openProgram(t, {
    files: { 'a.ts': 'export const x = 1\n' },
    replies: [call('grep', { pattern: 'const x' }), 'a.ts:1', 'Hello.', 'Hello again.'],
  })
  const found = await gopi.run(['-p', '--agent', 'explore', 'where is x decided?'])
  assert.deepEqual([found.code, found.stdout], [0, 'a.ts:1\n'], found.stderr)
  assert.deepEqual(toolsOf(gopi, 0), ['read', 'grep', 'find', 'ls'])
  assert.match(gopi.system(0), /You find things in code/)
  await gopi.run(['-p', 'hello'])
  assert.ok(!toolsOf(gopi, 2).includes('task'))
  configured(gopi, 'agents: { task: true }\n')
  await gopi.run(['-p', 'hello'])
  assert.deepEqual(toolsOf(gopi, 3), [...toolsOf(gopi, 2), 'task'])
  const none = await gopi.run(['-p', '--agent', 'explorer', 'x'])
  assert.equal(none.code, 2)
  assert.match(none.stderr, /no agent explorer\. Did you mean explore\?/)
})

test('an agent’s own limit of turns gives way to the one of the command line', async t => {
  const gopi = await openProgram(t, {
    files: { '.gopi/agents/short.md': '---\ndescription: x\nmax_turns: 1\n---\nBe short.\n', 'a.txt': 'a' },
    replies: [call('read', { path: 'a.txt' }), call('read', { path: 'a.txt' }), 'Read.'],
  })
  const run = (...more: string[]) => gopi.run(['-p', '--trust', '--agent', 'short', ...more, 'read'])
  assert.equal((await run()).code, 4)
  assert.equal((await run('--max-turns', '5')).code, 0)
})

test('checks after the work: mended in the second round, or exit code 6', async t => {
  const gopi = await openProgram(t, {
    replies: [
      write('a.txt', 'bad'),
      'Done.',
      write('a.txt', 'good'),
      'Mended.',
      write('b.txt', 'bad'),
      'A.',
      'B.',
      'C.',
      'D.',
    ],
  })
  configured(gopi, 'verify: { "a.txt": ["grep -q good a.txt"], "b.txt": ["grep -q good b.txt"] }\n')
  const mended = await gopi.run(['-p', '--mode', 'auto-edit', 'write it'])
  assert.deepEqual([mended.code, mended.stdout], [0, 'Mended.\n'], mended.stderr)
  assert.match(gopi.sent(2).at(-1) ?? '', /grep -q good a\.txt[\s\S]*exit code 1/)
  const never = await gopi.run(['-p', '--mode', 'auto-edit', 'write it'])
  assert.deepEqual([never.code, never.stdout], [6, 'D.\n'], never.stderr)
})

test('--until goes on until the command passes, and says before each round what is left', async t => {
  const gopi = await openProgram(t, {
    replies: ['First.', write('made', '1'), 'Second.', write('made', '2'), 'Third.', 'x', 'y'],
  })
  const goal = 'grep -q 2 made'
  const args = ['-p', '--mode', 'auto-edit', '--until', goal]
  const done = await gopi.run([...args, '--max-turns', '10', 'make it 2'])
  assert.deepEqual([done.code, done.stdout.trim().split('\n').at(-1)], [0, 'Third.'], done.stderr)
  assert.match(done.stderr, /grep -q 2 made fails; 9 turns are left\.[\s\S]*fails; 7 turns are left\./)
  assert.equal(readFileSync(path.join(gopi.cwd, 'made'), 'utf8'), '2')
  const over = await gopi.run(['-p', '--until', 'test -e nothing', '--max-turns', '2', 'go'])
  assert.equal(over.code, 4, over.stderr)
  assert.match(over.stderr, /still fails, and the turns are used up/)
})

test('a server that the model starts in the background ends with gopi, and that is said', async t => {
  const gopi = await openProgram(t, {
    replies: [
      call('bash', { command: 'echo up >up; exec sleep 600', background: true }),
      call('bash_output', { id: 'b1', wait: 1 }),
      'It runs.',
    ],
  })
  configured(gopi, 'tools: { background: true }\n')
  const { code, stdout, stderr } = await gopi.run(['-p', '--yolo', 'start it'])
  assert.deepEqual([code, stdout], [0, 'It runs.\n'], stderr)
  assert.ok(existsSync(path.join(gopi.cwd, 'up')))
  assert.match(stderr, /sleep 600/)
  assert.deepEqual(toolsOf(gopi, 1).slice(-2), ['bash_output', 'bash_kill'])
})
