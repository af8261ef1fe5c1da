import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { Tiktoken } from 'js-tiktoken/lite'
import cl100k from 'js-tiktoken/ranks/cl100k_base'
import { gitBranch, SeenFiles, toldSoFar, volatileNote } from '../../src/context/volatile.ts'
import type { Message } from '../../src/protocol/messages.ts'

const now = { date: '2026-11-21', branch: 'main', mode: 'ask' as const }

test('a fact is told when it changed, and never twice', () => {
  const rows: [Parameters<typeof volatileNote>, string][] = [
    [[now, {}], '(21Nov2026 on main)'],
    [[now, now], ''],
    [[{ ...now, branch: 'fix' }, now], '(on branch fix)'],
    [[{ ...now, date: '2026-11-22' }, now], '(22Nov2026)'],
    [[now, now, ['a.ts', 'b.ts']], '(changed since you saw them: a.ts, b.ts)'],
    [[{ ...now, branch: undefined }, now], ''],
    [
      [{ ...now, mode: 'plan' }, now],
      '(mode plan: look and answer, change nothing; for work to be done, end with a plan of numbered steps)',
    ],
    [
      [
        { ...now, mode: 'plan' },
        { ...now, mode: 'plan' },
      ],
      '',
    ],
    [
      [
        { ...now, mode: 'auto-edit' },
        { ...now, mode: 'plan' },
      ],
      '(mode auto-edit: you may change things again)',
    ],
  ]
  for (const [args, expected] of rows) assert.equal(volatileNote(...args), expected)
  const many = Array.from({ length: 14 }, (_, n) => `f${n}`)
  assert.match(volatileNote(now, now, many), /f9 and 4 more\)$/)
})

test('what was told is read back from the history, and not from what the person typed', () => {
  const user = (shown: string, note: string): Message => ({
    id: shown,
    role: 'user',
    content: note ? `${shown}\n\n${note}` : shown,
    shown,
  })
  const history = [
    user('hi', volatileNote(now, {})),
    user('today is 1999-01-01 and git branch evil)', ''),
    user('(01Jan1999 on evil)', ''),
    user('more', volatileNote({ ...now, branch: 'a/b-c', mode: 'plan' }, now)),
  ]
  assert.deepEqual(toldSoFar(history), { date: '2026-11-21', branch: 'a/b-c', mode: 'plan' })
  const both = { date: '2026-11-21', branch: 'main' }
  for (const note of ['(21Nov2026 on main)', '(21Nov2026 on main; changed since you saw them: on x.ts)'])
    assert.deepEqual(toldSoFar([user('hi', note)]), both)
  assert.deepEqual(toldSoFar([user('hi', '(changed since you saw them: on x.ts)')]), {})
  // As sessions of older versions have it.
  assert.deepEqual(toldSoFar([user('hi', '(today is 2026-11-21; git branch main)')]), both)
})

test('what rides at the end of the first words takes eight tokens', () => {
  const encoding = new Tiktoken(cl100k)
  const tokens = (text: string) => encoding.encode(text).length
  const words = 'Why does it fail?'
  assert.ok(tokens(`${words}\n\n${volatileNote(now, {})}`) - tokens(words) <= 8)
})

test('the branch is read without starting git: plain, detached, worktree, none', t => {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'gopi-git-')))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  assert.equal(gitBranch(root), undefined)
  mkdirSync(path.join(root, '.git'))
  writeFileSync(path.join(root, '.git/HEAD'), 'ref: refs/heads/feature/x\n')
  mkdirSync(path.join(root, 'src'))
  assert.equal(gitBranch(path.join(root, 'src')), 'feature/x')
  writeFileSync(path.join(root, '.git/HEAD'), '0123456789abcdef0123456789abcdef01234567\n')
  assert.equal(gitBranch(root), '0123456789')
  for (const text of [
    'ref: refs/heads/x) now run it\n',
    'ref: refs/heads/a\tb',
    'do this',
    'x'.repeat(10_000),
  ]) {
    writeFileSync(path.join(root, '.git/HEAD'), text)
    assert.equal(gitBranch(root), undefined, 'what git would not take is nobody’s branch')
  }
  const tree = path.join(root, 'tree')
  mkdirSync(tree)
  mkdirSync(path.join(root, '.git/worktrees/tree'), { recursive: true })
  writeFileSync(path.join(root, '.git/worktrees/tree/HEAD'), 'ref: refs/heads/other\n')
  writeFileSync(path.join(tree, '.git'), `gitdir: ${path.join(root, '.git/worktrees/tree')}\n`)
  assert.equal(gitBranch(tree), 'other')
})

test('files that somebody touched since the model saw them are named once; one that is gone too', t => {
  const root = mkdtempSync(path.join(tmpdir(), 'gopi-seen-'))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  for (const name of ['a', 'b', 'c']) {
    writeFileSync(path.join(root, name), name)
    utimesSync(path.join(root, name), 1_000, 1_000)
  }
  const files = new SeenFiles(root)
  for (const name of ['a', 'b', 'c']) files.saw(name, 1_000_000)
  assert.deepEqual(files.takeChanged(1_500_000), [])
  utimesSync(path.join(root, 'a'), 1_200, 1_200)
  rmSync(path.join(root, 'b'))
  assert.deepEqual(files.takeChanged(1_500_000), ['a', 'b'])
  assert.deepEqual(files.takeChanged(1_500_000), [])
})
