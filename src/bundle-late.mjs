// What no first request needs, put off until the server reads it: every start would pay for loading it. The sources
// import these modules like any other; in the bundle such an import gets functions that load the module when one of
// them is first called. Chunks are loaded synchronously, so nobody notices.

import path from 'node:path'

/** Nothing in them runs before the first request of `gopi -p`; each exports functions, classes or plain objects. */
const late = [
  'agent/attempt',
  'agent/permit',
  'agent/promise',
  'agent/words',
  'backends/http/failures',
  'cli/debug-log',
  'context/compaction',
  'dialect/json/reader',
  'dialect/matching',
  'dialect/react/reader',
  'dialect/rescue/candidate',
  'dialect/rescue/overlooked',
  'kit/commands/obey',
  'session/result',
  'session/strays',
  'shell/bash',
  'shell/output',
  'text/diff',
  'text/secrets',
  'words/sayings/en',
].map(name => `src/${name}.ts`)

const chunkOf = file => file.slice('src/'.length, -'.ts'.length).replaceAll('/', '-')

/** Entry points of the bundle, by the names of their chunks. */
export const lateEntries = Object.fromEntries(late.map(file => [chunkOf(file), file]))

/** `exportsOf`: resolves to what a source file exports, by name. */
export const lateModules = (root, exportsOf) => ({
  name: 'late-modules',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\.ts$/ }, ({ path: wanted, resolveDir, kind }) => {
      const file = path.relative(root, path.resolve(resolveDir, wanted)).replaceAll(path.sep, '/')
      if (kind !== 'import-statement' || !late.includes(file)) return undefined
      return { path: file, namespace: 'late' }
    })
    onLoad({ filter: /./, namespace: 'late' }, async ({ path: file }) => {
      const made = Object.entries(await exportsOf(file)).map(([name, value]) => {
        const isFunction = typeof value === 'function'
        if (!isFunction && (typeof value !== 'object' || value === null))
          throw new Error(`${file}: ${name} is neither a function nor an object`)
        const isPlain = isFunction && !/^class\b/.test(String(value))
        return `export const ${name} = ${isPlain ? `(...given) => load().${name}(...given)` : `later('${name}')`}`
      })
      return { contents: [opening(chunkOf(file)), ...made].join('\n'), loader: 'js', resolveDir: root }
    })
    onResolve({ filter: /^\.\/late-chunk\// }, ({ path: to }) => ({
      path: to.replace('late-chunk/', ''),
      external: true,
    }))
    // Together in the time that the server takes to read the first prompt.
    onLoad({ filter: /assembly[\\/]rest\.ts$/ }, () => ({
      contents: `
        export function loadRest() {
          // What fails is tried again by who needs it, and told.
          ${[...Object.keys(lateEntries), 'tools']
            .map(chunk => `try { require('./late-chunk/${chunk}.cjs') } catch {}`)
            .join('\n')}
        }`,
      loader: 'js',
    }))
  },
})

/** What is off by default. */
export const everyTool = { todo: true, git: true, fetch: true }

/**
 * Everybody but the chunk of the tools themselves gets tools whose code is loaded from there when it is needed. `facts`: what
 * is known of each without it.
 */
export const lateTools = (root, facts) => ({
  name: 'late-tools',
  setup({ onResolve, onLoad }) {
    const list = path.join(root, 'src/tools/list.ts')
    onResolve({ filter: /tools\/list\.ts$/ }, ({ kind }) =>
      kind === 'entry-point' ? { path: list } : { path: list, namespace: 'late-tools' },
    )
    onLoad({ filter: /./, namespace: 'late-tools' }, () => ({
      contents: `
        import { lateTool } from './src/tools/late.ts'
        const facts = ${JSON.stringify(facts)}
        let tools
        const load = () => (tools ??= require('./tools.cjs').builtinTools(${JSON.stringify(everyTool)}))
        export function builtinTools(on = {}) {
          const all = facts.map((fact, n) => lateTool(fact, () => load()[n]))
          return all.filter(({ name }) => on[name] || !(name in ${JSON.stringify(everyTool)}))
        }`,
      loader: 'js',
      resolveDir: root,
    }))
    onResolve({ filter: /^\.\/tools\.cjs$/ }, () => ({ path: './tools.cjs', external: true }))
  },
})

/** A class, or an object that others look things up in: whatever is done with it is done with the real one. */
const opening = chunk => `
  let loaded
  const load = () => (loaded ??= require('./late-chunk/${chunk}.cjs'))
  const later = name => {
    const real = () => load()[name]
    return new Proxy(function () {}.bind(), {
      get: (_, key) => Reflect.get(real(), key),
      has: (_, key) => Reflect.has(real(), key),
      ownKeys: () => Reflect.ownKeys(real()),
      getOwnPropertyDescriptor: (_, key) => Reflect.getOwnPropertyDescriptor(real(), key),
      construct: (_, given) => Reflect.construct(real(), given),
    })
  }`
