import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { allImports, src } from './support/imports.ts'

/** What others import, and what the program begins with. Types only say what the functions beside them take and give. */
const EXPORT = /^export (?:async )?(?:function\*?|const|let|class) (\w+)/gm
/** A person's own commands have their door before anybody comes through it; packages import what is not used of theirs. */
const ENTRIES = new Set([
  ...['library.ts', 'main.ts', 'kit/commands/prompt-command.ts'],
  'tui/markdown/unused.ts',
])

const read = (file: string) =>
  readFileSync(path.join(src, file), 'utf8')
    .replaceAll(/\/\*.*?\*\//gs, '')
    .replaceAll(/^\s*\/\/.*$/gm, '')

/** The exported functions, classes and values that no other file of src names. */
function unused(imports: ReadonlyMap<string, readonly { to: string }[]>, text: (file: string) => string) {
  const users = new Map<string, string[]>()
  for (const [from, own] of imports) {
    for (const { to } of own) users.set(to, [...(users.get(to) ?? []), text(from)])
  }
  // The build asks some files for texts that are made once.
  const build = readdirSync(src)
    .filter(name => name.endsWith('.mjs'))
    .map(text)
  return [...imports.keys()]
    .filter(file => !ENTRIES.has(file))
    .flatMap(file => {
      const seen = [...(users.get(file) ?? []), ...build.filter(script => script.includes(file))]
      const names = [...text(file).matchAll(EXPORT)].map(([, name = '']) => name)
      const strangers = names.filter(name => !seen.some(user => new RegExp(`\\b${name}\\b`).test(user)))
      return strangers.map(name => `${file} ${name}`)
    })
}

test('what is exported is used by another file of src, not by tests alone', () => {
  assert.deepEqual(unused(allImports(), read), [])
})

test('the alarm rings', () => {
  const files: Record<string, string> = {
    'a/x.ts': "import { used } from './y.ts'\nused()",
    'a/y.ts': 'export function used() {}\nexport const forTests = 1\nexport interface Shape {}',
  }
  const imports = new Map([
    ['a/x.ts', [{ to: 'a/y.ts' }]],
    ['a/y.ts', []],
  ])
  assert.deepEqual(
    unused(imports, file => files[file] ?? ''),
    ['a/y.ts forTests'],
  )
})
