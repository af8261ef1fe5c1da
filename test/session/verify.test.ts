import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { exitCode } from '../../src/print/print.ts'
import { foundChecks } from '../../src/session/found-checks.ts'
import { firstErrors } from '../../src/text/first-errors.ts'
import { call, type House, openHouse } from '../support/house.ts'
import { eventually, processesWith } from '../support/program.ts'

const write = (path: string, content: string) => ({ name: 'write', arguments: { path, content } })
const five = (content: string) => [1, 2, 3, 4, 5].map(n => write(`src/${n}.txt`, n === 4 ? content : 'good'))
const check =
  '(for f in src/*.txt; do grep -q good "$f" || { echo "$f:1: error: not good"; bad=1; }; done; [ -z "$bad" ])'
const said = ({ events }: House) =>
  events.flatMap(event =>
    event.type === 'notice' && event.code === 'verify' ? [String(event.facts?.case)] : [],
  )

test('a task of five files with a failing check, which the model mends in the second round', async t => {
  const house = await openHouse(t, {
    config: { verify: { 'src/**': [check], '**/*.txt': { run: [check, 'true'] }, '**/*.go': ['false'] } },
    replies: [
      { calls: five('bad') },
      'All five are written.',
      { calls: [write('src/4.txt', 'good')] },
      'Mended.',
      'Nothing to do.',
    ],
  })
  const result = await house.session.prompt('write five files')
  assert.deepEqual([result.text, result.reason, exitCode(result)], ['Mended.', 'done', 0])
  assert.match(
    house.sent(2).at(-1)?.content ?? '',
    /failed\.[\s\S]*src\/4\.txt:1: error: not good[\s\S]*exit code 1/,
  )
  assert.deepEqual(said(house), ['runs', 'failed', 'runs', 'passed'])
  const [runs] = house.events.filter(event => event.type === 'notice')
  assert.deepEqual(
    runs?.type === 'notice' && runs.facts?.commands,
    [check, 'true'],
    'each once, and no others',
  )
  await house.session.prompt('and now?')
  assert.deepEqual(said(house).length, 4, 'nothing has changed')
  assert.deepEqual(house.server.violations, [])
})

test('checks that only read go side by side, the others one after the other in the session’s shell', async t => {
  const [one, other] = [`7${process.pid % 1000}.1`, `7${process.pid % 1000}.2`]
  const house = await openHouse(t, {
    config: {
      verify: { '**': [`sleep ${one}`, `sleep ${other}`, 'echo "$MINE" >first', 'cp first second'] },
    },
    replies: [
      call('bash', { command: 'export MINE=yes' }),
      call('write', { path: 'c.txt', content: 'x' }),
      'Done.',
    ],
  })
  const running = house.session.prompt('go')
  const written = () => existsSync(path.join(house.cwd, 'second'))
  await eventually(
    'both sleep at once, and the others have run beside them',
    () => written() && [one, other].every(time => processesWith(`sleep ${time}`).length > 0),
  )
  assert.equal(readFileSync(path.join(house.cwd, 'second'), 'utf8'), 'yes\n')
  house.session.abort()
  assert.equal((await running).reason, 'aborted')
  await eventually('nothing of them goes on', () =>
    [one, other].every(time => processesWith(`sleep ${time}`).length === 0),
  )
})

test('three times at most, then the person is told; what may not run fails nothing; off', async t => {
  const house = await openHouse(t, {
    config: {
      verify: { '**': ['echo "a.py:7: wrong"; false', 'rm -rf /tmp/none'] },
      permission: { deny: ['Bash(rm *)'] },
    },
    replies: [
      call('write', { path: 'a.py', content: 'x' }),
      'One.',
      'Two.',
      'Three.',
      'Four.',
      call('write', { path: 'b.py', content: 'x' }),
      'Off.',
    ],
  })
  const result = await house.session.prompt('go')
  assert.deepEqual([result.text, result.unmended?.slice(0, 4), exitCode(result)], ['Four.', 'echo', 6])
  assert.deepEqual(
    said(house).filter(one => one !== 'runs' && one !== 'not_run'),
    ['failed', 'failed', 'failed', 'gave_up'],
  )
  assert.ok(said(house).includes('not_run'))
  house.session.checks.off()
  assert.equal(exitCode(await house.session.prompt('more')), 0)
})

test('with auto what the project says of itself is offered once, and nothing of it runs', async t => {
  const house = await openHouse(t, {
    config: { verify: 'auto' as unknown as object },
    files: { 'package.json': '{"scripts":{"test":"touch ran","build":"x"}}', 'go.mod': 'module a' },
    replies: [
      call('write', { path: 'a.ts', content: 'x' }),
      'One.',
      call('write', { path: 'b.ts', content: 'x' }),
      'Two.',
    ],
  })
  await house.session.prompt('one')
  await house.session.prompt('two')
  assert.deepEqual(said(house), ['offer'])
  assert.deepEqual(foundChecks(house.cwd), {
    '**/*.{ts,tsx,js,jsx,mjs,cjs}': ['npm run --silent test'],
    '**/*.go': ['go vet ./...', 'go test ./...'],
  })
})

test('the first errors of a long output', () => {
  const noise = Array.from({ length: 50 }, (_, n) => `noise ${n}`).join('\n')
  const cut = firstErrors(`${noise}\nsrc/a.ts(3,5): error TS1: no\n${noise}\nexit code 2`)
  assert.match(cut, /^src\/a\.ts\(3,5\): error TS1: no\nnoise 0\n/)
  assert.match(cut, /more lines\)\nexit code 2$/)
  assert.match(firstErrors(noise), /^noise 20\n[\s\S]*noise 49$/)
})
