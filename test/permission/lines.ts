/** Random command lines, made of the shapes that shells differ in. All that they can do is run recorders and write in their directory. */
import type { Random } from './seeded.ts'

const pick = <T>(random: Random, choices: readonly T[]): T => choices[random(choices.length)] as T

const WORDS = [
  ...[
    'a',
    'b c',
    'a;b',
    '#a',
    'a#',
    '$(k1)',
    '`k2`',
    "'",
    '"',
    '\\',
    '{a,b}',
    '*',
    '~',
    '!',
    '=',
    'a=b',
    '-n',
    '[',
    ']',
  ],
  ...['(', ')', '<', '>', '|', '&', '\n', '\t', `\${x}`, '$x', '$((1))', '<(k3)', 'E', 'done', 'fi', '}'],
]

/** A word, quoted in one of bash's ways or not at all. */
function word(random: Random, depth: number): string {
  const text = pick(random, WORDS)
  switch (random(9)) {
    case 0:
      return `'${text.replaceAll("'", `'\\''`)}'`
    case 1:
      return `"${text.replaceAll(/[\\"$`!]/g, '\\$&')}"`
    case 2:
      return `$'${text.replaceAll(/['\\]/g, '\\$&').replaceAll('\n', '\\n')}'`
    case 3:
      return text.replaceAll(/[^\w]/g, '\\$&').replaceAll('\\\n', "'\n'")
    case 4:
      return depth > 0 ? `"$(${line(random, depth - 1)})"` : 'a'
    case 5:
      return depth > 0 ? `$(${line(random, depth - 1)})` : 'b'
    case 6:
      return pick(random, [
        '$x',
        '"$x"',
        `\${x:-a}`,
        `"\${x:-b c}"`,
        '$((1+1))',
        '{a,b}',
        'a*',
        '~',
        '"$@"',
        '$?',
        '$i',
        '"$i"',
        '{a,b*}',
        `\${#x}`,
      ])
    case 7:
      return depth > 0 ? around(simple(random, 0), random) : 'c'
    default:
      return pick(random, ['a', 'b', '-x', '--', 'c#d', 'a=b'])
  }
}

const around = (command: string, random: Random): string =>
  pick(random, [`<(${command})`, `"\${x:-$(${command})}"`, `\`${command}\``])

function simple(random: Random, depth: number): string {
  const program = pick(random, ['k0', 'k1', 'k2', 'k3', 'kf', 'k\\0', "k''1", '"k2"', 'ls', 'cat'])
  const words = Array.from({ length: random(4) }, () => word(random, depth))
  const before = pick(random, ['', '', '', '', 'X=1 ', '! ', 'env ', 'nice ', 'command ', 'time ', '>o1 '])
  const after = pick(random, [
    '',
    '',
    '',
    '',
    ' > o2',
    ' 2>&1',
    ' >> o3',
    ' < /dev/null',
    ' &>o4',
    ' 2>/dev/null',
    ' <<< x',
  ])
  return `${before}${[program, ...words].join(' ')}${after}`
}

function line(random: Random, depth: number): string {
  const inner = () => (depth > 0 ? line(random, depth - 1) : simple(random, 0))
  switch (random(16)) {
    case 0:
      return `${inner()}${pick(random, [' && ', ' || ', '; ', '\n', ' | ', ' & ', ';', '&&', ' |& '])}${inner()}`
    case 1:
      return pick(random, ['( ', '(']) + inner() + pick(random, [' )', ')'])
    case 2:
      return `{ ${inner()}; }`
    case 3:
      return `if ${inner()}; then ${inner()}; else ${inner()}; fi`
    case 4:
      return `for i in a ${pick(random, ['"b c"', 'b', '*', '$x', '-n {c,d}'])}; do ${inner()}; done`
    case 5:
      return `while kf; do ${inner()}; done`
    case 6:
      return `case ${pick(random, ['a', '"$x"', 'b'])} in a) ${inner()};; *) ${inner()};; esac`
    case 7:
      return `f() { ${inner()}; }; f`
    case 8:
      return `cat <<${pick(random, ['E', "'E'", '-E', '"E"', '\\E`])}\n${pick(random, [`a', '$(k1)', '`k2`', `\${x:-$(k3)}`, '$x', "'$(k1)'", '\\$(k1)'])}\nE\n${inner()}`
    case 9:
      return `[[ ${pick(random, ['a == b', '-n $x', '-z "$(k1)"', '1 -eq 1', '! a < b', '( a ) || b'])} ]] && ${inner()}`
    case 10:
      return `bash -c ${quoted(inner())}`
    case 11:
      return `eval ${quoted(inner())}`
    case 12:
      return `${inner()} # ${simple(random, 0).replaceAll('\n', ' ')}\n${inner()}`
    case 13:
      return `${inner()} \\\n; ${inner()}`
    default:
      return simple(random, depth)
  }
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

export const randomLine = (random: Random): string => line(random, 1 + random(3))

const SPECIAL = [
  ...'\'"`$(){}[];&|<>#\\ \n\t!=*~',
  '$(',
  `\${`,
  '<(',
  '>(',
  '((',
  '))',
  '[[',
  ']]',
  '<<E',
  '\\\n',
  "$'",
  '&&',
  ';;',
  'k0',
]

/** The same with a few characters dropped, doubled, swapped or put in: what parsers and bash read differently. */
export function mutated(text: string, random: Random): string {
  let line = text
  for (let times = 1 + random(3); times > 0; times--) {
    const at = random(line.length + 1)
    const rest = line.slice(at)
    switch (random(3)) {
      case 0:
        line = line.slice(0, at) + rest.slice(1)
        break
      case 1:
        line = line.slice(0, at) + pick(random, SPECIAL) + rest
        break
      default:
        line = line.slice(0, at) + rest.slice(1, 2) + rest.slice(0, 1) + rest.slice(2)
    }
  }
  // Nothing outside of its directory, and no other descriptor, is written to.
  return line.replaceAll(/(?<!<)(>[|&>]?\s*)[^\s\w>(&|'"$`\\;]/g, '$1o')
}
