/** /commit and /review in the built program: on a screen, with the person's own git, and against the demo server. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { call } from '../support/house.ts'
import { openProgram, type Program } from '../support/program.ts'
import { openScreen } from '../support/screen.ts'
import { ctrlD } from '../support/terminal.ts'

const git = ({ cwd, env }: Pick<Program, 'cwd' | 'env'>, ...args: string[]) =>
  execFileSync('git', args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()

const HOOK = `#!/bin/sh
echo x >> "$HOME/hook-ran"
test -f mended.txt && exit 0
echo "lint: a.txt:1 is wrong" >&2
exit 1
`

/** On main, with one commit; git signs with a key of its own. */
async function signing(gopi: Program): Promise<void> {
  const key = path.join(gopi.home, 'key')
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key])
  git(gopi, 'init', '-q', '-b', 'main')
  for (const [name = '', value = ''] of [
    ['user.name', 'A'],
    ['user.email', 'a@b.c'],
    ['gpg.format', 'ssh'],
    ['user.signingkey', key],
    ['commit.gpgsign', 'true'],
  ])
    git(gopi, 'config', name, value)
  git(gopi, 'add', '.')
  git(gopi, 'commit', '-qm', 'feat: the first')
  const hook = path.join(gopi.cwd, '.git/hooks/pre-commit')
  mkdirSync(path.dirname(hook), { recursive: true })
  writeFileSync(hook, HOOK)
  chmodSync(hook, 0o755)
}

test('/commit, its whole way: staged, shown, stopped by a hook that the model mends, signed', async t => {
  const asked: string[] = []
  const gopi = await openProgram(t, {
    files: { 'a.txt': 'one\n' },
    model: ({ messages }) => {
      const words = messages.at(-1)?.content ?? ''
      if (/^Write the message of a git commit/.test(words)) return 'feat: say two'
      asked.push(words)
      return /git commit failed/.test(words)
        ? call('write', { path: 'mended.txt', content: 'x\n' })
        : 'Mended.'
    },
  })
  await signing(gopi)
  writeFileSync(path.join(gopi.cwd, 'a.txt'), 'two\n')
  const screen = openScreen(t, gopi, { args: ['--yolo'], rows: 40 })
  await screen.shows(/yolo · qwen/)
  await screen.enter('/commit')
  await screen.shows(/Nothing is staged\. Changed:\n\s+a\.txt[\s\S]*what git knows already \(1 file\)/)
  screen.press('\r')
  await screen.shows(/feat: say two[\s\S]*a\.txt \| 2 \+-[\s\S]*change the message first/)
  screen.press('\r')
  await screen.shows(/not committed\.[\s\S]*lint: a\.txt:1 is wrong[\s\S]*Mended\.[\s\S]*Say what/)
  assert.equal(git(gopi, 'log', '--format=%s'), 'feat: the first')
  assert.equal(asked.length, 2, 'the hook’s output and the result of the call')
  assert.match(asked[0] ?? '', /feat: say two[\s\S]*lint: a\.txt:1 is wrong/)
  assert.ok(existsSync(path.join(gopi.cwd, 'mended.txt')))

  await screen.enter('/commit')
  await screen.shows(/feat: say two[\s\S]*feat: say two[\s\S]*change the message first/)
  screen.press('\r')
  await screen.shows(/Committed: [0-9a-f]+ feat: say two[\s\S]*Say what/)
  assert.match(git(gopi, 'cat-file', '-p', 'HEAD'), /gpgsig -----BEGIN SSH SIGNATURE[\s\S]*feat: say two/)
  assert.equal(git(gopi, 'show', '--format=', '--name-only'), 'a.txt')
  assert.equal(asked.length, 2, 'nothing more goes to the model')
  screen.press(ctrlD)
  assert.equal(await screen.ended, 0)
})

test('a program that signs may ask for its passphrase on the terminal', async t => {
  const gopi = await openProgram(t, { files: { 'a.txt': 'one\n' }, replies: ['Sign this'] })
  const signs = path.join(gopi.home, 'signs')
  writeFileSync(
    signs,
    `#!/bin/sh
cat >/dev/null
printf 'Passphrase, please: ' >/dev/tty
read -r word </dev/tty
[ "$word" = sesame ] || exit 1
echo '[GNUPG:] SIG_CREATED D' >&2
printf -- '-----BEGIN PGP SIGNATURE-----\\n\\nopen\\n-----END PGP SIGNATURE-----\\n'
`,
  )
  chmodSync(signs, 0o755)
  git(gopi, 'init', '-q', '-b', 'main')
  const settings = { 'user.name': 'A', 'user.email': 'a@b.c', 'gpg.program': signs, 'commit.gpgsign': 'true' }
  for (const [name, value] of Object.entries(settings)) git(gopi, 'config', name, value)
  git(gopi, 'add', '.')
  const screen = openScreen(t, gopi, { rows: 30 })
  await screen.shows(/ask · qwen/)
  await screen.enter('/commit')
  await screen.shows(/The repository has no commit yet\.[\s\S]*Sign this[\s\S]*change the message first/)
  screen.press('\r')
  await screen.shows(/Passphrase, please:/)
  screen.press('sesame\r')
  await screen.shows(/Committed: [0-9a-f]+ Sign this[\s\S]*Say what/)
  assert.match(git(gopi, 'cat-file', '-p', 'HEAD'), /gpgsig -----BEGIN PGP SIGNATURE[\s\S]* open\n/)
  screen.press(ctrlD)
  assert.equal(await screen.ended, 0)
})

test('/review of 3,000 lines against the demo server: in pieces, with what it found, and nothing is changed', async t => {
  const gopi = await openProgram(t, { files: { 'a.txt': 'one\n' } })
  const demo = gopi.start(
    ['demo', '--port', '0', '--prefill', '1000000', '--decode', '100000', '--load', '0'],
    {
      stdin: 'open',
    },
  )
  await demo.until('stdout', /http:\/\/127\.0\.0\.1:\d+/)
  const [host = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(demo.stdout) ?? []
  git(gopi, 'init', '-q', '-b', 'main')
  for (const [name, value] of Object.entries({ 'user.name': 'A', 'user.email': 'a@b.c' }))
    git(gopi, 'config', name, value)
  git(gopi, 'add', '.')
  git(gopi, 'commit', '-qm', 'first')
  git(gopi, 'checkout', '-q', '-b', 'work')
  for (let file = 0; file < 10; file++) {
    const lines = Array.from({ length: 300 }, (_, line) => `export const v${line} = use(${file}, ${line})`)
    // One in each file, in a place of its own.
    lines[file * 30] = '// TODO: less of this'
    writeFileSync(path.join(gopi.cwd, `f${file}.ts`), `${lines.join('\n')}\n`)
  }
  writeFileSync(path.join(gopi.cwd, 'logo.png'), Buffer.from([0x89, 0x50, 0, 1, 2, 3]))
  git(gopi, 'add', '.')
  git(gopi, 'commit', '-qm', 'ten files')
  const before = git(gopi, 'rev-parse', 'HEAD')
  const { stdout, stderr, code } = await gopi.run(['--host', host, '-p', '/review main'])
  assert.equal(code, 0, stderr)
  const wanted = Array.from(
    { length: 10 },
    (_, file) => `f${file}.ts:${file * 30 + 1}  low  TODO was left here`,
  )
  assert.deepEqual(stdout.trimEnd().split('\n'), wanted)
  assert.match(stderr, /binary, or a submodule\): logo\.png/)
  const [, pieces] = /Reviewing 10 files against main in (\d+) pieces/.exec(stderr) ?? []
  assert.ok(Number(pieces) >= 2, stderr)
  assert.deepEqual([git(gopi, 'status', '--porcelain'), git(gopi, 'rev-parse', 'HEAD')], ['', before])

  // The same server writes a message and the words of a pull request.
  const message = await gopi.run(['--host', host, '-p', '/pr-message main'])
  assert.match(message.stdout, /^ten files\n\nIt changes f0\.ts\.\n$/)
  writeFileSync(path.join(gopi.cwd, 'a.txt'), 'two\n')
  git(gopi, 'add', '.')
  const committed = await gopi.run(['--host', host, '-p', '/commit'])
  assert.match(committed.stdout, /^Change a\.txt\n\n a\.txt \| 2 \+-/, committed.stderr)
  assert.equal(git(gopi, 'log', '-1', '--format=%s'), 'Change a.txt')
})

test('what state a repository is in stands on the screen beside what comes of it', async t => {
  const gopi = await openProgram(t, { files: { 'a.txt': 'one\n' }, replies: ['none'] })
  git(gopi, 'init', '-q', '-b', 'main')
  for (const [name, value] of Object.entries({ 'user.name': 'A', 'user.email': 'a@b.c' }))
    git(gopi, 'config', name, value)
  git(gopi, 'add', '.')
  git(gopi, 'commit', '-qm', 'one')
  git(gopi, 'checkout', '-q', '-b', 'side')
  writeFileSync(path.join(gopi.cwd, 'a.txt'), 'side\n')
  git(gopi, 'commit', '-qam', 'side')
  git(gopi, 'checkout', '-q', 'main')
  writeFileSync(path.join(gopi.cwd, 'a.txt'), 'main\n')
  git(gopi, 'commit', '-qam', 'main')
  assert.throws(() => git(gopi, 'rebase', 'side'))
  const screen = openScreen(t, gopi, { rows: 30 })
  await screen.shows(/ask · qwen/)
  await screen.enter('/commit')
  await screen.shows(/A rebase is under way[\s\S]*Conflicts are not resolved: a\.txt\./)
  screen.press('\x15')
  git(gopi, 'rebase', '--abort')
  git(gopi, 'checkout', '-q', '--detach')
  writeFileSync(path.join(gopi.cwd, 'a.txt'), 'changed\n')
  writeFileSync(path.join(gopi.cwd, 'logo.png'), Buffer.from([0x89, 0x50, 0, 1]))
  git(gopi, 'add', 'logo.png')
  writeFileSync(path.join(gopi.cwd, 'new.txt'), 'new\n')
  await screen.enter('/review')
  await screen.shows(
    /HEAD is detached[\s\S]*Not looked at: 1 new file[\s\S]*submodule\): logo\.png[\s\S]*Say what/,
  )
  await screen.shows(/No findings\./)
  screen.press(ctrlD)
  assert.equal(await screen.ended, 0)
})
