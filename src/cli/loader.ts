/**
 * Loads the chunks of the bundle. Those that a conversation needs from its beginning are one script, `start.cjs`: an
 * object of functions by chunk. It is read once and compiled once, from the code that V8 made of it at an earlier start
 * if there is any. Other chunks are files, read when they are first asked for.
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import vm from 'node:vm'

type Exports = Record<string, unknown>
type Load = (id: string) => unknown
type Chunk = (
  exports: Exports,
  load: Load,
  module: { exports: Exports },
  file: string,
  directory: string,
) => void

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

/** `cachedData`: what `createCachedData` of the same script gave in the same version of Node. */
export function loadScript(file: string, cachedData: Buffer | undefined): { script: vm.Script; load: Load } {
  const directory = path.dirname(file)
  // The script is ASCII; read as Latin 1 its text takes one byte a character, and no decoder looks at it.
  const script = new vm.Script(readFileSync(file, 'latin1'), { filename: file, cachedData })
  const chunks = script.runInThisContext() as Record<string, Chunk>
  const modules = new Map<string, { exports: Exports }>()

  function load(id: string): unknown {
    if (!id.startsWith('./')) return late.has(id) ? loadLate(id) : require(id)
    const known = modules.get(id)
    if (known) return known.exports
    const module = { exports: {} }
    modules.set(id, module)
    const name = path.join(directory, id)
    const chunk = chunks[id] ?? compile(name)
    chunk(module.exports, load, module, name, directory)
    return module.exports
  }

  return { script, load }
}

function compile(filename: string): Chunk {
  const names = ['exports', 'require', 'module', '__filename', '__dirname']
  return vm.compileFunction(readFileSync(filename, 'utf8'), names, { filename }) as Chunk
}

/**
 * What a bundled `import { spawn } from 'node:child_process'` gets: `spawn` is looked up when it is called. An import of
 * the whole (`import os from 'node:os'`) copies all names, which loads the module at once.
 */
function loadLate(id: string): unknown {
  const real = () => require(id) as object
  return new Proxy(
    {},
    {
      get: (_, name) => Reflect.get(real(), name),
      ownKeys: () => Reflect.ownKeys(real()),
      // A property that the proxy's target does not have must not be called fixed.
      getOwnPropertyDescriptor: (_, name) => ({
        ...Reflect.getOwnPropertyDescriptor(real(), name),
        configurable: true,
      }),
    },
  )
}
