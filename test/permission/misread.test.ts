/**
 * Words that the judge could take for something else than the program does, in a folder that is made for it. What runs all the
 * same runs for real: it shows nothing that lies outside, nothing of a secret, and leaves every file as it is.
 */
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { HARMLESS_GIT, harmlessEnvironment } from '../../src/shell/harmless.ts'
import { makeProject, type Project } from './ground.ts'

const SECRET = 'TOLD-TO-NOBODY'
/** No line writes these. */
const KEPT = ['f', 'README.md', 'z.ts/y.ts']

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
  const before = KEPT.map(file => readFileSync(path.join(cwd, file), 'utf8'))
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
      assert.deepEqual(
        KEPT.map(file => readFileSync(path.join(cwd, file), 'utf8')),
        before,
        line,
      )
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
