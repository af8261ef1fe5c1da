/** What our reading of a line says against what a real bash runs: everything that we did not see has to ask. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { passGate } from '../../src/permission/gate/gate.ts'
import type { Judged } from '../../src/permission/judge/judged.ts'
import { judgeLine } from '../../src/permission/judge/line.ts'
import { lookAtDisk } from '../../src/permission/look.ts'
import { loadShellParser } from '../../src/permission/shell/parse.ts'
import { mutated, randomLine } from './lines.ts'
import { openRealBash, type Ran } from './real-bash.ts'
import { seeded } from './seeded.ts'

/** Random lines to try; more by hand: `GOPI_BASH_LINES=20000 npm test -- differential`. */
const lines = Number(process.env.GOPI_BASH_LINES ?? 240)
const seed = Number(process.env.GOPI_SEED ?? 6)

const real = openRealBash()
before(loadShellParser)
after(real.remove)

function ground() {
  const { cwd, home } = real
  return { project: cwd, home, gopiHome: path.join(home, '.gopi'), isOwn: () => false, look: lookAtDisk() }
}

const judge = (line: string): Judged => judgeLine(line, real.cwd, ground())

/** Arithmetic and functions: what these run stands in variables. No rule speaks for them. */
const EVALUATING = /\(\(|\[\[|\$\[|\(\)|\bfunction\b|-(eq|ne|lt|le|gt|ge)\b/

/** What bash did and the judge did not see, on a line that rules could allow, or that runs in mode yolo. */
function unseen(line: string, { parts, writes, hard, unclear }: Judged, { calls, made }: Ran): string[] {
  const others = unclear.filter(({ facts }) => facts.case !== 'not_understood')
  const isVeiled = unclear.length > 0 && EVALUATING.test(line)
  if (hard.length + others.length > 0 || isVeiled) return []
  const patterns = parts.map(({ words, assignments }) => words.slice(assignments))
  return [
    ...calls.filter(call => !patterns.some(words => fits(words, call))).map(call => `ran ${call.join(' ')}`),
    ...made.filter(file => !writes.includes(file)).map(file => `wrote ${file}`),
  ]
}

/** A word that nobody knew before may have become any number of words. */
function fits(words: readonly (string | undefined)[], call: readonly string[]): boolean {
  const [word, ...rest] = words
  if (words.length === 0) return call.length === 0
  if (word !== undefined) return isSame(word, call[0]) && fits(rest, call.slice(1))
  return call.some((_, n) => fits(rest, call.slice(n))) || fits(rest, [])
}

/** Which descriptor bash hands over for `<(…)` is its own business. */
const isSame = (word: string, came: string | undefined): boolean =>
  came === word || (word === '/dev/fd/63' && /^\/dev\/fd\/\d+$/.test(came ?? ''))

/** The shapes that matter; each runs something. */
const SHAPES = [
  ...[
    'k0',
    'k0 a "b c" \'d  e\' f\\ g',
    "k0 $'a\\tb' $'\\x41'",
    'k0 ""',
    "k0 '' a",
    'k\\0 a',
    'k""0 a',
    "'k0' a",
  ],
  ...[
    'k0; k1',
    'k0 && k1 || k2',
    'kf && k1 || k2',
    'k0 & k1',
    'k0 | k1 | k2',
    'k0 |& k1',
    '! k0',
    'k0\nk1\n\n k2',
  ],
  ...['k0 # k1', 'k0 a#b', 'k0 \\\n a', 'k0 a\\\nb', 'k0 "a\\\nb"', "k0 'a\\\nb'", '# k0\nk1', 'k0;# k1\nk2'],
  ...['(k0; k1)', '{ k0; k1; }', '( (k0) )', '{ k0; } | k1', '(k0) && k1', 'if k0; then k1; else k2; fi'],
  ...[
    'if kf; then k0; elif k1; then k2; fi',
    'for i in a b; do k0 $i; done',
    'for i in a "b c"; do k0 "$i"; done',
  ],
  ...[
    'while kf; do k0; done',
    'until k0; do k1; done',
    'case a in a) k0;; b) k1;; esac',
    'case a in (a|b) k0;& c) k1;; esac',
  ],
  ...[
    'f() { k0 a; }; f',
    'function f { k0; }; f; f',
    'f() (k0); f',
    'f() if k0; then k1; fi; f',
    'k0() { k1; }; k0 a',
  ],
  ...[
    'k0 $(k1)',
    'k0 "$(k1 "$(k2)")"',
    'k0 `k1`',
    'k0 `k1 \\`k2\\``',
    'k0 <(k1)',
    'k0 < <(k1)',
    'k0 > >(k1)',
    'cat <(ls)#;k0',
  ],
  ...[
    'k0 $((1+2))',
    'k0 $((1+$(k1)0))',
    '((1)) && k0',
    `k0 \${x:-$(k1)}`,
    `k0 "\${x:-$(k1)}"`,
    `k0 \${x-a b}`,
    `k0 \${x:=y}; k1 $x`,
  ],
  ...[
    '[[ -n $(k0) ]] || k1',
    '[[ a == a ]] && k0',
    '[[ 0 -eq 0 && a < b ]] && k0',
    '[ -n "$(k0)" ]; k1',
    'test a = a && k0',
  ],
  ...[
    'k0 > out',
    'k0 >> out',
    'k0 2> out',
    'k0 &> out',
    'k0 >& out',
    'k0 >| out',
    '> out',
    '>out k0 a',
    'k0 <> out',
    'k0 > a > b',
    'k0 3> out',
  ],
  ...[
    '{ k0; } > out',
    '(k0) > out 2>&1',
    'for i in a; do k0; done > out',
    'f() { k0; } > out; f',
    'exec > out; k0',
    'k0 2>&1 1>out',
  ],
  ...[
    'cat <<E\na\nE\nk0',
    "cat <<'E'\n$(k0)\nE",
    'cat <<E\n$(k0)\nE',
    'cat <<-E\n\ta\n\tE\nk0',
    'cat <<E | k0\na\nE',
    'cat <<A; cat <<B\n1\nA\n2\nB\nk0',
  ],
  ...[
    'cat <<"E F"\n$(k0)\nE F\nk1',
    'cat <<E\n`k0`\nE',
    `cat <<E\n\${x:-$(k0)}\nE`,
    'k0 <<< a',
    'k0 <<< "$(k1)"',
    'cat <<\\E\n$(k0)\nE',
  ],
  ...[
    'k0 {a,b}',
    'k0 a{1..3}',
    'k{0,1} a',
    'k0 {a,"b c"}',
    'k0 *',
    'k0 ~',
    'k0 ~/x',
    'k0 a=~',
    'k0 [ab]',
    'k0 \\*',
    'k? a',
    'k[0] a',
  ],
  ...[
    'A=1 k0',
    'A=1 B=2 k0 a',
    'A=k0; $A a',
    'A=$(k0)',
    'A=(a $(k0))',
    'A=1; k0 $A',
    'A="k0 a"; $A',
    'A[0]=1 k0',
    'A+=1 k0',
    'export A=$(k0)',
  ],
  ...[
    'eval k0 a',
    "eval 'k0 a; k1'",
    'eval "k0 $(k1)"',
    'command k0 a',
    'command -p k0',
    'builtin eval k0',
    'exec k0 a',
    'exec -a x k0',
  ],
  ...[
    "bash -c 'k0 a; k1'",
    'bash -c "k0 \\"a b\\""',
    "sh -c 'k0'",
    'bash -c \'k0 "$1"\' x y',
    'bash <<< "k0 a"',
    'bash <<E\nk0 a\nE',
    'echo k0 | bash',
  ],
  ...[
    'env k0',
    'nice -n 5 k0',
    'timeout 5 k0 a',
    'time k0',
    'time -p k0 | k1',
    'xargs k0',
    "trap 'k0' EXIT",
    "trap 'k0' EXIT; k1",
    'alias k0=k1; k0',
  ],
  ...[
    "test -v 'a[$(k0)]'",
    "[[ -v 'a[$(k0)]' ]]",
    "[[ 'a[$(k0)]' -eq 0 ]]",
    "printf -v 'a[$(k0)]' x",
    "unset 'a[$(k0)]'",
    "read 'a[$(k0)]' <<< x",
  ],
  ...[
    "let 'a[$(k0)]'",
    "x='a[$(k0)]'; ((x))",
    `x='a[$(k0)]'; echo \${!x}`,
    "declare -i 'x=a[$(k0)]'",
    `x='$(k0)'; echo \${x@P}`,
    `((\${y-'a[$(k0)]'}))`,
  ],
  ...[
    'select i in a; do k0; break; done <<< 1',
    'coproc k0; wait',
    'k0 $(<out)',
    'k0 "$@"',
    'set -- k0 a; "$@"',
    'k0 $#',
    'k0 "$*"',
    'k0 $$ $?',
  ],
  ...[
    'k0 >&2',
    'k0 2>&-',
    'k0 <&-',
    'k0 3>&1 >&3',
    'k0 \'a\'"b"c',
    'k0 "a\'b"',
    "k0 'a\"b'",
    "k0 'a\\'",
    'k0 "a\\$b"',
    "k0 $'a\\\nb'",
    'k0 2\\\n>&1',
    'k0 1\\\n\\\n>x',
    'k0 \\$x',
    'k0 \\(a\\)',
    'k0 a\\;k1',
  ],
  ...[
    'k0 `echo "a b"`',
    'k0 $(echo a b)',
    'k0 $(case a in a) echo b;; esac)',
    'k0 $( (k1) )',
    'k0 $(# k1\nk2)',
    'k0 $(cat <<E\na\nE\n)',
    'k0 "$(cat <<E\n$(k1)\nE\n)"',
  ],
]

test('of the shapes that matter, nothing that bash runs or writes is overlooked', async () => {
  let ran = 0
  for (const line of SHAPES) {
    const judged = judge(line)
    const did = await real.run(line)
    ran += did.calls.length
    assert.deepEqual(unseen(line, judged, did), [], line)
  }
  assert.ok(ran > SHAPES.length / 2, 'bash ran next to nothing: the recorders do not work')
})

test('plain shapes are seen, not doubted', () => {
  const plain = [
    'k0 a "b c"',
    'k0 && k1 || k2',
    '{ k0; } | k1',
    'if k0; then k1; fi',
    'while kf; do k0; done',
    '! k0; echo "$?"',
  ]
  for (const line of plain) {
    const { hard, unclear, parts } = judge(line)
    assert.deepEqual([...hard, ...unclear], [], line)
    assert.ok(parts.length > 0, line)
  }
})

test('of the lines that parsers misread, nothing is overlooked', async () => {
  const file = path.join(import.meta.dirname, '../fixtures/shell-parse-cases.json')
  const { traps } = JSON.parse(readFileSync(file, 'utf8')) as { traps: { input: string }[] }
  for (const { input } of traps) {
    // The canary of these lines is called touch: here it is one that writes itself down.
    const line = input.replaceAll(/\b(touch|push|id|date)\b/g, 'k0')
    const judged = judge(line)
    assert.deepEqual(unseen(line, judged, await real.run(line)), [], line)
  }
})

test(`of random lines, whole and broken, nothing is overlooked (${lines} of seed ${seed})`, async () => {
  const random = seeded(seed)
  let seen = 0
  for (let n = 0; n < lines; n++) {
    const whole = randomLine(random)
    const line = random(2) === 0 ? whole : mutated(whole, random)
    const judged = judge(line)
    const did = await real.run(line)
    if (did.calls.length > 0 && judged.hard.length + judged.unclear.length === 0) seen++
    assert.deepEqual(unseen(line, judged, did), [], JSON.stringify(line))
  }
  assert.ok(seen > lines / 10, `only ${seen} lines were both run and seen`)
})

test(`of random lines that pass the gate nothing runs that it did not read (${lines * 4} of seed ${seed})`, async () => {
  const random = seeded(seed + 1)
  const shapes = [
    'cat a',
    'echo "a b"',
    'ls',
    "echo 'k2'",
    'echo \\$x $',
    'cat <a',
    'echo {k2,b} k*',
    'head -1 a',
    'test k2 = a',
  ]
  let passed = 0
  for (let n = 0; n < lines * 4; n++) {
    const pieces = Array.from({ length: 1 + random(3) }, () =>
      random(3) === 0 ? randomLine(random).replaceAll(/\bk[013f]\b/g, 'echo') : shapes[random(shapes.length)],
    )
    const whole = pieces.join([' && ', '; ', ' | ', '\n', ' || '][random(5)])
    const line = random(2) === 0 ? whole : mutated(whole, random)
    const { line: runs, parts } = passGate(line, real.cwd, ground()) ?? { parts: [] }
    if (runs === undefined) continue
    passed++
    const { calls, made } = await real.run(runs)
    const read = new Set(parts.map(({ words }) => JSON.stringify(words)))
    const unread = calls.filter(call => !read.has(JSON.stringify(call)))
    assert.deepEqual([unread, made], [[], []], `${JSON.stringify(line)} → ${runs}`)
  }
  assert.ok(passed > lines / 4, `only ${passed} passed`)
})
