/**
 * Words that the judge could take for something else than the program does, in a folder that is made for it. What runs all the
 * same runs for real: it shows nothing that lies outside, nothing of a secret, and leaves every file as it is.
 */
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { HARMLESS_GIT, harmlessEnvironment } from '../../src/shell/harmless.ts'
import { makeProject, type Project } from './ground.ts'

const SECRET = 'TOLD-TO-NOBODY'
/** No line writes these. */
const KEPT = ['f', 'README.md', 'z.ts/y.ts', '.git/config']

function hostile(t: TestContext, files: Record<string, string> = {}): Project {
  const project = makeProject({
    ...{ 'z.ts/y.ts': 'y', 'z.ts/server.key': SECRET, '../secret.txt': `${SECRET} one\n${SECRET} two\n` },
    ...{ '.env': `KEY=${SECRET}\n`, 'names.txt': '../secret.txt' },
    ...files,
  })
  t.after(project.remove)
  for (const link of ['out', 'dangling.txt', '.git'])
    rmSync(path.join(project.cwd, link), { recursive: true })
  git(project, 'init', '-q')
  return project
}

const git = ({ cwd, home }: Project, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=u', '-c', 'user.email=u@x', ...args], {
    cwd,
    env: { PATH: process.env.PATH, HOME: home, GIT_CONFIG_NOSYSTEM: '1' },
    stdio: 'pipe',
  })

const commit = (project: Project, ...files: string[]) => {
  git(project, 'add', '--', ...files)
  git(project, 'commit', '-q', '-m', 'first')
}

/** Judges all in three modes, and runs what is allowed. → those lines. */
async function run(project: Project, lines: readonly string[]): Promise<string[]> {
  const { cwd, home } = project
  const allowed: string[] = []
  const kept = KEPT.map(file => path.join(cwd, file)).filter(file => existsSync(file))
  const texts = () => kept.map(file => readFileSync(file, 'utf8'))
  const before = texts()
  for (const line of lines)
    for (const mode of ['plan', 'ask', 'auto-edit'] as const) {
      const { decision, runs } = await project.bash(line, { mode })
      if (decision !== 'allow') continue
      allowed.push(line)
      const ran = spawnSync('bash', ['--noprofile', '--norc', '-c', `${HARMLESS_GIT}\n${runs}`], {
        cwd,
        env: harmlessEnvironment({ PATH: process.env.PATH, HOME: home }, { project: cwd }),
        timeout: 10_000,
        encoding: 'utf8',
      })
      assert.doesNotMatch(ran.stdout + ran.stderr, new RegExp(SECRET), line)
      assert.equal(existsSync(path.join(cwd, 'WRITTEN')), false, line)
      assert.deepEqual(texts(), before, line)
    }
  return [...new Set(allowed)]
}

test('what is handed names of files reads its own words, too, and takes no name for more than a file', async t => {
  const project = hostile(t)
  commit(project, 'f', 'README.md', 'z.ts/y.ts')
  const harmless = [
    ...["find . -name '*.ts' | xargs wc -l", "find . -name '*.ts' -print | xargs grep -c y"],
    ...["find . -name 'y.ts' -exec head -n 3 {} +", 'git ls-files | grep y | xargs wc -l'],
    ...[
      'rg -l y z.ts | xargs wc',
      "find z.ts -name '*.ts' -exec grep -l y {} +",
      'grep -rl y z.ts | xargs wc',
    ],
  ]
  const ran = await run(project, [
    ...['find . -name y.ts | xargs cat ../secret.txt', "find . -name y.ts | xargs grep '' ../secret.txt"],
    ...['find . -name y.ts | xargs -n1 diff ../secret.txt', 'find . -name y.ts -exec cat ../secret.txt {} +'],
    ...['find . -name y.ts -exec sort ../secret.txt {} \\;', 'find . -name y.ts | xargs ls ..'],
    ...[
      'find README.md f z.ts -exec xxd -c {} +',
      'find f README.md | xargs xxd -c',
      'find . | xargs head -n',
    ],
    ...["find . -name '*.ts' | xargs grep -r ''", "find . -name '*.ts' -exec grep -r '' {} +"],
    ...["find . -print -name '*.ts' | xargs cat", "find . -print0 -name '*.ts' | xargs -0 cat"],
    ...[
      'find . -type f | xargs grep -eK',
      "find . -type f | xargs grep -he -l -e ''",
      'find . | xargs grep -eq -e K',
    ],
    ...["grep -zohe -l -e '../secret.txt' names.txt | xargs cat", 'rg -INe -l -e . names.txt | xargs cat'],
    ...["cd sub && git ls-files ':/*' | xargs cat", "cd sub && git ls-files ':(top)z.ts' | xargs cat"],
    ...harmless,
  ])
  assert.deepEqual(ran, harmless)
})

test('a name on the disk is no sign of gopi\u2019s own, and an option takes no value that others would not', async t => {
  const mark = '\ue001'
  const project = hostile(t, { [`a${mark}`]: 'x', [`d${mark}/x`]: 'x', '../outside/TOLD-TO-NOBODY': 'x' })
  commit(project, 'f', 'README.md', 'z.ts/y.ts', '.env')
  writeFileSync(path.join(project.cwd, 'f'), 'changed')
  git(project, 'stash', '-q')
  for (const name of ['0', 'a0', 'd0']) symlinkSync('../secret.txt', path.join(project.cwd, name))
  symlinkSync('../outside', path.join(project.cwd, 'link'))
  const harmless = [
    'git stash list',
    'git grep KEY',
    "grep -r --include='*.ts' --exclude='x*' y z.ts",
    'date -d now',
  ]
  const ran = await run(project, [
    ...['cat a[!0]', 'cat < a[!0]', 'cd d[!0] && cat $PWD', 'cat d[!0]'],
    ...['diff -S -- --from-file=../secret.txt f', 'sort -t -- f', 'head -n -- f', 'rg -e x -e -- .'],
    ...[
      "grep --colour '' ../secret.txt",
      'xxd -ps f README.md',
      'xxd -ps ../secret.txt',
      'grep --colour --file=../secret.txt f',
    ],
    ...['git config core.editor --global', 'git config user.name --get', `awk '{pri\\\nnt > "WRITTEN"}' f`],
    ...['git stash show -S stash@{0} -S --output=WRITTEN', 'git stash show', 'git stash show -S x -S -p'],
    ...[
      'git --literal-pathspecs grep KEY -- .',
      'git --literal-pathspecs show HEAD -- .',
      'git grep --untracked T',
    ],
    ...["grep -r --exclude=zz --include='*.ts' T .", 'date -d \'TZ="../secret.txt" now\''],
    ...[
      'find -L .',
      'find . -follow',
      'find -L . | wc -l',
      'ls -LR',
      'tree -l',
      'du -aL',
      'find -L . -name y.ts -exec wc {} +',
    ],
    ...harmless,
  ])
  assert.deepEqual(ran, harmless)
})

test('a repository that leads somewhere else is none that git reads unasked', async t => {
  const lines = ['git status', 'git log --oneline', 'git ls-files | xargs cat', 'git show']
  const ways: Record<string, (project: Project, at: string) => void> = {
    ...Object.fromEntries(
      [
        'packed-refs',
        'shallow',
        'info/grafts',
        'objects/info/alternates',
        'rebase-merge/head-name',
        'BISECT_START',
      ].map(name => [
        name,
        (project: Project, at: string) => {
          const file = path.join(at, name)
          rmSync(file, { force: true })
          mkdirSync(path.dirname(file), { recursive: true })
          symlinkSync(path.join(project.cwd, '../secret.txt'), file)
        },
      ]),
    ),
    'the objects of another': (_project, at) =>
      writeFileSync(path.join(at, 'objects/info/alternates'), '../../../other/.git/objects\n'),
    'a link': (_project, at) => {
      rmSync(at, { recursive: true })
      symlinkSync('../other/.git', at)
    },
    'a file': (_project, at) => {
      rmSync(at, { recursive: true })
      writeFileSync(at, 'gitdir: ../other/.git\n')
    },
    'a common directory': (_project, at) => writeFileSync(path.join(at, 'commondir'), '../../other/.git\n'),
    'a name in the index': ({ cwd }, at) => {
      const index = readFileSync(path.join(at, 'index'))
      index.write('../secret.txt', index.indexOf('AAAAAAAAAAAAA'))
      writeFileSync(path.join(at, 'index'), index)
      rmSync(path.join(cwd, 'AAAAAAAAAAAAA'))
    },
  }
  for (const [name, lead] of Object.entries(ways)) {
    const project = hostile(t, { AAAAAAAAAAAAA: 'a' })
    rmSync(path.join(project.cwd, '.env'))
    rmSync(path.join(project.cwd, 'z.ts/server.key'))
    commit(project, 'f', 'AAAAAAAAAAAAA')
    execFileSync('git', ['clone', '-q', '--bare', '.', '../other/.git'], { cwd: project.cwd })
    assert.deepEqual(await run(project, ['git status', 'git show']), ['git status', 'git show'])
    lead(project, path.join(project.cwd, '.git'))
    assert.deepEqual(await run(project, lines), [], name)
  }
})

test('a worktree of a repository is read like any other', async t => {
  const project = hostile(t)
  commit(project, 'f')
  git(project, 'worktree', 'add', '-q', 'tree')
  const lines = ['cd tree && git status', 'git -C tree log']
  assert.deepEqual(await run(project, lines), lines)
})
