// npm run test:package: packs gopi, installs the package into an empty directory, and tries it there.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** Bytes that an installed gopi may take. */
const MOST = 6_000_000
const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const place = mkdtempSync(path.join(tmpdir(), 'gopi-package-'))
const run = (command, args, cwd) =>
  execFileSync(command, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] })

try {
  run('npm', ['pack', '--pack-destination', place], root)
  const [packed = ''] = readdirSync(place)
  run('npm', ['install', '--no-audit', '--no-fund', '--prefix', place, path.join(place, packed)], place)
  const modules = path.join(place, 'node_modules')
  const bytes = readdirSync(modules, { recursive: true, withFileTypes: true })
    .filter(file => file.isFile())
    .reduce((sum, file) => sum + statSync(path.join(file.parentPath, file.name)).size, 0)
  const megabytes = size => `${(size / 1e6).toFixed(1)} MB`
  console.log(`packed ${megabytes(statSync(path.join(place, packed)).size)}, installed ${megabytes(bytes)}`)
  if (bytes > MOST) throw new Error(`installed it takes more than ${megabytes(MOST)}`)
  execFileSync(process.execPath, [path.join(root, 'test/smoke.mjs'), path.join(modules, '.bin/gopi')], {
    stdio: 'inherit',
  })
} finally {
  rmSync(place, { recursive: true, force: true })
}
