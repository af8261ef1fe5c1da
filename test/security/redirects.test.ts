/** A redirect writes the file that was judged, whatever becomes of its name before bash comes to it. */
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { createDoor } from '../../src/permission/door.ts'
import { bindWrites } from '../../src/tools/bound.ts'
import { makeProject } from '../permission/ground.ts'
import { call, type HouseOptions, openHouse } from '../support/house.ts'

const skip = process.platform !== 'linux' && 'descriptors have names in /proc only'

/** A line that waits until the test lets it go on. `swap`: what is done meanwhile. */
async function race(
  t: TestContext,
  line: (wait: string) => string,
  swap: (cwd: string) => void,
  options: HouseOptions = {},
) {
  const holder = spawn('sleep', ['1000'], { stdio: 'ignore' })
  t.after(() => holder.kill())
  const wait = `tail -f -s 0.05 --pid=${holder.pid} a.txt > /dev/null`
  const house = await openHouse(t, {
    files: { 'a.txt': '', 'sub/x': '', 'elsewhere/there.txt': 'as it was\n' },
    replies: [call('bash', { command: line(wait) }), 'Done.'],
    config: { permission: { mode: 'auto-edit' }, sandbox: { mode: 'off' } },
    approve: async () => assert.fail('nobody is asked'),
    ...options,
  })
  const run = house.session.prompt('go')
  const isThere = () =>
    readdirSync('/proc').some(pid => {
      try {
        return (
          Number(pid) !== holder.pid &&
          readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith(
            `tail\0-f\0-s\u00000.05\0--pid=${holder.pid}`,
          )
        )
      } catch {
        return false
      }
    })
  while (!isThere()) await setTimeout(20)
  swap(house.cwd)
  holder.kill()
  await run
  const text = (name: string) => readFileSync(path.join(house.cwd, name), 'utf8')
  return { ...house, text }
}

for (const operator of ['>', '>>', '&>'])
  test(`${operator} into a new file does not follow a link that has come in its place`, { skip }, async t => {
    const project = makeProject({ 'elsewhere/there.txt': 'as it was\n' })
    t.after(project.remove)
    const { cwd, home } = project
    const door = createDoor({
      ...{ cwd, home, gopiHome: path.join(home, '.gopi'), rules: { allow: [], ask: [], deny: [] } },
      ...{ mode: () => 'auto-edit', shellCwd: () => cwd },
    })
    const line = `echo evil ${operator} out.txt`
    const { decision, writes } = await door.authorize(project.bashCall(line))
    assert.equal(decision, 'allow')
    for (const isSwapped of [false, true]) {
      const { command, end } = await bindWrites(line, writes)
      const out = path.join(cwd, 'out.txt')
      rmSync(out)
      if (isSwapped) symlinkSync('elsewhere/there.txt', out)
      execFileSync('bash', ['-c', command], { cwd })
      await end()
      if (isSwapped) await assert.rejects(bindWrites(line, writes), /is not the file any more/)
      assert.equal(readFileSync(path.join(cwd, 'elsewhere/there.txt'), 'utf8'), 'as it was\n')
      rmSync(out, { force: true })
    }
  })

test('nor does it follow one that has come in place of a directory on the way', { skip }, async t => {
  const { text, cwd } = await race(
    t,
    wait => `${wait}; echo evil > sub/there.txt`,
    cwd => {
      rmSync(path.join(cwd, 'sub'), { recursive: true })
      symlinkSync('elsewhere', path.join(cwd, 'sub'))
    },
  )
  assert.equal(text('elsewhere/there.txt'), 'as it was\n')
  assert.deepEqual(readdirSync(path.join(cwd, 'elsewhere')), ['there.txt'])
})

test('appending to a file that is there, with a rule, writes that one', { skip }, async t => {
  const { text, cwd } = await race(
    t,
    wait => `${wait}; node -p '"good"' >> log.txt; node -p 1 >log.txt.2 2>&1`,
    cwd => {
      writeFileSync(path.join(cwd, 'kept'), '')
      rmSync(path.join(cwd, 'log.txt'))
      symlinkSync('elsewhere/there.txt', path.join(cwd, 'log.txt'))
    },
    {
      files: { 'a.txt': '', 'log.txt': 'begun\n', 'elsewhere/there.txt': 'as it was\n' },
      config: {
        permission: { mode: 'ask', allow: ['Bash(node -p *)', 'Edit(*.txt)', 'Edit(*.2)'] },
        sandbox: { mode: 'off' },
      },
    },
  )
  assert.equal(text('elsewhere/there.txt'), 'as it was\n')
  assert.equal(text('log.txt.2'), '1\n')
  assert.ok(existsSync(path.join(cwd, 'kept')))
})

/** The lines one after the other, in mode yolo, and what the model was told of each. */
async function ran(t: TestContext, lines: readonly string[], files: Record<string, string> = {}) {
  const house = await openHouse(t, {
    files,
    replies: [...lines.map(command => call('bash', { command })), 'Done.'],
    config: { permission: { mode: 'yolo' } },
  })
  await house.session.prompt('go')
  const results = house
    .journal()
    .flatMap(entry => (entry.type === 'message' && entry.role === 'tool' ? [entry.content] : []))
  return { house, results }
}

test('under set -C a new file is written, and one that is there is not', async t => {
  const lines = [
    'set -C',
    'echo new > n.txt',
    'echo 2>n2.txt both >n3.txt',
    'echo again > n.txt',
    'cat n.txt n3.txt; set +C; echo last > n.txt; cat n.txt',
  ]
  const { results } = await ran(t, lines)
  assert.match(results[3] ?? '', /cannot overwrite existing file/)
  assert.equal(results[4], 'new\nboth\nlast')
})

test('redirects do otherwise what they always do', async t => {
  const lines = [
    'echo one > new.txt && echo two >> new.txt && cat new.txt',
    'false && echo > never.txt; ls never.txt',
    'cat a.txt nowhere > both.txt 2>&1; cat both.txt',
    'echo "  $HOME" \'>\' x >"with blank.txt"; cat with*',
    'cat a.txt >new2.txt | cat; : > empty.txt; cat empty.txt; ls',
    'mkdir -p d/e && echo deep > d/e/f && cat d/e/f',
    'echo late > l.txt & wait; cat l.txt',
  ]
  const { house, results } = await ran(t, lines, { 'a.txt': 'a\n' })
  assert.equal(results[0], 'one\ntwo')
  assert.match(results[1] ?? '', /cannot access|No such file/)
  assert.match(results[2] ?? '', /^a\n.*nowhere/)
  assert.match(results[3] ?? '', /^ {2}\/.* > x/)
  assert.match(results[4] ?? '', /a\.txt\n/)
  assert.equal(results[5], 'deep')
  assert.match(results[6] ?? '', /late/)
  assert.deepEqual(readdirSync(house.cwd).sort(), [
    'a.txt',
    'both.txt',
    'd',
    'empty.txt',
    'l.txt',
    'new.txt',
    'new2.txt',
    'with blank.txt',
  ])
  mkdirSync(path.join(house.cwd, 'done'))
})
