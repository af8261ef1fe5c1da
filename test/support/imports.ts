/** Who imports whom in src/, read from the text: a smoke alarm, not a compiler. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export const src = fileURLToPath(new URL('../../src/', import.meta.url))

export interface Import {
  /** Path inside src/, such as `agent/loop.ts`. */
  from: string
  /** Path inside src/ for a relative import, else the package: `node:fs`, `zod/mini`. */
  to: string
  /** `import type`, which is gone at run time. */
  typeOnly: boolean
  /** `await import()`, which loads only when it is reached. */
  lazy: boolean
  /** `export … from`. */
  passedOn: boolean
}

const STATIC = /^(import|export)\s+(type\s+)?(?:[\w*\s{},$]+?\s+from\s+)?['"]([^'"\n]+)['"]/gm
const LAZY = /\bimport\(\s*['"]([^'"\n]+)['"]\s*\)/g

/** The imports of one file, from its path inside src/ and its text. */
export function importsOf(from: string, text: string): Import[] {
  const target = (name: string) =>
    name.startsWith('.') ? path.posix.normalize(path.posix.join(path.posix.dirname(from), name)) : name
  const code = text.replaceAll(/\/\*.*?\*\//gs, '').replaceAll(/^\s*\/\/.*$/gm, '')
  const fixed = [...code.matchAll(STATIC)].map(([, word, type, name = '']) => ({
    from,
    to: target(name),
    typeOnly: type !== undefined,
    lazy: false,
    passedOn: word === 'export',
  }))
  const lazy = [...code.matchAll(LAZY)].map(([, name = '']) => ({
    from,
    to: target(name),
    typeOnly: false,
    lazy: true,
    passedOn: false,
  }))
  return [...fixed, ...lazy]
}

/** Every TypeScript file of src/ with its imports. */
export function allImports(): Map<string, Import[]> {
  const files = readdirSync(src, { recursive: true })
    .map(name => String(name).split(path.sep).join('/'))
    .filter(name => name.endsWith('.ts') && !name.endsWith('.d.ts'))
    .sort()
  return new Map(files.map(file => [file, importsOf(file, readFileSync(path.join(src, file), 'utf8'))]))
}

/** The packages and files that are loaded as soon as `file` is: what is lazy or only a type is not followed. */
export function loadedWith(file: string, imports = allImports()): Set<string> {
  const loaded = new Set<string>()
  const visit = (name: string) => {
    if (loaded.has(name)) return
    loaded.add(name)
    for (const { to, typeOnly, lazy } of imports.get(name) ?? []) if (!typeOnly && !lazy) visit(to)
  }
  visit(file)
  return loaded
}
