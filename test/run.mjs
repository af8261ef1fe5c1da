// npm test [-- PART-OF-A-NAME …]: node's own runner over test/**/*.test.ts. npm run coverage: also what of src they reach.
import { spawn } from 'node:child_process'
import { readdirSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, isStale } from '../src/build.mjs'
import { bundle } from './support/bundle.mjs'

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

// Coverage is told of the files that run, so there each of them is compiled on its own.
const bundled = covers ? undefined : await bundle(root, files)
process.on('exit', () => bundled && rmSync(bundled.directory, { recursive: true, force: true }))
const runner = spawn(
  process.execPath,
  [
    covers ? '--import=./test/support/typescript.mjs' : '--enable-source-maps',
    '--test',
    `--test-concurrency=${availableParallelism() + 1}`,
    '--test-reporter=spec',
    // Nothing waits so long: a test that does must not hold up the others. Who asks for a million texts waits for them.
    ...(process.env.GOPI_FUZZ || process.env.GOPI_KILLS ? [] : ['--test-timeout=300000']),
    ...(covers ? ['--experimental-test-coverage'] : []),
    ...(bundled?.files ?? files),
  ],
  { cwd: root, stdio: 'inherit' },
)
// Ctrl+C reaches the runner, too, which tells what failed; only then is the bundle removed.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => runner.kill(signal))
runner.on('exit', code => process.exit(code ?? 1))
