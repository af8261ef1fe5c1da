// Runs in the thread of Node's module loader (see typescript.mjs).

import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const cache = fileURLToPath(new URL('../../node_modules/.cache/gopi-tests', import.meta.url))

export async function load(url, context, next) {
  const kind = /\.(ts|md)$/.exec(url)?.[1]
  if (kind === undefined || url.includes('/node_modules/')) return next(url, context)
  const text = readFileSync(new URL(url), 'utf8')
  // Prompts are text, as the bundler has them.
  const source = kind === 'md' ? `export default ${JSON.stringify(text)}` : await compiled(text, url)
  return { format: 'module', shortCircuit: true, source }
}

/** Without its types; made once for each version of a file. */
async function compiled(text, url) {
  const version = createHash('sha1').update(url).update('\0').update(text).digest('hex')
  const file = path.join(cache, `${version}.js`)
  try {
    return readFileSync(file, 'utf8')
  } catch {
    const { transform } = await import('esbuild')
    const options = { loader: 'ts', format: 'esm', target: 'node20', sourcemap: 'inline', sourcefile: url }
    const { code } = await transform(text, options)
    keep(file, code)
    return code
  }
}

/** Whole or not at all: others run at the same time. */
function keep(file, code) {
  mkdirSync(cache, { recursive: true })
  const temporary = `${file}.${process.pid}`
  writeFileSync(temporary, code)
  renameSync(temporary, file)
}
