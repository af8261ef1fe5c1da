// npm run test:openai: test/openai/ against the server of chat completions whose base_url is GOPI_TEST_OPENAI.
// npm run test:openai -- write FILE: a small model for such a server that says what the tests wait for (GGUF, 110 MB).
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const [what, file] = process.argv.slice(2)
if (what === 'write') {
  const script = [
    '--import=./test/support/typescript.mjs',
    'test/openai/write-model.ts',
    path.resolve(file ?? ''),
  ]
  process.exit(spawnSync(process.execPath, script, { cwd: root, stdio: 'inherit' }).status ?? 1)
}
if (!process.env.GOPI_TEST_OPENAI) {
  console.log('GOPI_TEST_OPENAI names no server: nothing was tested.')
  process.exit(0)
}
const options = [
  '--import=./test/support/typescript.mjs',
  '--test',
  '--test-reporter=spec',
  '--test-timeout=120000',
]
const { status } = spawnSync(process.execPath, [...options, 'test/openai/engine.real.ts'], {
  cwd: root,
  stdio: 'inherit',
})
process.exit(status ?? 1)
