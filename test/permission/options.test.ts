/**
 * Random options of every listed program, run by the real one in a sandbox: what passes the gate writes nothing, reaches no
 * network and starts what it names nowhere. 500 lines by default, with `GOPI_OPTION_LINES=50000` more, others with
 * `GOPI_SEED=…`.
 */
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, lstatSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import type { OptionList } from '../../src/permission/gate/options.ts'
import { READING } from '../../src/permission/gate/programs/git.ts'
import { READERS } from '../../src/permission/gate/programs/readers.ts'
import { makeProject } from './ground.ts'
import { type Random, seeded } from './seeded.ts'

const lines = Number(process.env.GOPI_OPTION_LINES ?? 500)
const seed = Number(process.env.GOPI_SEED ?? 7)

const project = makeProject({
  'a.json': '{"a":[1]}',
  'x.bin': '\u0000\u0001abc\n',
  'data.gz': 'no',
  '.env': '',
})
after(project.remove)
const evil = path.join(project.cwd, 'evil.sh')
writeFileSync(evil, `#!/bin/sh\ntouch '${project.cwd}/CANARY'\ncat\n`)
chmodSync(evil, 0o755)

const pick = <T>(random: Random, from: readonly T[]): T => from[random(from.length)] as T

const VALUES = [
  ...[
    '1',
    '2',
    'f',
    'x',
    '',
    'CANARY',
    './evil.sh',
    evil,
    'touch CANARY',
    '|./evil.sh',
    '@f',
    '%n',
    'never',
    'always',
  ],
  ...['$(touch CANARY)', '-1', '0', 'a.json', '/dev/null', ',', 'HEAD', 'short', 'w CANARY', 'sub/', '*'],
]
const OPERANDS = [
  'f',
  'README.md',
  'a.json',
  'x.bin',
  'sub',
  '-',
  '.',
  'data.gz',
  'evil.sh',
  'CANARY',
  '+%s',
  'HEAD',
  '--',
]
/** On no list, or on that of another program. */
const STRANGE = [
  ...[
    '-o',
    '-oCANARY',
    '--output=CANARY',
    '--output',
    '--compress-program=./evil.sh',
    '--pre=./evil.sh',
    '-i',
    '-e',
  ],
  ...[
    '-x',
    '-z',
    '-C',
    '-f',
    '--files0-from=f',
    '-exec',
    '-delete',
    '--pager=./evil.sh',
    '-O./evil.sh',
    '--textconv',
  ],
  ...[
    '--ext-diff',
    '-c',
    '--paginate',
    '--filter=./evil.sh',
    '-T.',
    '-R',
    '-P',
    '--outp=CANARY',
    '-W',
    '-l',
    '-D',
  ],
]

function option(random: Random, list: OptionList): string[] {
  const { flags = '', valued = '', attached = '', long = [], longValued = [] } = list
  const value = pick(random, VALUES)
  switch (random(8)) {
    case 0:
    case 1:
      return flags === ''
        ? []
        : [`-${Array.from({ length: 1 + random(3) }, () => pick(random, [...flags])).join('')}`]
    case 2:
      return valued === '' ? [] : [`-${pick(random, [...valued])}`, value]
    case 3:
      return valued + attached === '' ? [] : [`-${pick(random, [...(valued + attached)])}${value}`]
    case 4:
      return long.length === 0 ? [] : [`--${pick(random, long)}`]
    case 5:
      return longValued.length === 0 ? [] : [`--${pick(random, longValued)}=${value}`]
    case 6:
      return longValued.length === 0 ? [] : [`--${pick(random, longValued)}`, value]
    default:
      return random(3) === 0 ? [pick(random, STRANGE)] : []
  }
}

const CALLS: readonly (readonly [readonly string[], OptionList])[] = [
  ...[...READERS].map(([name, reader]) => [[name], reader] as const),
  ...Object.entries(READING).map(([name, call]) => [['git', name], call] as const),
  ...['find', 'jq', 'sed', 'awk', 'printf', 'test'].map(
    name => [[name], { flags: 'nrEsvF', valued: 'eFf' }] as const,
  ),
]
/** These would wait, or look at the whole machine. */
const WAITING = /^(sleep|ps|pgrep|df|seq|yes)\b|^tail .*(-[a-z]*[fF]|--follow|--pid)|^tty/

const quote = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`

function randomCall(random: Random): string {
  const [names, list] = pick(random, CALLS)
  const options = Array.from({ length: random(4) }, () => option(random, list)).flat()
  const operands = Array.from({ length: random(3) }, () => pick(random, random(5) === 0 ? VALUES : OPERANDS))
  const words = random(4) === 0 ? [...operands, ...options] : [...options, ...operands]
  return [...names, ...words.map(quote)].join(' ')
}

/** All that lies in the project and around it: what each file holds. */
function snapshot(directory: string): Map<string, string> {
  const files = new Map<string, string>()
  const open = [directory]
  for (let at = open.pop(); at !== undefined; at = open.pop())
    for (const entry of readdirSync(at, { withFileTypes: true })) {
      const file = path.join(at, entry.name)
      if (entry.isDirectory()) open.push(file)
      const text = entry.isFile() ? readFileSync(file) : ''
      files.set(
        file,
        createHash('sha1')
          .update(text)
          .update(String(lstatSync(file).mode))
          .digest('hex'),
      )
    }
  return files
}

const sandboxed = (script: string, timeout: number) => [
  ...[
    '--ro-bind',
    '/',
    '/',
    '--dev',
    '/dev',
    '--proc',
    '/proc',
    '--tmpfs',
    '/tmp',
    '--bind',
    project.root,
    project.root,
  ],
  ...['--unshare-net', '--unshare-pid', '--die-with-parent', '--chdir', project.cwd, '--clearenv'],
  ...[
    '--setenv',
    'PATH',
    '/usr/local/bin:/usr/bin:/bin',
    '--setenv',
    'HOME',
    project.home,
    '--setenv',
    'LC_ALL',
    'C',
  ],
  ...['timeout', String(timeout), 'bash', '--noprofile', '--norc', '-c', script],
]

const works = () => spawnSync('bwrap', sandboxed('true', 5)).status === 0

test(`what passes the gate changes nothing, whatever its options (${lines} lines of seed ${seed})`, async t => {
  if (!works()) return t.skip('bubblewrap (bwrap) is not installed, or may not make sandboxes here')
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=u', '-c', 'user.email=u@x', ...args], {
      cwd: project.cwd,
      stdio: 'pipe',
    })
  git('init', '-q')
  git('add', 'f', 'README.md')
  git('commit', '-q', '-m', 'first')
  const random = seeded(seed)
  const passed: string[] = []
  for (let n = 0; n < lines; n++) {
    const { decision, runs } = await project.bash(randomCall(random))
    if (decision === 'allow' && runs !== undefined && !WAITING.test(runs)) passed.push(runs)
  }
  assert.ok(passed.length > lines / 5, `only ${passed.length} passed`)
  /** What the lines changed. */
  const changed = (some: readonly string[]): string[] => {
    const before = snapshot(project.root)
    const script = `${some.map(line => `{ timeout 2 bash -c ${quote(line)}; } </dev/null >/dev/null 2>&1`).join('\n')}\nls -A /tmp`
    const { stdout, error } = spawnSync('bwrap', sandboxed(script, 300), { encoding: 'utf8' })
    assert.equal(error, undefined)
    const after = snapshot(project.root)
    const names = [...new Set([...before.keys(), ...after.keys()])]
    return [
      ...names.filter(file => before.get(file) !== after.get(file)),
      ...stdout.split('\n').filter(name => name !== '' && name !== path.basename(project.root)),
    ]
  }
  for (let n = 0; n < passed.length; n += 200) {
    const some = passed.slice(n, n + 200)
    const files = changed(some)
    if (files.length === 0) continue
    for (const file of files) rmSync(file, { force: true })
    assert.fail(
      `${files.join()} changed: ${some.find(line => changed([line]).length > 0) ?? some.join('\n')}`,
    )
  }
})
