// npm test [-- PART-OF-A-NAME …]: node's own runner over test/**/*.test.ts. npm run coverage: also what of src they reach.
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, isStale } from '../src/build.mjs'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const wanted = process.argv.slice(2).filter(word => word !== '--coverage')
const covers = process.argv.includes('--coverage')
const files = readdirSync(path.join(root, 'test'), { recursive: true })
  .map(name => path.join('test', String(name)))
  .filter(
    name => name.endsWith('.test.ts') && (wanted.length === 0 || wanted.some(part => name.includes(part))),
  )
  .sort()
if (files.length === 0) {
  console.error(`no test file matches: ${wanted.join(' ')}`)
  process.exit(1)
}
// Once, before any of them runs: those that start the built program share it.
if (files.some(name => name.includes(`e2e${path.sep}`)) && isStale()) await build()
const { status } = spawnSync(
  process.execPath,
  [
    '--import=./test/support/typescript.mjs',
    '--test',
    `--test-concurrency=${Math.max(2, availableParallelism())}`,
    '--test-reporter=spec',
    // Nothing waits so long: a test that does must not hold up the others.
    '--test-timeout=90000',
    ...(covers ? ['--experimental-test-coverage'] : []),
    ...files,
  ],
  { cwd: root, stdio: 'inherit' },
)
process.exit(status ?? 1)
