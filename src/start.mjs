// `npm start`: builds when a source is newer, then runs gopi in the directory in which npm was called.
import { createRequire } from 'node:module'
import { build, isStale } from './build.mjs'

if (isStale()) {
  process.stderr.write('building gopi …\n')
  await build()
}
process.chdir(process.env.INIT_CWD ?? process.cwd())
const require = createRequire(import.meta.url)
process.argv[1] = require.resolve('../dist/gopi.cjs')
require('../dist/gopi.cjs')
