/** The narrow gate: what passes is understood in full, and what runs is what was understood. */
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { after, describe, test } from 'node:test'
import { decide } from '../../src/permission/decide.ts'
import { behindWall } from '../../src/permission/where.ts'
import { type Asked, type Judged, makeProject, type Project } from './ground.ts'

interface Case {
  id: string
  category: string
  input: string
  context: string
  expect: string
}

const cases = JSON.parse(
  readFileSync(path.join(import.meta.dirname, '../fixtures/security-cases-2.json'), 'utf8'),
) as Case[]

/** Cases about parts of gopi that are tested where they live. */
const isElsewhere = ({ category, id }: Case): boolean =>
  /^(trust|resource|approval-ui|terminal|local-server)$/.test(category) ||
  /^N-(107|217|219|221|231|233|235)$/.test(id)
/** Ordinary lines that ask: loops and substitutions are for the second wall. */
const ASKING: ReadonlySet<string> = new Set(['N-193', 'N-197', 'N-209'])

const write = (cwd: string, name: string, text: string) => {
  mkdirSync(path.dirname(path.join(cwd, name)), { recursive: true })
  writeFileSync(path.join(cwd, name), text)
}

/** What lies in the directory that a case speaks of. */
const GROUND: Record<string, (cwd: string) => void> = {
  'N-119': cwd => {
    for (const name of ['HEAD', 'commondir', 'config.worktree', 'c/config']) write(cwd, `sub/${name}`, '')
  },
  'N-121': cwd => {
    for (const name of ['HEAD', 'config', 'objects/x', 'refs/x']) write(cwd, `sub/${name}`, '')
  },
  'N-123': cwd => {
    for (const name of ['HEAD', 'config', 'objects/x', 'refs/x']) write(cwd, name, '')
  },
  'N-137': cwd => symlinkSync('/etc/passwd', path.join(cwd, 'x[y]')),
  'N-139': cwd => symlinkSync(path.dirname(cwd), path.join(cwd, 'link')),
}

const usual = { 'src/main.ts': 'main', 'src/a.ts': 'a', 'package.json': '{}', 'logs/app.log': '', f2: '' }

describe('the second security cases', () => {
  for (const row of cases.filter(row => !isElsewhere(row))) {
    const { id, input, context, expect } = row
    test(`${id}: ${JSON.stringify(input)} → ${expect}`, async t => {
      const project = makeProject(usual)
      t.after(project.remove)
      GROUND[id]?.(project.cwd)
      const rule = /allow rule `([^`]+)`/.exec(context)?.[1]
      const asked: Asked = {
        ...(rule !== undefined && { allow: [`Bash(${rule})`] }),
        ...(/auto-edit/.test(context) && { mode: 'auto-edit' }),
      }
      const came = await project.bash(input, asked)
      // These two run, and do not do what the case fears: see below.
      if (id === 'N-125' || id === 'N-143') return
      const isAllowed = expect.startsWith('allow') && !ASKING.has(id)
      assert.equal(came.decision, isAllowed ? 'allow' : 'ask', came.why)
    })
  }
})

async function holds(
  project: Project,
  rows: readonly (readonly [line: string, wanted: Judged['decision'], asked?: Asked])[],
): Promise<void> {
  for (const [line, wanted, asked] of rows) {
    const { decision, why } = await project.bash(line, asked)
    assert.equal(decision, wanted, `${JSON.stringify(line)}: ${why}`)
  }
}

const project = makeProject({
  ...usual,
  'src/deep/b.ts': 'b',
  '-dash.txt': 'dashed',
  'a b.md': 'blank',
  '.github/workflows/ci.yml': '',
})
after(project.remove)

const hasRg = spawnSync('rg', ['--version']).error === undefined

test('what runs any code, written down by those who found it, asks in every mode', async () => {
  const ways = [
    ...['trap \'echo "touch CANARY"\' DEBUG', 'exec true', 'trap -- ls EXIT; ls'],
    ...['read -r a <&10', "printf '\\0x' >&13", 'ls 3>/dev/null', 'ls <&3', 'ls 10>&1'],
    ...[
      "echo sh | xargs -Iecho env echo -c 'touch CANARY'",
      'ls | xargs',
      'ls | xargs env',
      'ls | xargs -a f wc',
    ],
    ...['for ab in .; do read a""b <<< -delete; find "$ab"; done', 'while true; do ls; done'],
    ...['./env ls', './ls', 'sub/ls', '/tmp/ls', '../ls', 'sub/../ls', '~/ls'],
    ...[
      'set -x; ls',
      'shopt -s globstar; ls',
      'alias ls=x',
      'export A=1',
      'source f',
      '. f',
      'eval ls',
      'hash -r',
    ],
    ...[
      'ls() { x; }; ls',
      'A=1',
      'PATH=. ls',
      'LC_ALL=../x ls',
      'LANGUAGE=x ls',
      'TZ=/etc/x date',
      'GIT_DIR=x git log',
    ],
    ...['ls $x', 'ls "$x"', `echo \${x}`, 'echo $(ls)', 'echo `ls`', 'cat <(ls)', 'echo $((1))', "echo $'a'"],
    ...['[[ -f f ]]', '((1))', 'ls &', '(ls)', '{ ls; }', 'time ls', 'cat <<E\nE', 'cat <<< x', 'ls 2>&-'],
    ...[
      'printf -v x y',
      "printf '%n' HOME",
      "printf '%(x)T'",
      'ls\\',
      "ls '",
      'ls "',
      'ls |',
      '&& ls',
      'ls ;; ls',
    ],
    ...['find . -exec sh {} +', 'find . -exec wc {} + -delete', 'find . -exec wc {} x +', 'find . -fprint x'],
    ...[
      'git -c a.b=c log',
      'git --exec-path=x log',
      'git log --ext-diff',
      'git show --textconv',
      'git diff --no-index f /x',
    ],
    ...[
      'git log --output=x',
      'git grep -O x',
      'git branch x',
      'git stash',
      'git status --porcel',
      'git log --format=%G?',
    ],
    ...[
      'sort --rev f',
      'sort -o f f',
      'sort -S 1 -T . f',
      'uniq f x',
      'tree -Lo 1 x',
      'rg --pre x y',
      'sed -i p f',
      'awk 1 a=b f',
    ],
  ]
  for (const mode of ['ask', 'auto-edit'] as const)
    await holds(
      project,
      ways.map(line => [line, 'ask', { mode }] as const),
    )
  await holds(
    project,
    ways.map(line => [line, 'deny', { mode: 'plan' }] as const),
  )
})

test('places are followed as the shell goes', async () => {
  await holds(project, [
    ['cd src && ls && cd ..', 'allow'],
    ['cd src/deep && cat ../a.ts', 'allow'],
    ['cd src/deep && cat ../../../secret.txt', 'ask'],
    ['cd src; ls; cd ..', 'allow'],
    ['cd src\nls\ncd ..', 'allow'],
    ['ls && cd src; cd ..', 'ask'],
    ['ls || cd src; ls', 'ask'],
    ['cd src || ls; cat ../../secret.txt', 'ask'],
    ['cd src || ls; cat ../secret.txt', 'ask'],
    ['ls && cd src && ls && cd ..; cat ../secret.txt', 'ask'],
    ['cd ..', 'ask'],
    ['cd sub && cd .. && cd .. && ls', 'ask'],
    ['cd nowhere || cat x.txt', 'allow'],
    ['cd sub || cd ..', 'ask'],
    ['! cd sub && cd ..', 'ask'],
    ['cd out && ls', 'ask'],
    ['cd out/home/u/project && ls', 'allow'],
    ['cd out/.. && ls', 'ask'],
    ['cat out/../secret.txt', 'ask'],
    ['ls | cd sub', 'ask'],
    ['cd -', 'ask'],
    ['cd', 'ask'],
    ['cd sub && git status', 'allow'],
    ['if [ -d sub ]; then cd sub; fi; cat ../f', 'ask'],
  ])
})

/** The line as it runs, in a bash that knows nothing of gopi. */
function outputOf(runs: string | undefined): string {
  assert.ok(runs !== undefined)
  const { stdout, stderr } = spawnSync('bash', ['--noprofile', '--norc', '-c', runs], {
    cwd: project.cwd,
    env: { PATH: process.env.PATH, LC_ALL: 'C' },
    encoding: 'utf8',
    timeout: 5_000,
  })
  return stdout + stderr
}

test('what runs is what was read: patterns, names, quotes and constants mean one thing', async () => {
  const rows: [line: string, output: string][] = [
    ['cat *dash*', 'dashed'],
    ['cat *\\ *.md', 'blank'],
    ["echo 'a'\\''b' \"c\\\"d\" e\\ f \"g$\" 'h\"i'", 'a\'b c"d e f g$ h"i\n'],
    ['echo src/*.ts src/**/*.ts', 'src/a.ts src/main.ts src/deep/b.ts\n'],
    ['echo nothing*here [x', 'nothing*here [x\n'],
    ['echo {a,b}{1,2} {} x{ @{u} ~', `a1 a2 b1 b2 {} x{ @{u} ${project.home}\n`],
    ['basename "$(pwd)"', 'project\n'],
    ['cd src && echo $PWD', `${project.cwd}/src\n`],
    ['cd src; basename $PWD; cd ..; cd sub; ls', 'src\nx.txt\n'],
    ['cd nowhere; ls', 'bash: line 1: cd: ./nowhere: No such file or directory\n'],
    ['false && cd src; ls sub', 'x.txt\n'],
    ['cd nowhere || echo none', 'none\nbash: line 1: cd: ./nowhere: No such file or directory\n'],
    ['true && cd src && ls deep || echo none; cat f 2>/dev/null', 'b.ts\n'],
    ['false; echo "exit: $?"', 'exit: 1\n'],
    ['if [ -f nope ]; then echo a; else echo b; fi', 'b\n'],
    ['cat src/a.ts 2>/dev/null | tr a b # why', 'b'],
    ['ls nope 2>&1 >/dev/null | wc -l', '1\n'],
    ['tr a x < src/a.ts', 'x'],
    ['find src -name "*.ts" | sort | xargs cat', 'abmain'],
    ['find src -name "*.ts" -exec grep -l main {} +', 'src/main.ts\n'],
    ['LC_ALL=C ls src \\\n  -1', 'a.ts\ndeep\nmain.ts\n'],
    ['ls -- -dash.txt\nls sub', '-dash.txt\nx.txt\n'],
    ['rg -l KEY; rg --files src | sort | head -1', 'src/a.ts\n'],
  ]
  for (const [line, output] of rows) {
    const { decision, runs, why } = await project.bash(line)
    assert.equal(decision, 'allow', `${line}: ${why}`)
    // What it would run is judged all the same; the row of rg says what it runs to only where there is one.
    if (hasRg || !line.startsWith('rg ')) assert.equal(outputOf(runs), output, `${line} → ${runs}`)
  }
})

test('a name that a program found is data to the next, whatever it looks like', async t => {
  const trap = makeProject({
    'x\n../secret.txt': '',
    '-delete': '',
    "'": '',
    'a b': 'word',
    'sub/--files0-from=f': '',
  })
  t.after(trap.remove)
  writeFileSync(path.join(trap.root, 'home/u/secret.txt'), 'a secret of ten words\n'.repeat(5))
  const { decision, runs } = await trap.bash('find . -type f | xargs wc -w')
  assert.equal(decision, 'allow')
  const out = execFileSync('bash', ['-c', runs ?? ''], { cwd: trap.cwd, encoding: 'utf8' })
  assert.ok(!/ 25 /.test(out) && / a b|\.\/a b/.test(out), out)
  // What shows files asks where one holds a secret, or leads out.
  await holds(trap, [
    ['find . -type f | xargs cat', 'ask'],
    ['find . -type f -exec cat {} +', 'ask'],
    ['find sub -type f | xargs head -1', 'allow'],
    ['ls | xargs cat', 'ask'],
    ['echo /etc/passwd | xargs cat', 'ask'],
    ['find . -type f | sed s,^,/, | xargs wc', 'ask'],
    ['find . | xargs rg x', 'ask'],
    ['ls | xargs -n1 basename', 'allow'],
    // The second of many files is written, and `@x` names a file with more words.
    ['find sub -type f | xargs uniq', 'ask'],
    ['find sub -type f -exec xxd {} +', 'ask'],
    ['git ls-files | xargs strings', 'ask'],
    ['cat < /dev/tcp/h/80', 'ask'],
  ])
})

test('a search with rg leaves out what holds secrets', async t => {
  const trap = makeProject({
    'credentials.json': 'SECRET',
    id_rsa: 'SECRET',
    'deep/[x].pem': 'SECRET',
    'a.ts': 'SECRET',
  })
  t.after(trap.remove)
  const { runs } = await trap.bash("rg ''")
  if (!hasRg) return t.skip('rg is not installed')
  const out = execFileSync('bash', ['-c', `${runs} ./`], { cwd: trap.cwd, encoding: 'utf8' })
  assert.match(out, /a\.ts:SECRET/)
  // An ignore file can name what is hidden.
  write(trap.cwd, '.ignore', '!.env\n')
  for (const line of ["rg ''", "rg -t json ''", "rg -g '*.json' ''"]) {
    const { runs: again } = await trap.bash(line)
    const { stdout } = spawnSync('bash', ['-c', `${again} ./`], { cwd: trap.cwd, encoding: 'utf8' })
    assert.doesNotMatch(stdout, /credentials|\.env|KEY/, again)
  }
  assert.ok(!/credentials|id_rsa|pem/.test(out), out)
  await holds(trap, [
    ['rg -t json x', 'allow'],
    ['rg x id_rsa', 'ask'],
    ["grep -r '' .", 'ask'],
  ])
})

test('of the secrets that git tracks, no call shows what stands in them', async t => {
  const trap = makeProject({ '.npmrc': 'SECRET', 'sub/key.pem': 'SECRET', 'sub/a.ts': 'PLAIN' })
  t.after(trap.remove)
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=u', '-c', 'user.email=u@x', ...args], {
      cwd: trap.cwd,
      stdio: 'pipe',
    })
  rmSync(path.join(trap.cwd, '.git'), { recursive: true })
  git('init', '-q')
  git('add', '-f', '.npmrc', 'sub', 'f')
  git('commit', '-q', '-m', 'first')
  for (const name of ['.npmrc', 'sub/key.pem']) write(trap.cwd, name, 'SECRET 2')
  write(trap.cwd, 'sub/a.ts', 'PLAIN 2')
  for (const [line, at] of [
    ['git diff'],
    ['git diff HEAD -- sub f'],
    ['git show'],
    ['git show HEAD'],
    ['git grep -n .'],
    ['git diff HEAD', 'sub'],
    ['git -C sub show HEAD sub'],
    ['git diff-tree -p --root HEAD'],
    ['git grep -ePLAIN -eSECRETlc'],
  ] as const) {
    const { decision, runs, why } = await trap.bash(line, at ? { at } : {})
    assert.equal(decision, 'allow', `${line}: ${why}`)
    const { stdout, stderr } = spawnSync('bash', ['-c', runs ?? ''], {
      cwd: path.join(trap.cwd, at ?? '.'),
      encoding: 'utf8',
    })
    assert.doesNotMatch(stdout + stderr, /SECRET/, runs)
    if (!/literal|-C/.test(line)) assert.match(stdout, /PLAIN/, `${runs}: ${stderr}`)
  }
  const blob = String(git('rev-parse', 'HEAD:.npmrc')).trim()
  await holds(trap, [
    ...['git log -p', 'git log -U1', 'git log --patch f', 'git stash show -p', 'git status -v'].map(
      line => [line, 'ask'] as const,
    ),
    ...['git grep -eclass', 'git show -S --stat'].map(line => [line, 'allow'] as const),
    ...[`git show ${blob}`, 'git grep x HEAD:sub', 'git stash list -p', `git diff ${blob} HEAD:f`].map(
      line => [line, 'ask'] as const,
    ),
    ['for PATH in .; do ls; done', 'ask', { mode: 'yolo', deny: ['Bash(rm *)'] }],
    ...[`git cat-file -p ${blob}`, 'git diff .npmrc', 'git show HEAD:.npmrc', 'git reflog -p'].map(
      line => [line, 'ask', { mode: 'yolo' }] as const,
    ),
    ...['git log --stat', 'git log --oneline', 'git status', 'git stash list', 'git cat-file -t HEAD'].map(
      line => [line, 'allow'] as const,
    ),
  ])
  // What git itself takes for no repository is none that gopi has looked at.
  for (const [name, text] of [
    ['nohead/.git/HEAD', 'ref: refs/heads/main\n'],
    ['odd/.git/HEAD', 'x'],
    ['odd/.git/objects/x', ''],
    ['odd/.git/refs/x', ''],
    ['spaces/.git', 'gitdir: ../.git  \n'],
  ] as const)
    write(trap.cwd, name, text)
  await holds(trap, [
    ['git status', 'ask', { at: 'nohead' }],
    ['git -C odd status', 'ask'],
    ['git -C spaces status', 'ask'],
  ])
  git('config', 'blame.ignoreRevsFile', '.npmrc')
  await holds(trap, [['git blame f', 'ask']])
})

test('what is written by one name is written by all, and descriptors of gopi are nobody else’s', async t => {
  const trap = makeProject({ '../elsewhere': 'x', '.npmrc': '' })
  t.after(trap.remove)
  linkSync(path.join(trap.home, 'elsewhere'), path.join(trap.cwd, 'hl'))
  const auto = { mode: 'auto-edit', own: ['hl', 'f'] } as const
  const yolo = { mode: 'yolo', own: ['hl', 'f'] } as const
  await holds(trap, [
    ['echo x >> hl', 'ask', { ...auto, own: ['hl'] }],
    ['echo x >> f', 'allow', { ...auto, own: ['f'] }],
    ['cat f | tee -a hl', 'ask', { ...yolo, own: ['hl'] }],
    ['cp f hl', 'ask', { ...yolo, own: ['hl'] }],
    ['rm hl', 'allow', { ...yolo, own: ['hl'] }],
    ['echo x >&13', 'ask', { mode: 'yolo' }],
    ['read -r x <&10', 'ask', { mode: 'yolo' }],
    ['echo x 3>&1 1>&2 2>&3', 'allow', { mode: 'yolo' }],
    ['file -p f', 'ask'],
    // Behind a file xxd takes it for the one that it writes.
    ['xxd f --', 'ask'],
    ['xxd -- f', 'allow'],
    ['pgrep -a node', 'ask'],
    ['npm -v', 'allow'],
  ])
  write(trap.cwd, 'package.json', '{}')
  await holds(trap, [['npm -v', 'ask']])
})

test('git runs nothing that a repository names: hooks, monitors, signatures, transports', async t => {
  const trap = makeProject()
  t.after(trap.remove)
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=u', '-c', 'user.email=u@x', ...args], {
      cwd: trap.cwd,
      env: { PATH: process.env.PATH, HOME: trap.home, GIT_CONFIG_NOSYSTEM: '1' },
      stdio: 'pipe',
    })
  git('init', '-q')
  git('add', 'f')
  git('commit', '-q', '-m', 'first')
  const canary = path.join(trap.root, 'CANARY')
  const own = readFileSync(path.join(trap.cwd, '.git/config'), 'utf8')
  const touch = `touch ${canary}`
  writeFileSync(
    path.join(trap.cwd, '.git/config'),
    `${own}\tfsmonitor = ${touch}\n\thooksPath = hooks\n\tpager = ${touch}\n\teditor = ${touch}\n\tsshCommand = ${touch}\n[gpg]\n\tprogram = ${touch}\n[alias]\n\tstatus = !${touch}\n[remote "o"]\n\turl = ext::${touch}\n\tpromisor = true\n`,
  )
  write(trap.cwd, 'hooks/post-index-change', `#!/bin/sh\n${touch}\n`)
  for (const line of [
    'git status',
    'git diff',
    'git log -p',
    'git show HEAD~1',
    'git cat-file -p 0123456789012345678901234567890123456789',
    'git blame f',
  ]) {
    const { decision, runs, why } = await trap.bash(line)
    assert.equal(decision, 'allow', `${line}: ${why}`)
    spawnSync('bash', ['-c', runs ?? ''], { cwd: trap.cwd, env: { PATH: process.env.PATH, HOME: trap.home } })
    assert.ok(!existsSync(canary), `${line}: ${runs}`)
  }
  spawnSync('git', ['status'], { cwd: trap.cwd, env: { PATH: process.env.PATH, HOME: trap.home } })
  assert.ok(existsSync(canary), 'the trap is not armed')
})

/** As models write them in an ordinary repository. */
const ORDINARY = [
  ...[
    'ls -la && git status --short',
    'cat package.json | jq .scripts',
    'head -100 src/main.ts',
    'git log --oneline -5 -- src',
  ],
  ...[
    'grep -rn "export function" src --include="*.ts" | head -30',
    'rg -n "TODO|FIXME" src',
    'find . -type f -not -path "*/.git/*" | wc -l',
  ],
  ...[
    'sed -n "1,80p" src/main.ts',
    'cd src && wc -l *.ts',
    'git show --stat HEAD',
    'git diff --cached --stat',
    'ls src/**/*.ts',
  ],
  ...[
    'which node && node --version',
    'tail -50 logs/app.log 2>/dev/null || echo "no log"',
    'git branch -a | head',
    'git remote -v',
  ],
  ...[
    'cat README.md src/main.ts',
    'diff -u src/a.ts src/main.ts',
    'tree -L 2 -I node_modules',
    'du -sh * | sort -h',
    'stat -c %s package.json',
  ],
  ...[
    'git ls-files | xargs wc -l | tail -1',
    'find src -name "*.ts" -exec wc -l {} +',
    "awk 'NR>=10 && NR<=20' src/main.ts",
  ],
  ...[
    'echo "== src" && ls src && echo "== root" && ls',
    'git log -1 --format="%h %s"',
    'jq -r .version package.json; git describe --tags --always',
  ],
  ...['ls *.json', 'grep -c "" src/*.ts', 'git blame -L 1,10 src/main.ts | cut -c1-60'],
]

test('an awk program passes by the signs that do not stand in it, wherever a string or a pattern may begin', async () => {
  const rows: [program: string, wanted: Judged['decision']][] = [
    ['/error|warn/ { print $1 " | " $2 " > " }', 'allow'],
    ['NR > 1 || /x/ { n++ } END { print n / 2 }', 'allow'],
    ['length($0) > 120 { print FILENAME ": " $0 }', 'allow'],
    ['/a.b/', 'allow'],
    ['.env', 'ask'],
    ['/x/y.txt', 'ask'],
    ['{ print "x" | "sh" }', 'ask'],
    ['{ print > "x" }', 'ask'],
    ['/a/ { print 1 } /"/ { print > "x" }', 'ask'],
    ['# it"s\n{ print | "sh" } # "', 'ask'],
    ['/[/"]/ { print | "sh" "-" }', 'ask'],
    ['{ a = "\\\n"; print > "x" }', 'ask'],
    ['{ "date" | getline }', 'ask'],
    ['{ other($1) }', 'ask'],
  ]
  for (const [program, wanted] of rows) {
    const { decision, why } = await project.bash(`awk '${program}' f`)
    assert.equal(decision, wanted, `${program}: ${why}`)
  }
})

test('of sixty ordinary lines hardly any asks', async t => {
  const ordinary = [
    ...ORDINARY,
    ...cases.filter(({ category }) => category === 'usability').map(({ input }) => input),
  ]
  assert.equal(ordinary.length, 60)
  const ground = makeProject(usual)
  t.after(ground.remove)
  for (const link of ['out', 'dangling.txt']) rmSync(path.join(ground.cwd, link))
  const asking: string[] = []
  const behind: string[] = []
  const wall = { network: [], required: false, works: false, problem: async () => undefined, missed() {} }
  for (const line of ordinary) {
    const call = ground.bashCall(line)
    const facts = await ground.facts(call)
    const decision = decide(call, facts)
    if (decision.decision !== 'allow') asking.push(line)
    if ((await behindWall(decision, facts, wall)).decision !== 'allow') behind.push(line)
  }
  // All of them loops and substitutions.
  assert.ok(asking.length <= 3, asking.join('\n'))
  assert.deepEqual(behind, [])
})

test('a wide rule does not speak for options that run, load or write more, unless it names them', async () => {
  const rows: [rule: string, line: string, wanted: Judged['decision']][] = [
    ['tar *', 'tar -xf a.tar', 'allow'],
    ['tar *', 'tar xf a.tar -I ./x', 'ask'],
    ['tar *', 'tar xIf ./x a.tar', 'ask'],
    ['tar *', 'tar --to-c=x -xf a', 'ask'],
    ['tar *', 'tar cf a f --checkpoint=1 --checkpoint-action=exec=x', 'ask'],
    ['tar -I zstd *', 'tar -I zstd -xf a', 'allow'],
    ['sort *', 'sort --compress-prog=x f', 'ask'],
    ['sort *', 'sort -k1 --parallel=2 f', 'allow'],
    ['sort -o *', 'sort -o x f', 'allow'],
    ['npm test:*', 'npm test --script-shell=./x', 'ask'],
    ['npm test:*', 'npm test -- --bail', 'allow'],
    ['prettier:*', 'prettier --write src', 'allow'],
    ['prettier:*', 'prettier --write /etc/hosts', 'ask'],
    ['prettier:*', 'prettier --config /tmp/x.js --write src', 'ask'],
    ['eslint:*', 'eslint --rulesdir x src', 'ask'],
    ['eslint:*', 'eslint src --fix', 'allow'],
    ['eslint -c ./eslint.config.js *', 'eslint -c ./eslint.config.js src', 'allow'],
    ['pytest:*', 'pytest -c x', 'ask'],
    ['pytest:*', 'pytest -p evil', 'ask'],
    ['pytest:*', 'pytest -k name -x', 'allow'],
    ['sed *', 'sed -i s/a/b/ f', 'ask'],
    ['sed -i *', 'sed -i s/a/b/ f', 'allow'],
    ['sed -i *', "sed -i '1e x' f", 'ask'],
    ['awk *', "awk 'BEGIN{system(1)}'", 'ask'],
    ['docker *', 'docker ps', 'allow'],
    ['docker *', 'docker run -v /:/x y', 'ask'],
    ['docker *', 'docker run --privileged y', 'ask'],
    ['go *', 'go build ./...', 'allow'],
    ['go *', 'go vet -vettool=x', 'ask'],
    ['make *', 'make -f /tmp/x', 'ask'],
    ['make *', 'make SHELL=./x', 'ask'],
    ['Bash', 'tar -I x -xf a', 'allow'],
    ['Bash', 'grep -rl a src | xargs sed -i s/a/b/', 'allow'],
  ]
  for (const [rule, line, wanted] of rows) {
    const allow = [rule === 'Bash' ? rule : `Bash(${rule})`]
    const { decision, why } = await project.bash(line, { allow })
    assert.equal(decision, wanted, `${line} by ${rule}: ${why}`)
  }
})

test('where the shell came through a link, `..` is what the shell takes it for', async t => {
  const linked = makeProject()
  t.after(linked.remove)
  symlinkSync('sub', path.join(linked.cwd, 'way'))
  mkdirSync(path.join(linked.cwd, 'sub/deep'))
  symlinkSync('sub/deep', path.join(linked.cwd, 'down'))
  await holds(linked, [
    ['cd .. && ls', 'allow', { at: 'way' }],
    ['cd .. && ls', 'ask', { at: 'down' }],
    ['cd down/.. && ls', 'ask'],
    ['cd ../sub && ls', 'allow', { at: 'sub' }],
    ['cat ../f', 'allow', { at: 'way' }],
  ])
})
