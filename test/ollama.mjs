// npm run test:ollama: test/ollama/ against the real Ollama at OLLAMA_HOST, with models that say what a script says.
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
if (!process.env.OLLAMA_HOST) {
  console.log('OLLAMA_HOST names no Ollama: nothing was tested.')
  process.exit(0)
}
const wanted = process.argv.slice(2)
const files = readdirSync(path.join(root, 'test', 'ollama'))
  .filter(
    name => name.endsWith('.real.ts') && (wanted.length === 0 || wanted.some(part => name.includes(part))),
  )
  .map(name => path.join('test', 'ollama', name))
  .sort()
const node = (...args) =>
  spawnSync(process.execPath, ['--import=./test/support/typescript.mjs', ...args], {
    cwd: root,
    stdio: 'inherit',
  }).status ?? 1

let status = node('test/ollama/make.ts', 'make')
// The server has one model loaded at a time: files one after the other.
if (status === 0) {
  status = node('--test', '--test-concurrency=1', '--test-reporter=spec', '--test-timeout=900000', ...files)
}
process.exit(node('test/ollama/make.ts', 'remove') || status)
