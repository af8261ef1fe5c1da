/**
 * Loads the chunks of the bundle. Those that a start needs are put together in scripts, a function each:
 * `print.cjs` for a single answer and the line mode, `screen.cjs` for the first frame and `talk.cjs` for what the screen
 * needs next. A script is read once and compiled once, from the code that V8 made of it at an earlier start if there is
 * any. Other chunks are files, read when they are first asked for.
 */
import path from 'node:path'
import vm from 'node:vm'
import { readBundled } from './bundle-file.ts'
import type { CodeCache } from './code-cache.ts'

type Exports = Record<string, unknown>
type Load = (id: string) => unknown
/** Gives what a chunk exports. */
type Chunk = () => Exports

/**
 * Parts of Node that cost milliseconds to load and that the first request does not need, though modules on the way
 * to it import them: they are loaded when something of them is first used.
 */
const late = new Set(
  [
    'child_process',
    'crypto',
    'fs/promises',
    'https',
    'os',
    'readline',
    'timers/promises',
    'worker_threads',
  ].map(name => `node:${name}`),
)

type Script = (
  load: Load,
  directory: string,
) => {
  chunks: Record<string, Chunk>
  /** Chunks that stand in another script, by its name. */
  others: Record<string, string[]>
}

export interface Loader {
  load: Load
  /** Keeps the code of what was loaded for the next start. */
  keep(): void
}

/** Begins with the script `first`. `cacheOf`: where the compiled code of a script is kept. */
export function openLoader(
  directory: string,
  { first, cacheOf }: { first: string; cacheOf(script: string): CodeCache },
): Loader {
  const chunks = new Map<string, Chunk>()
  const elsewhere = new Map<string, string>()
  const modules = new Map<string, Exports>()
  const kept: (() => void)[] = []

  function read(name: string): void {
    const file = path.join(directory, `${name}.cjs`)
    const cache = cacheOf(name)
    // The script is ASCII; read as Latin 1 its text takes one byte a character, and no decoder looks at it.
    const script = new vm.Script(readBundled(directory, `${name}.cjs`, 'latin1'), {
      filename: file,
      cachedData: cache.read(),
    })
    kept.push(() => cache.keep(script))
    const { chunks: found, others } = (script.runInThisContext() as Script)(load, directory)
    for (const [id, chunk] of Object.entries(found)) chunks.set(id, chunk)
    for (const [other, ids] of Object.entries(others)) for (const id of ids) elsewhere.set(id, other)
  }

  function chunkOf(id: string): Chunk | undefined {
    const script = chunks.has(id) ? undefined : elsewhere.get(id)
    if (script !== undefined) read(script)
    return chunks.get(id)
  }

  function load(id: string): unknown {
    if (!id.startsWith('./')) return late.has(id) ? loadLate(id) : require(id)
    const known = modules.get(id)
    if (known) return known
    // What could not be opened now may be later: only what is whole is kept.
    const made = (chunkOf(id) ?? compile(directory, id, load))()
    modules.set(id, made)
    return made
  }

  read(first)
  return {
    load,
    keep() {
      for (const keep of kept) keep()
    },
  }
}

/** A chunk that stands in a file of its own. */
function compile(directory: string, id: string, load: Load): Chunk {
  const names = ['exports', 'require', 'module', '__filename', '__dirname']
  const filename = path.join(directory, id)
  const run = vm.compileFunction(readBundled(directory, id, 'utf8'), names, { filename })
  return () => {
    const module = { exports: {} }
    run(module.exports, load, module, filename, directory)
    return module.exports
  }
}

/** What a bundled `import { spawn } from 'node:child_process'` gets: `spawn` is looked up when it is called. */
const loadLate = (id: string): object =>
  new Proxy({}, { get: (_, name) => Reflect.get(require(id) as object, name) })
