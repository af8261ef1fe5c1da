// Builds dist/: one small CommonJS entry (gopi.cjs) that answers --version and --help by itself, lazy chunks for the
// rest, and the library for import and require. `node src/build.mjs [--if-stale]`

import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { compileFunction } from 'node:vm'
import { bundleBlessed } from './bundle-blessed.mjs'
import { everyTool, lateEntries, lateModules, lateTools } from './bundle-late.mjs'
import { bundleScripts } from './bundle-scripts.mjs'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const dist = path.join(root, 'dist')
const entry = path.join(dist, 'gopi.cjs')
const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))

/** The holes of every prompt: a typo in one fails the build, not a conversation. */
const holes = {
  'system.md': ['cwd', 'os', 'timeout'],
  'instructions.md': [],
  'react.md': ['tools'],
  'tools.md': ['tools'],
  'json.md': ['tools'],
  'summary.md': ['hint', 'summary', 'facts', 'lines'],
  'init.md': [],
  'btw.md': ['question'],
  'agents.md': [],
  'task.md': ['agent', 'limits', 'instructions', 'prompt', 'tools', 'files'],
  'until.md': ['command', 'output'],
  'verify.md': ['failures'],
  'commit.md': ['hint', 'log', 'stat', 'diff'],
  'hook.md': ['message', 'output'],
  'pr-message.md': ['log', 'stat', 'diff'],
  'review.md': ['part', 'parts', 'diff'],
  'errors.md': [
    ...['problem', 'tools', 'name', 'times', 'why', 'words', 'which', 'calls', 'text', 'command'],
    ...['example', 'call', 'wrote', 'schema'],
  ],
}

const unused = path.join(root, 'src/tui/markdown/unused.ts')

/** What marked-terminal imports, and gopi's renderer never calls. */
const unusedInMarkdown = Object.fromEntries(
  [
    ...['ansi-escapes', 'ansi-regex', 'chalk', 'cli-highlight', 'cli-table3', 'node-emoji'],
    'supports-hyperlinks',
  ].map(name => [name, unused]),
)

/** What the program and its parts are bundled with. */
function sharedOptions() {
  return {
    absWorkingDir: root,
    bundle: true,
    platform: 'node',
    target: 'node20',
    minify: true,
    legalComments: 'none',
    conditions: ['node', 'import'],
    define: {
      'process.env.GOPI_VERSION': JSON.stringify(version),
      'process.env.GOPI_BUILD': JSON.stringify(sourcesHash()),
      'import.meta.dirname': '__dirname',
      'import.meta.filename': '__filename',
      // The ollama package asks `headers instanceof Headers` at every request, which loads all of Node's fetch (10 ms,
      // 12 MB); it runs on a transport of our own and is given plain objects.
      Headers: 'Map',
    },
    inject: [path.join(root, 'src/cli/performance.ts')],
    alias: {
      'whatwg-fetch': path.join(root, 'src/backends/ollama/no-fetch.ts'),
      // Pages are never drawn, and turndown is given a document: it parses none itself.
      ...Object.fromEntries(['canvas', '@mixmark-io/domino'].map(name => [name, unused])),
      ...unusedInMarkdown,
    },
    plugins: [prompts, bundleBlessed],
    write: false,
    logLevel: 'warning',
  }
}

/** The front door as one script. `single`: for an executable that has the bundle's files in it. */
export async function bundleDoor({ single = false } = {}) {
  const esbuild = await import('esbuild')
  const shared = sharedOptions()
  const { topHelp } = await evaluate(esbuild, shared, 'src/cli/help.ts')
  const { outputFiles } = await esbuild.build({
    ...shared,
    entryPoints: { gopi: 'src/main.ts' },
    outdir: dist,
    format: 'cjs',
    define: {
      ...shared.define,
      'process.env.GOPI_HELP': JSON.stringify(topHelp()),
      'process.env.GOPI_SINGLE': single ? '"1"' : '""',
    },
  })
  return outputFiles[0].text
}

export async function build() {
  const esbuild = await import('esbuild')
  const shared = sharedOptions()
  const { manualPage } = await evaluate(esbuild, shared, 'src/cli/manual.ts')
  const { builtinTools } = await evaluate(esbuild, shared, 'src/tools/list.ts')
  const { factsOf } = await evaluate(esbuild, shared, 'src/tools/late.ts')

  const { outputFiles, metafile } = await esbuild.build({
    ...shared,
    entryPoints: {
      main: 'src/cli/main.ts',
      tools: 'src/tools/list.ts',
      library: 'src/library.ts',
      ...lateEntries,
    },
    outdir: dist,
    splitting: true,
    format: 'esm',
    plugins: [
      ...shared.plugins,
      lateTools(root, builtinTools(everyTool).map(factsOf)),
      lateModules(root, file => evaluate(esbuild, shared, file)),
      ownChunks,
    ],
    metafile: true,
  })
  // esbuild splits ESM only, and Node loads CommonJS faster: each chunk is turned into CommonJS by itself.
  const chunks = new Map()
  for (const { path: file, text } of outputFiles) {
    const { code } = await esbuild.transform(text, {
      format: 'cjs',
      // For Node there would be a list of the exports, too, which nobody reads: each chunk is required.
      platform: 'neutral',
      target: 'node20',
      minify: true,
      supported: { 'dynamic-import': false },
    })
    const name = path.basename(file).replace(/\.js$/, '.cjs')
    chunks.set(name, code.replaceAll(/(require\("\.\/[\w.-]+)\.js"\)/g, '$1.cjs")'))
  }
  const { Headers: _, ...define } = shared.define
  const clients = await esbuild.build({
    ...shared,
    // The client of other people's servers uses the real `Headers`.
    ...{ define, entryPoints: ownEntries, outdir: dist, format: 'cjs' },
  })
  for (const { path: file, text } of clients.outputFiles)
    chunks.set(path.basename(file).replace(/\.js$/, '.cjs'), text)
  const texts = new Map(outputFiles.map(({ path: file, text }) => [path.basename(file), text]))
  const scriptFiles = await bundleScripts(esbuild, texts, metafile)
  replaceDist([
    ...chunks,
    ...scriptFiles,
    ['gopi.1', manualPage(version)],
    [
      'library.mjs',
      "import library from './library.cjs'\nexport const { builtinTools, createSession } = library\n",
    ],
    // The last: with it the rest is there.
    ['gopi.cjs', `#!/usr/bin/env node\n${await bundleDoor()}`],
  ])
}

/** Each file in one step, and what is of an older build goes last: a gopi that starts meanwhile finds all it needs. */
function replaceDist(files) {
  mkdirSync(dist, { recursive: true })
  for (const [name, text] of files) {
    const fresh = path.join(dist, `${name}.${process.pid}`)
    writeFileSync(fresh, text, { mode: name === 'gopi.cjs' ? 0o755 : 0o644 })
    renameSync(fresh, path.join(dist, name))
  }
  const names = new Set(files.map(([name]) => name))
  for (const name of readdirSync(dist))
    if (!names.has(name)) rmSync(path.join(dist, name), { recursive: true, force: true })
}

/** What a source file exports, evaluated now: texts that the program need not make at every start. */
async function evaluate(esbuild, shared, file) {
  const { outputFiles } = await esbuild.build({ ...shared, entryPoints: [file], format: 'cjs' })
  const module = { exports: {} }
  const run = compileFunction(outputFiles[0].text, ['module', 'exports', 'require'])
  run(module, module.exports, createRequire(import.meta.url))
  return module.exports
}

/** Built by themselves, with the packages of protocols: nothing of these comes into what others load. */
const ownEntries = { mcp: 'src/mcp/client.ts', acp: 'src/acp/wire.ts' }
const ownChunks = {
  name: 'own-chunks',
  setup({ onResolve }) {
    for (const [name, file] of Object.entries(ownEntries)) {
      const filter = new RegExp(`${file.split('/').slice(-2).join('\\/').replace('.', '\\.')}$`)
      onResolve({ filter }, ({ kind }) =>
        kind === 'entry-point' ? undefined : { path: `./${name}.cjs`, external: true },
      )
    }
  },
}

/** The same sources give the same bundle: what is kept of one is not taken by another. */
function sourcesHash() {
  const hash = createHash('sha256')
  for (const file of sources()) hash.update(`${path.relative(root, file)}\n`).update(readFileSync(file))
  return hash.digest('hex').slice(0, 16)
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
  return sources().some(file => statSync(file).mtimeMs > built)
}

/** Everything that the bundle is made of. */
function sources() {
  const files = ['src', 'prompts'].flatMap(folder =>
    readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
      .filter(file => file.isFile())
      .map(file => path.join(file.parentPath, file.name)),
  )
  return [...files.sort(), path.join(root, 'package.json'), path.join(root, 'package-lock.json')]
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (!process.argv.includes('--if-stale') || isStale()) await build()
}
