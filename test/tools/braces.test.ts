import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boundBraces } from '../../src/tools/braces.ts'
import { find } from '../../src/tools/find.ts'
import { grep } from '../../src/tools/grep.ts'
import { contextFor, project, told } from './context.ts'

test('how many patterns a glob stands for', () => {
  const rows: [glob: string, patterns: number][] = [
    ['*.ts', 1],
    ['*.{ts,tsx}', 2],
    ['{a,b}{a,b}{a,b}', 8],
    ['{a,{b,c},d{e,f}}', 5],
    ['{1..9}', 9],
    ['{a..e}{9..1}', 45],
    ['{1..1000..100}', 1000],
    ['{a,b', 2],
    ['{a,b}{1..', 2],
    ['\\{a,b\\}', 1],
    ['a,b}', 1],
    ['{}', 1],
  ]
  for (const [glob, patterns] of rows) {
    boundBraces(glob, 'glob', patterns)
    assert.throws(() => boundBraces(glob, 'glob', patterns - 1), /its braces stand for more than/, glob)
  }
})

test('globs that would fill the memory or never end are refused at once', async t => {
  const context = contextFor(await project(t, { 'a.ts': 'x' }))
  const bombs = [
    ...['{1..99999999}', '**/{{1..9999999999},a}', `**/${'{a,b}'.repeat(30)}`, 'a'.repeat(5000)],
    ...[`${'*a'.repeat(9)}c`, `${'**/a/'.repeat(9)}c`, '(a+)+b', '+(a|a*)b'],
  ]
  const start = performance.now()
  for (const bomb of bombs) {
    assert.match(
      await told(find, { pattern: bomb }, context),
      /^find: "pattern"(: its braces| is longer| has more stars)/,
      bomb,
    )
    assert.match(
      await told(grep, { pattern: 'x', glob: bomb }, context),
      /^grep: "glob"(: its braces| is longer| has more stars)/,
      bomb,
    )
  }
  for (const glob of ['{a,b}.{ts,js}', `${'{a,b}'.repeat(9)}*`, `{${'a,'.repeat(900)}a}.ts`, '**/*a*b*c*'])
    await told(find, { pattern: glob }, context)
  assert.ok(performance.now() - start < 5000)
})

test('a .gitignore whose rules would take for ever leaves out what its other rules say', async t => {
  const hostile = `${'**/a/'.repeat(20)}c\n${'*a'.repeat(20)}c\nout\n`
  const deep = `${'a/'.repeat(60)}b`
  const files = { '.gitignore': hostile, [deep]: '', [`${'a'.repeat(200)}b`]: '', out: '' }
  const context = contextFor(await project(t, files))
  const found = await told(find, { pattern: '*' }, context)
  assert.ok(found.includes(deep) && !/^out$/m.test(found), found)
})
