// `npm run build:binary [-- FILE]`: gopi as one executable for this platform, by default dist-binary/gopi. In it: this Node and the
// files of dist/ that the program loads. It needs the C library that this Node needs, and bash ≥ 3.2.
import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, bundleDoor, isStale } from './build.mjs'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const dist = path.join(root, 'dist')
const target = path.resolve(process.argv[2] ?? path.join(root, 'dist-binary', 'gopi'))
const isMac = process.platform === 'darwin'

if (isStale()) await build()
const scratch = mkdtempSync(path.join(tmpdir(), 'gopi-binary-'))
try {
  const main = path.join(scratch, 'gopi.cjs')
  const output = path.join(scratch, 'gopi.blob')
  writeFileSync(main, await bundleDoor({ single: true }))
  const files = readdirSync(dist).filter(name => name.endsWith('.cjs') && !/^(gopi|library)\.cjs$/.test(name))
  const assets = Object.fromEntries(files.map(name => [name, path.join(dist, name)]))
  const config = path.join(scratch, 'sea.json')
  const options = { disableExperimentalSEAWarning: true, useCodeCache: true, useSnapshot: false }
  writeFileSync(config, JSON.stringify({ main, output, assets, ...options }))
  execFileSync(process.execPath, ['--experimental-sea-config', config], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })

  mkdirSync(path.dirname(target), { recursive: true })
  rmSync(target, { force: true })
  copyFileSync(process.execPath, target)
  // What Node's own signature covered is about to change.
  if (isMac) execFileSync('codesign', ['--remove-signature', target])
  else if (process.platform === 'linux') slim(target)
  const { inject } = await import('postject')
  await inject(target, 'NODE_SEA_BLOB', readFileSync(output), {
    sentinelFuse: 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2',
    ...(isMac && { machoSegmentName: 'NODE_SEA' }),
  })
  if (isMac) execFileSync('codesign', ['--sign', '-', target])
  console.log(`${path.relative(process.cwd(), target)}: ${(readFileSync(target).length / 1e6).toFixed(1)} MB`)
} finally {
  rmSync(scratch, { recursive: true, force: true })
}

/** Symbols for debuggers go, where there is a strip. */
function slim(file) {
  try {
    execFileSync('strip', ['--strip-debug', file], { stdio: 'ignore' })
  } catch {}
}
