/** /commit, /review and /pr-message in real repositories, with real hooks and a real signature. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { it, type TestContext } from 'node:test'
import { BUILT_IN } from '../../src/kit/commands/table.ts'
import { commandRun } from '../../src/print/command.ts'
import { EN } from '../../src/words/en.ts'
import { deskOf, obeyed } from '../support/desk.ts'
import { type House, type HouseOptions, openHouse, placeOf } from '../support/house.ts'

process.env.GIT_CONFIG_GLOBAL = '/dev/null'

const names = ['-c', 'user.name=A', '-c', 'user.email=a@b.c']
const git = (cwd: string, ...args: string[]) =>
  execFileSync('git', [...names, ...args], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trim()

function put(cwd: string, files: Record<string, string | Buffer>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(cwd, name)), { recursive: true })
    writeFileSync(path.join(cwd, name), text)
  }
}

/** A house in a repository on main. */
async function repository(t: TestContext, options: HouseOptions = {}): Promise<House> {
  const house = await openHouse(t, options)
  git(house.cwd, 'init', '-q', '-b', 'main')
  git(house.cwd, 'config', 'user.name', 'A')
  git(house.cwd, 'config', 'user.email', 'a@b.c')
  return house
}

async function committed(t: TestContext, options: HouseOptions = {}): Promise<House> {
  const house = await repository(t, options)
  put(house.cwd, { 'a.txt': 'one\n', 'b.txt': 'b\n' })
  git(house.cwd, 'add', '.')
  git(house.cwd, 'commit', '-q', '-m', 'feat(core): the first')
  return house
}

const lastCommit = ({ cwd }: House) => git(cwd, 'log', '-1', '--format=%B')

it('/commit writes a message in the manner of the repository, shows it, and commits by the person’s git', async t => {
  const house = await committed(t, { replies: ['```\nfix(core): count from 2\n\nBecause.\n```'] })
  put(house.cwd, { 'a.txt': 'two\n', 'key.env': 'export API_KEY=sk-live-abcdefghijklmnop1234567890\n' })
  git(house.cwd, 'add', '.')
  // What a repository names runs for its own commit only, never for reading it.
  const canary = path.join(house.home, 'canary')
  git(house.cwd, 'config', 'diff.external', `touch ${canary};`)
  git(house.cwd, 'config', 'core.fsmonitor', `touch ${canary};`)
  const at = deskOf(house, { choices: ['commit'] })
  await obeyed('/commit it is a fix', at)
  assert.equal(lastCommit(house), 'fix(core): count from 2\n\nBecause.')
  const [asked = ''] = house.sent(0).map(({ content }) => content)
  for (const part of [
    'feat(core): the first',
    'What the user says about it: it is a fix',
    '+two',
    '-one',
    'a.txt',
    '[masked:',
  ])
    assert.ok(asked.includes(part), `${part} in ${asked}`)
  assert.ok(!asked.includes('sk-live-abc'))
  assert.match(at.shown.join('\n'), /fix\(core\): count from 2[\s\S]*a\.txt[\s\S]*Committed: [0-9a-f]+ fix/)
  assert.deepEqual(house.session.messages, [], 'the conversation knows nothing of it')
  await obeyed('/commit', at)
  assert.equal(at.shown.at(-1), 'There is nothing to commit.')
})

it('/commit offers to stage, lets the message be changed, and leaves everything when that is wanted', async t => {
  const house = await committed(t, { replies: ['Say two', 'Say two'] })
  put(house.cwd, { 'a.txt': 'two\n', 'new.txt': 'n\n' })
  const no = deskOf(house, { choices: ['nothing'] })
  await obeyed('/commit', no)
  assert.match(no.shown.join('\n'), /Nothing is staged\. Changed:\n {2}a\.txt\n {2}new\.txt {2}\(new\)/)
  assert.equal(git(house.cwd, 'diff', '--cached', '--name-only'), '')
  const known = deskOf(house, { choices: ['what git knows already (1 file)', 'leave it'] })
  await obeyed('/commit', known)
  assert.equal(git(house.cwd, 'diff', '--cached', '--name-only'), 'a.txt')
  const change = deskOf(house, { choices: ['change the message first'] })
  await obeyed('/commit', change)
  assert.deepEqual(change.put, ['/commit -m Say two'])
  await obeyed('/commit -m Say 2\n\nMy own words.', change)
  assert.equal(lastCommit(house), 'Say 2\n\nMy own words.')
  assert.equal(house.server.chats.length, 2, 'the person’s own message asks no model')
})

it('what a failing hook says goes to the model once; nothing is committed', async t => {
  const house = await committed(t, { replies: ['Break it'] })
  const hook = path.join(house.cwd, '.git/hooks/pre-commit')
  put(house.cwd, {
    'a.txt': 'two\n',
    '.git/hooks/pre-commit': '#!/bin/sh\necho "lint: a.txt:1 is wrong" >&2\nexit 1\n',
  })
  chmodSync(hook, 0o755)
  git(house.cwd, 'add', 'a.txt')
  const at = deskOf(house, { choices: ['commit'] })
  await obeyed('/commit', at)
  assert.equal(lastCommit(house), 'feat(core): the first')
  assert.equal(at.sent.length, 1)
  assert.match(at.sent[0] ?? '', /git commit failed[\s\S]*Break it[\s\S]*lint: a\.txt:1 is wrong/)
  assert.match(at.shown.at(-1) ?? '', /not committed\.\nlint: a\.txt:1 is wrong/)
})

it('/commit signs where the repository signs', async t => {
  const house = await committed(t, { replies: ['Sign it'] })
  const keys = mkdtempSync(path.join(tmpdir(), 'gopi-keys-'))
  t.after(() => rmSync(keys, { recursive: true, force: true }))
  const key = path.join(keys, 'id')
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key])
  for (const [name, value] of [
    ['gpg.format', 'ssh'],
    ['user.signingkey', key],
    ['commit.gpgsign', 'true'],
  ])
    git(house.cwd, 'config', name ?? '', value ?? '')
  put(house.cwd, { 'a.txt': 'two\n' })
  git(house.cwd, 'add', 'a.txt')
  await obeyed('/commit', deskOf(house, { choices: ['commit'] }))
  assert.match(git(house.cwd, 'cat-file', '-p', 'HEAD'), /gpgsig -----BEGIN SSH SIGNATURE/)
})

it('says what state a repository is in', async t => {
  const bare = await openHouse(t)
  const outside = deskOf(bare)
  for (const line of ['/commit', '/review', '/pr-message']) await obeyed(line, outside)
  assert.deepEqual([...new Set(outside.shown)], ['This directory lies in no git repository.'])
  rmSync(bare.cwd, { recursive: true })
  const gone = deskOf(bare)
  await obeyed('/review', gone)
  assert.deepEqual(gone.shown.at(-1), `The directory ${bare.cwd} is gone.`)

  const empty = await repository(t, { replies: ['Begin'] })
  put(empty.cwd, { 'a.txt': 'one\n' })
  git(empty.cwd, 'add', '.')
  const first = deskOf(empty, { choices: ['commit'] })
  await obeyed('/commit', first)
  assert.equal(first.shown[0], 'The repository has no commit yet.')
  assert.equal(lastCommit(empty), 'Begin')

  git(empty.cwd, 'checkout', '-q', '-b', 'side')
  put(empty.cwd, { 'a.txt': 'side\n' })
  git(empty.cwd, 'commit', '-qam', 'side')
  git(empty.cwd, 'checkout', '-q', 'main')
  put(empty.cwd, { 'a.txt': 'main\n' })
  git(empty.cwd, 'commit', '-qam', 'main')
  assert.throws(() => git(empty.cwd, 'rebase', 'side'))
  const rebasing = deskOf(empty)
  await obeyed('/commit', rebasing)
  assert.deepEqual(rebasing.shown, [
    'A rebase is under way in this repository.',
    'Conflicts are not resolved: a.txt.',
  ])
  git(empty.cwd, 'rebase', '--abort')
  git(empty.cwd, 'checkout', '-q', '--detach')
  const detached = deskOf(empty)
  await obeyed('/commit', detached)
  assert.deepEqual(detached.shown, [
    'HEAD is detached: a commit belongs to no branch here.',
    'There is nothing to commit.',
  ])
  await obeyed('/review --output=evil', detached)
  assert.equal(detached.shown.at(-1), 'There is no commit called --output=evil.')
})

it('/review reads 3,000 lines in pieces that fit, and sorts what it finds; -p prints it', async t => {
  const house = await committed(t, {
    config: { context: { max_tokens: 8192 } },
    replies: Array.from(
      { length: 40 },
      (_, n) =>
        ({
          text:
            n === 0
              ? 'src/f1.ts:3 [low] slow\n**src/f0.ts:2** [high]: loses an error\nnowhere.ts:1 [high] made up'
              : 'none',
        }).text,
    ),
  })
  git(house.cwd, 'checkout', '-q', '-b', 'work')
  const lines = (n: number) =>
    Array.from({ length: 300 }, (_, at) => `const value${n}x${at} = compute(${at}, ${n})`)
  put(house.cwd, {
    ...Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`src/f${n}.ts`, `${lines(n).join('\n')}\n`])),
    'logo.png': Buffer.from([0x89, 0x50, 0, 1, 2, 3, 0]),
  })
  git(house.cwd, 'add', '.')
  git(house.cwd, 'commit', '-qm', 'ten files')
  put(house.cwd, { 'untracked.txt': 'x\n' })
  const said: string[] = []
  const options = {
    words: EN,
    commands: BUILT_IN,
    place: placeOf(house),
    typed: '',
    say: (text: string) => void said.push(text),
  }
  const { text } = (await commandRun(house.session, '/review main', options)) ?? {}
  assert.equal(
    text,
    'src/f0.ts:2  high  loses an error\nsrc/f1.ts:3  low  slow\n(1 finding named no file of the diff.)',
  )
  const { chats } = house.server
  assert.ok(chats.length > 3, String(chats.length))
  const asked = chats.map((_, n) => house.sent(n).at(-1)?.content ?? '')
  for (let n = 0; n < 10; n++)
    for (let at = 0; at < 300; at++)
      assert.equal(asked.filter(part => part.includes(`value${n}x${at} = `)).length, 1, `${n} ${at}`)
  assert.ok(asked[0]?.includes('    2 +const value0x1 = '), 'with the numbers of lines')
  for (const sentence of [
    /Not looked at: 1 new file/,
    /binary, or a submodule\): logo\.png/,
    /Reviewing 10 files against main in \d+ pieces/,
  ])
    assert.match(said.join('\n'), sentence)
  assert.equal(git(house.cwd, 'status', '--porcelain'), '?? untracked.txt')
  await house.session.prompt('mend them')
  assert.match(
    house.sent(chats.length - 1).at(-1)?.content ?? '',
    /\/review main\n[\s\S]*loses an error[\s\S]*mend them/,
  )
})

it('says what of big diffs, binary files and submodules nobody looks at', async t => {
  const house = await committed(t, {
    config: { context: { max_tokens: 8192 } },
    // Nobody waits for four megabytes to be read.
    model: ({ messages }) =>
      /^Review/.test(messages.at(-1)?.content ?? '') ? { failure: { status: 400, error: 'enough' } } : 'Much',
  })
  const inner = path.join(house.cwd, 'inner')
  mkdirSync(inner)
  git(inner, 'init', '-q')
  git(inner, 'commit', '-q', '--allow-empty', '-m', 'inner')
  put(house.cwd, { 'logo.png': Buffer.from([0x89, 0x50, 0, 1, 2, 3]) })
  git(house.cwd, 'add', '.')
  const only = deskOf(house)
  await obeyed('/review', only)
  assert.deepEqual(only.shown, [
    'Not looked at (binary, or a submodule): inner, logo.png.',
    'There is nothing to review.',
  ])
  const long = Array.from({ length: 3_000 }, (_, n) => `const value${n} = compute(${n})`).join('\n')
  put(house.cwd, { 'long.ts': `${long}\n` })
  git(house.cwd, 'add', '.')
  const at = deskOf(house, { choices: ['commit'] })
  await obeyed('/commit', at)
  const shown = at.shown.join('\n')
  assert.match(
    shown,
    /The changes do not fit the context: the model sees the list of files and the first part/,
  )
  assert.match(shown, /inner +\| +1 \+\n logo\.png +\| +Bin 0 -> 6 bytes\n long\.ts +\| 3000 /)
  git(house.cwd, 'branch', 'base', 'HEAD~1')
  const words = deskOf(house)
  await obeyed('/pr-message base', words)
  assert.match(words.shown.join('\n'), /do not fit the context/)
  // More than git is listened to for.
  put(house.cwd, { 'huge.txt': `${'a line of many\n'.repeat(400_000)}` })
  git(house.cwd, 'add', 'huge.txt')
  const huge = deskOf(house)
  await obeyed('/review', huge)
  assert.match(
    huge.shown.join('\n'),
    /The diff is longer than 4 MB: what comes after that is not looked at\./,
  )
})

it('/pr-message tells what a branch adds to its base', async t => {
  const house = await committed(t, { replies: ['Add c\n\nIt adds c.'] })
  git(house.cwd, 'checkout', '-q', '-b', 'work')
  const at = deskOf(house)
  await obeyed('/pr-message', at)
  assert.equal(at.shown.at(-1), 'Nothing has changed since main.')
  put(house.cwd, { 'c.txt': 'see\n' })
  git(house.cwd, 'add', '.')
  git(house.cwd, 'commit', '-qm', 'add c')
  await obeyed('/pr-message', at)
  assert.equal(at.shown.at(-1), 'Add c\n\nIt adds c.')
  assert.match(house.sent(0).at(-1)?.content ?? '', /add c[\s\S]*c\.txt[\s\S]*\+see/)
})
