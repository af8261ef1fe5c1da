// After `tsc`: of the declarations only those that library.d.ts reaches go into the package. `[DIRECTORY]`: where they are.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const types = process.argv[2] ?? fileURLToPath(new URL('../dist/types', import.meta.url))
const reached = new Set()

function reach(file) {
  if (reached.has(file) || !existsSync(file)) return
  reached.add(file)
  for (const [, to] of readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?\s*['"](\.[^'"]+)['"]/g))
    reach(path.resolve(path.dirname(file), to.replace(/\.(?:d\.)?[jt]s$/, '.d.ts')))
}

reach(path.join(types, 'library.d.ts'))
for (const entry of readdirSync(types, { recursive: true, withFileTypes: true })) {
  const file = path.join(entry.parentPath, entry.name)
  if (entry.isFile() && !reached.has(file)) rmSync(file)
}
