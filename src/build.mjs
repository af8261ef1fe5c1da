// Builds dist/: one small CommonJS entry (gopi.cjs) that answers --version and --help by itself, lazy chunks for the
// rest, and the library for import and require. `node src/build.mjs [--if-stale]`
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const dist = path.join(root, 'dist')
const entry = path.join(dist, 'gopi.cjs')
const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))

/** The holes of every prompt: a typo in one fails the build, not a conversation. */
const holes = {
  'system.md': ['cwd', 'os', 'timeout'],
  'instructions.md': [],
  'react.md': ['tools'],
  'json.md': ['tools'],
  'summary.md': ['hint', 'summary', 'facts', 'lines'],
  'errors.md': ['problem', 'tools', 'name', 'times', 'why', 'words'],
}

export async function build() {
  const esbuild = await import('esbuild')
  const { outputFiles } = await esbuild.build({
    absWorkingDir: root,
    entryPoints: { gopi: 'src/main.ts', library: 'src/library.ts', tokens: 'src/context/token-process.ts' },
    outdir: dist,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    minify: true,
    keepNames: true,
    legalComments: 'none',
    conditions: ['node', 'import'],
    define: {
      'process.env.GOPI_VERSION': JSON.stringify(version),
      'import.meta.dirname': '__dirname',
      'import.meta.filename': '__filename',
      // The ollama package asks `headers instanceof Headers` at every request, which loads all of Node's fetch (10 ms,
      // 12 MB); it runs on a transport of our own and is given plain objects.
      Headers: 'Map',
    },
    alias: { 'whatwg-fetch': path.join(root, 'src/model/no-fetch.ts') },
    plugins: [prompts],
    write: false,
    logLevel: 'warning',
  })
  rmSync(dist, { recursive: true, force: true })
  mkdirSync(dist, { recursive: true })
  for (const file of outputFiles) {
    // esbuild splits ESM only, and Node loads CommonJS faster: each chunk is turned into CommonJS by itself.
    const { code } = await esbuild.transform(file.text, {
      format: 'cjs',
      platform: 'node',
      target: 'node20',
      minify: true,
      supported: { 'dynamic-import': false },
    })
    const name = path.basename(file.path).replace(/\.js$/, '.cjs')
    writeFileSync(path.join(dist, name), code.replaceAll(/(require\("\.\/[\w.-]+)\.js"\)/g, '$1.cjs")'))
  }
  writeFileSync(entry, `#!/usr/bin/env node\n${readFileSync(entry, 'utf8')}`)
  chmodSync(entry, 0o755)
  writeFileSync(
    path.join(dist, 'library.mjs'),
    "import library from './library.cjs'\nexport const { createSession } = library\n",
  )
}

const prompts = {
  name: 'prompts',
  setup({ onLoad }) {
    onLoad({ filter: /prompts[\\/][^\\/]+\.md$/ }, ({ path: file }) => {
      const text = readFileSync(file, 'utf8')
      const known = holes[path.basename(file)]
      const errors = known
        ? [...text.matchAll(/\{\{(.*?)\}\}/g)]
            .filter(([, name]) => !known.includes(name))
            .map(([hole]) => ({ text: `${hole} is filled by nobody` }))
        : [{ text: `${path.basename(file)} is not in the list of prompts of src/build.mjs` }]
      return { contents: text, loader: 'text', errors }
    })
  },
}

/** Whether a source is newer than what was built from it. */
export function isStale() {
  if (!existsSync(entry)) return true
  const built = statSync(entry).mtimeMs
  const files = ['src', 'prompts'].flatMap(folder =>
    readdirSync(path.join(root, folder), { recursive: true }).map(name =>
      path.join(root, folder, String(name)),
    ),
  )
  return [...files, path.join(root, 'package.json')].some(file => statSync(file).mtimeMs > built)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (!process.argv.includes('--if-stale') || isStale()) await build()
}
