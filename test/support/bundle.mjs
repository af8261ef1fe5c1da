// Puts the test files together before they run. Two hundred processes that each load a hundred small modules through a
// hook of Node's loader cost a third of the suite's time; with the bundle they share chunks that are compiled once.
import { mkdirSync, mkdtempSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'

/** Where a module stands is asked of the source, not of the bundle: fixtures are found from there. */
const places = {
  name: 'places',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, ({ path: file }) => {
      const text = readFileSync(file, 'utf8')
      if (!text.includes('import.meta.')) return null
      const contents = text
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(file).href))
        .replaceAll('import.meta.dirname', JSON.stringify(path.dirname(file)))
      return { contents, loader: 'ts' }
    })
  },
}

/** Rooms whose tests share a process: they only compute, or talk to servers of their own. */
const together = [
  'text',
  'words',
  'dialect',
  'paths',
  'config',
  'context',
  'backends',
  'agent',
  'tui',
  'tui/app',
]

/** The files for each process, by its name. One room's share it: each would pay for its own start and its own chunks. */
function inProcesses(files) {
  const processes = new Map()
  for (const file of files) {
    const room = path.dirname(file)
    const name = together.some(one => room === path.join('test', one)) ? room : file.replace(/\.ts$/, '')
    processes.set(name, [...(processes.get(name) ?? []), file])
  }
  return processes
}

/** Entry points that are several files. */
const several = (root, processes) => ({
  name: 'several',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^several:/ }, ({ path: of }) => ({
      path: of.replace('several:', ''),
      namespace: 'several',
    }))
    onLoad({ filter: /./, namespace: 'several' }, ({ path: name }) => ({
      contents: processes
        .get(name)
        .map(file => `import ${JSON.stringify(path.join(root, file))}`)
        .join('\n'),
      resolveDir: root,
    }))
  },
})

/**
 * Bundles test files, which are paths from `root`, into a new directory where the packages are still found.
 * Returns the directory, which the caller removes, and what is to be run, a process each.
 */
export async function bundle(root, files) {
  const cache = path.join(root, 'node_modules', '.cache', 'gopi-tests')
  mkdirSync(cache, { recursive: true })
  const directory = mkdtempSync(path.join(cache, 'bundle-'))
  const processes = inProcesses(files)
  const entries = [...processes].map(([name, [first, ...others]]) => [
    name,
    others.length === 0 ? first : `several:${name}`,
  ])
  await build({
    ...{ absWorkingDir: root, entryPoints: Object.fromEntries(entries), outdir: directory },
    ...{ bundle: true, splitting: true, packages: 'external', sourcemap: true, sourcesContent: false },
    ...{ format: 'esm', platform: 'node', target: 'node20', outExtension: { '.js': '.mjs' } },
    ...{ loader: { '.md': 'text' }, plugins: [places, several(root, processes)], logLevel: 'warning' },
  })
  return { directory, files: [...processes.keys()].map(name => path.join(directory, `${name}.mjs`)) }
}
