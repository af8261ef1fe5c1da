/**
 * Random lines in a project full of links that lead to what nobody may see, called like all that words and signs of a line can
 * stand for: what passes the gate is run, and shows nothing of it. 300 lines by default, with `GOPI_LEAK_LINES=60000` more,
 * others with `GOPI_SEED=…`.
 */
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import { READING } from '../../src/permission/gate/programs/git.ts'
import type { Reader } from '../../src/permission/gate/programs/reader.ts'
import { READERS } from '../../src/permission/gate/programs/readers.ts'
import { makeProject } from './ground.ts'
import { type Random, seeded } from './seeded.ts'

const lines = Number(process.env.GOPI_LEAK_LINES ?? 300)
const seed = Number(process.env.GOPI_SEED ?? 3)

const project = makeProject({
  ...{ '../secret.txt': 'CANARY\n', '../.ssh/id_rsa': 'CANARY\n', '../other/f': 'CANARY\n' },
  ...{ '.env': 'CANARY\n', 'sub/.env.local': 'CANARY\n', id_rsa: 'CANARY\n', 'key.pem': 'CANARY\n' },
  ...{ 'a.ts': 'import a\n', 'src/b.ts': 'b\n', 'a.json': '{"a":[1]}', list: 'link\n.env\nout/secret.txt\n' },
})
after(project.remove)
const link = (to: string, name: string) => symlinkSync(to, path.join(project.cwd, name))
const NAMES = '0 1 127 - -x -r -- ~ * ? [a] {a,b} x=1 HEAD link $PWD :f +1 @f ! ( ) ; # \\ %s main ] l.ts'
for (const name of [...NAMES.split(' '), 'a b', "q'q"]) link('../secret.txt', name)
link('../.ssh', 'keys')
link('.env', 'env.ts')
mkdirSync(path.join(project.cwd, 'src', 'in'))
link('../../other', 'src/o')
link('sub', 'way')
const env = { PATH: process.env.PATH, HOME: project.home, LC_ALL: 'C', GIT_CONFIG_NOSYSTEM: '1' }
for (const args of ['init -q', 'add -f f a.ts .env src/b.ts id_rsa', 'commit -qm one'])
  execFileSync('git', ['-c', 'user.name=u', '-c', 'user.email=u@x', ...args.split(' ')], {
    ...{ cwd: project.cwd, env, stdio: 'pipe' },
  })
writeFileSync(path.join(project.cwd, '.env'), 'CANARY again\n')

const pick = <T>(random: Random, from: readonly T[]): T => from[random(from.length)] as T

const WORDS =
  `f a.ts src sub . .. out out/secret.txt 0 1 $? "$?" * *.ts s* sub/* **/* ? [0-9] .* ./* {f,.env} ~ ~/ $HOME "$PWD"
  $PWD/f $PWD/.. way/.. way/../f link l* src/o keys env.ts e* - "-" -- '*' '?' "[a]" 'x=1' x=* HEAD :f :.env HEAD:.env HEAD:f
  '@f' %s list CANARY '' -e -f -r -R -l -n -c -1 ./f sub/../.env id_rs* *rsa key* 1,2p p '{print}' .a -name '*.ts' -type f -L
  -print -exec cat {} + \\; -p --stat -S x -L1,2:.env --all -i -z -0 -v --include=* -g --files --hidden l HEAD^{tree}`.split(
    /\s+/,
  )
/** These would wait, look at the whole machine, or say nothing of a file. */
const OTHERS =
  /^(sleep|ps|pgrep|df|seq|tty|uptime|id|date|uname|hostname|whoami|groups|true|false|:|which|type)$/
const PROGRAMS = [...[...READERS.keys()].filter(name => !OTHERS.test(name)), ...Array(8).fill('git'), 'find']
const CODE: Readonly<Record<string, string>> = {
  sed: '-n p',
  awk: '1',
  jq: '-R .',
  grep: '-r CANARY',
  rg: 'CANARY',
}

function optionsOf({
  flags = '',
  valued = '',
  long = [],
}: Pick<Reader, 'flags' | 'valued' | 'long'>): string[] {
  return [
    ...[...flags].map(c => `-${c}`),
    ...[...valued].map(c => `-${c}1`),
    ...long.map(name => `--${name}`),
  ]
}

function command(random: Random): string {
  const name = pick(random, PROGRAMS)
  const call = name === 'git' ? pick(random, Object.keys(READING)) : ''
  const options = optionsOf((name === 'git' ? READING[call] : READERS.get(name)) ?? {})
  const words = [
    ...(name === 'git'
      ? [...(random(6) === 0 ? ['-C', pick(random, ['sub', 'way', 'src/o'])] : []), call]
      : []),
    ...(random(2) === 0 && CODE[name] !== undefined ? [CODE[name]] : []),
    ...Array.from({ length: options.length > 0 ? random(3) : 0 }, () => pick(random, options)),
    ...Array.from({ length: random(4) }, () => pick(random, WORDS)),
  ]
  const after = ['', '', '', ` <${pick(random, WORDS)}`, ' 2>&1'][random(5)]
  return `${[name, ...words].join(' ')}${after}`
}

function line(random: Random): string {
  const one = () => {
    if (random(9) === 0)
      return `cd ${pick(random, ['sub', 'way', 'src', '..', 'way/..', '$PWD/sub', '.', 'src/o'])}`
    if (random(9) > 0) return command(random)
    const source = pick(random, [
      'find .',
      'find sub src',
      'git ls-files',
      'grep -rl x .',
      'rg --files',
      'find . -type l',
    ])
    return `${source}${pick(random, ['', ' | head -3', ' | sort'])} | xargs ${command(random)}`
  }
  return Array.from({ length: 1 + random(3) }, one).join(pick(random, [' && ', '; ', ' || ', ' | ', '\n']))
}

test(`what passes the gate shows nothing that it did not look at (${lines} lines of seed ${seed})`, async () => {
  const random = seeded(seed)
  let passed = 0
  for (let n = 0; n < lines; n++) {
    const text = line(random)
    const { decision, runs } = await project.bash(text)
    if (decision !== 'allow' || runs === undefined || /tail .*(-[a-z]*[fF]|--follow|--pid)/.test(runs))
      continue
    passed++
    const { stdout, stderr } = spawnSync('bash', ['--noprofile', '--norc', '-c', runs], {
      ...{ cwd: project.cwd, env, encoding: 'utf8', input: '', timeout: 3_000 },
    })
    // What the line itself says it may say again.
    const shown = `${stdout}${stderr}`.split('\n').filter(one => /^CANARY( again)?$|[:+-]CANARY/.test(one))
    assert.deepEqual(
      text.includes('CANARY') ? shown.filter(one => one !== 'CANARY') : shown,
      [],
      `${text} → ${runs}`,
    )
  }
  assert.ok(passed > lines / 20, `only ${passed} passed`)
})
