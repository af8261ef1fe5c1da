/** What comes back from a bash is data: nothing that a command can write there is ever evaluated. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { exportScript, readExports } from '../../src/shell/exports.ts'
import { openShell } from './session.ts'

const ATTACKS = [
  // The trap writes between the declarations; the shell that comes next would read them as its own first words.
  'trap \'echo "touch CANARY"\' DEBUG',
  'trap \'printf "\\0touch CANARY\\n\\0"\' DEBUG',
  'trap \'echo "declare -x A=\\"\\$(touch CANARY)\\""\' DEBUG',
  "export B='$(touch CANARY)' C='`touch CANARY`' D='\";touch CANARY;\"' E=$'\\n\\ttouch CANARY'",
  'declare -ix N=1; declare -ax L=(1 2)',
  'for fd in 10 11 12 13 14 15; do printf "declare -x A=1;touch CANARY\\n\\0" >&$fd; done 2>/dev/null',
]

test('what a command writes into the channel is evaluated by no later shell', async t => {
  for (const attack of ATTACKS) {
    const { run, cwd } = openShell(t)
    await run(attack, { timeout: 3_000 })
    await run('exec true', { timeout: 3_000 })
    await run('true', { timeout: 3_000 })
    await run('true', { timeout: 3_000 })
    assert.equal(existsSync(path.join(cwd, 'CANARY')), false, attack)
  }
})

test('exported variables are read as data and written again in words of our own', () => {
  const text =
    'touch CANARY\ndeclare -x A="a \\"b\\" \\$c \\`d\\` \\\\"\ndeclare -rx B=$\'x\\ty\\n\\303\\244\\E\'\n' +
    'declare -x UNSET\ndeclare -ax L=([0]="1")\ndeclare -x BASH_ENV="x"\ndeclare -x 1X="y"\ndeclare -x M="two\nlines"\n'
  const exports = readExports(text)
  assert.deepEqual(
    [...exports],
    [
      ['A', 'a "b" $c `d` \\'],
      ['B', 'x\ty\n\xc3\xa4\x1b'],
      ['UNSET', undefined],
      ['M', 'two\nlines'],
    ],
  )
  assert.match(exportScript(exports), /^\\builtin export A='a "b" \$c `d` \\';\\builtin export B=/)
})
