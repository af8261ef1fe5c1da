/** What runs without asking is run for real in repositories that set traps: none of them may spring. */
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { makeProject, type Project } from './ground.ts'

const fixture = path.join(import.meta.dirname, '../fixtures/permission-siblings.txt')
const listed = (name: string): string[] =>
  readFileSync(fixture, 'utf8').split(`## allow ${name} {}\n`)[1]?.split('\n\n')[0]?.split('\n') ?? []
/** Those that would wait, or look at the whole machine. */
const WAITING = /^(sleep|tail -f|df|ps)\b/
const reading = [
  ...[...listed('reading'), ...listed('everyday').filter(line => /\bgit\b|\b(awk|sed|rg) /.test(line))].map(
    line => line.replaceAll('⏎', '\n'),
  ),
  ...[
    'git status',
    'git diff HEAD',
    'git log -p',
    'git show HEAD',
    'git blame f',
    'git grep x',
    'git ls-files -m',
  ],
].filter(line => !WAITING.test(line))

const HOOKS =
  'applypatch-msg pre-commit post-commit post-checkout post-merge pre-push reference-transaction post-rewrite'.split(
    ' ',
  )

/** A repository with one commit, hooks and attributes that name every driver there is. */
function trap(project: Project, extra: (git: string, script: string) => void): string {
  const { cwd, home } = project
  const canary = path.join(project.root, 'CANARY')
  const script = path.join(cwd, 'trap.sh')
  writeFileSync(script, `#!/bin/sh\ntouch '${canary}'\ncat\n`)
  chmodSync(script, 0o755)
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=u', '-c', 'user.email=u@x', ...args], {
      cwd,
      env: environment(home),
      stdio: 'pipe',
    })
  git('init', '-q')
  git('add', 'f', 'README.md')
  git('commit', '-q', '-m', 'first')
  writeFileSync(path.join(cwd, 'f'), 'changed x\n')
  writeFileSync(path.join(cwd, '.gitattributes'), '* filter=z diff=z merge=z textconv=z\n')
  for (const name of HOOKS) {
    const hook = path.join(cwd, '.git', 'hooks', name)
    mkdirSync(path.dirname(hook), { recursive: true })
    writeFileSync(hook, `#!/bin/sh\ntouch '${canary}'\n`)
    chmodSync(hook, 0o755)
  }
  for (const name of ['.bashrc', '.profile', '.envrc', '.inputrc', '.rgrc', '.lesskey'])
    writeFileSync(path.join(cwd, name), `touch '${canary}'\n--pre=${script}\n`)
  for (const name of ['ls', 'cat', 'git', 'rg']) {
    writeFileSync(path.join(cwd, name), `#!/bin/sh\ntouch '${canary}'\n`)
    chmodSync(path.join(cwd, name), 0o755)
  }
  extra(path.join(cwd, '.git'), script)
  return canary
}

const environment = (home: string): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  HOME: home,
  GIT_CONFIG_NOSYSTEM: '1',
  LANG: 'C',
})

/** Runs what is allowed. → how many of the calls that was. */
async function runAllowed(project: Project, canary: string): Promise<string[]> {
  const ran: string[] = []
  for (const line of reading) {
    const { decision, runs } = await project.bash(line)
    if (decision !== 'allow') continue
    assert.ok(runs !== undefined, line)
    ran.push(line)
    const options = {
      cwd: project.cwd,
      env: environment(project.home),
      timeout: 5_000,
      stdio: 'ignore' as const,
    }
    spawnSync('bash', ['--noprofile', '--norc', '-c', runs], options)
    assert.equal(existsSync(canary), false, `${line} sprang the trap`)
  }
  return ran
}

test('in a repository whose configuration names no program, hooks and attributes stay asleep', async t => {
  const project = makeProject()
  t.after(project.remove)
  const ran = await runAllowed(
    project,
    trap(project, () => {}),
  )
  assert.ok(ran.length > reading.length / 2, `only ${ran.length} of ${reading.length} ran`)
  assert.ok(ran.includes('git status') && ran.includes('git diff HEAD'))
})

test('in a repository whose configuration names programs, no call of git runs without asking', async t => {
  const project = makeProject()
  t.after(project.remove)
  const canary = trap(project, (git, script) => {
    const own = readFileSync(path.join(git, 'config'), 'utf8')
    const traps = `[core]\n\tfsmonitor = ${script}\n\tpager = ${script}\n[filter "z"]\n\tclean = ${script}\n[diff "z"]\n\ttextconv = ${script}\n\tcommand = ${script}\n`
    writeFileSync(path.join(git, 'config'), own + traps)
  })
  const ran = await runAllowed(project, canary)
  assert.deepEqual(
    ran.filter(line => /\bgit (?!--version)/.test(line)),
    [],
  )
  // The trap is armed: who runs git all the same springs it.
  spawnSync('git', ['status'], { cwd: project.cwd, env: environment(project.home), stdio: 'ignore' })
  assert.ok(existsSync(canary))
})

test('git looks into a repository that another one holds, .gitmodules or not: no such call runs without asking', async t => {
  const project = makeProject()
  t.after(project.remove)
  const canary = trap(project, (git, script) => {
    const nested = path.join(project.cwd, 'nested')
    const run = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=u', '-c', 'user.email=u@x', ...args], { stdio: 'pipe' })
    run('init', '-q', nested)
    run('-C', nested, 'commit', '-q', '--allow-empty', '-m', 'first')
    run('-C', project.cwd, 'add', 'nested')
    for (const hook of HOOKS) writeFileSync(path.join(git, 'hooks', hook), '#!/bin/sh\n')
    writeFileSync(path.join(nested, '.git', 'config'), `[core]\n\tfsmonitor = ${script}\n`)
  })
  const ran = await runAllowed(project, canary)
  assert.deepEqual(
    ran.filter(line => /\bgit (?!--version|version)/.test(line)),
    [],
  )
  spawnSync('git', ['status'], { cwd: project.cwd, env: environment(project.home), stdio: 'ignore' })
  assert.ok(existsSync(canary))
})

test('what only begins like a harmless setting is none', async t => {
  const project = makeProject()
  t.after(project.remove)
  const config = path.join(project.cwd, '.git', 'config')
  const harmless = [
    '[core]\n\tfsmonitor = false',
    '[remote "o"]\n\turl = https://h/x',
    '[branch "m"]\n\tremote = o',
  ]
  /** What the options that git gets switch off. */
  const quiet = [
    ...['[core]\n\tfsmonitor = falsex', '[core]\n\tfsmonitor', '[CORE]\n\tFSMonitor = x'],
    ...['[remote "a.url"]\n\tuploadpack = x', '[remote "o"]\n\turl = ext::x', '[alias]\n\tst = !x'],
    ...['[core]\n\thooksPath = .husky/_', '[gpg]\n\tprogram = x', '[commit]\n\tgpgsign = true'],
  ]
  const traps = [
    ...['[core] fsmonitor = ./x', '[include]\n\tpath = x', '[diff]\n\texternal = x'],
    ...['[filter "z"]\n\tclean = x', '[filter]\n\tclean = x', '[protocol "ext"]\n\tallow = always'],
    ...['[format]\n\tpretty = %GG', '[extensions]\n\tworktreeConfig = true', '[core]\n\tattributesFile = x'],
    ...['[includeIf "gitdir:/"]\n\tpath = x', '[log]\n\tshowSignature = true', '[core]\n\tbare = true'],
    ...['[core]\n\teolx = y', '[diff "z"]\n\ttextconv = x', '[core]\n\tworktree = /', '[x'],
  ]
  for (const [texts, decision] of [
    [[...harmless, ...quiet], 'allow'],
    [traps, 'ask'],
  ] as const) {
    for (const text of texts) {
      writeFileSync(config, `${text}\n`)
      const came = await project.bash('git status')
      assert.equal(came.decision, decision, `${text}: ${came.why}`)
      // By a rule it runs without those options.
      const ruled = await project.bash('git add f', { allow: ['Bash(git *)'] })
      assert.equal(ruled.decision, harmless.includes(text) ? 'allow' : 'ask', `${text}: ${ruled.why}`)
    }
  }
})
