// The scripts of src/cli/loader.ts: what each kind of start loads from its beginning, as one piece of code. A start that
// had to put a hundred chunks together, each with its own imports and exports, would spend longer on that than on
// anything that they do.

import path from 'node:path'
import { lateEntries } from './bundle-late.mjs'

const everyStart = ['src/cli/main.ts', 'src/cli/run.ts', 'src/words/en.ts']
const everySession = [
  'src/cli/begin.ts',
  'src/backends/ollama/ollama.ts',
  'node_modules/ollama/dist/browser.mjs',
]

/** `before`: scripts of which one has been loaded by then. */
const scripts = {
  print: {
    entries: [
      ...everyStart,
      ...everySession,
      'src/cli/stdin.ts',
      'src/print/print.ts',
      'src/cli/plain-talk.ts',
      'src/plain/plain.ts',
    ],
    before: [],
  },
  screen: { entries: [...everyStart, 'src/cli/screen.ts'], before: [] },
  talk: { entries: [...everySession, 'src/cli/screen-sessions.ts'], before: ['screen'] },
  rest: { entries: [...Object.values(lateEntries), 'src/tools/list.ts'], before: ['print', 'talk'] },
}

/**
 * The scripts as files, name and text, made of the chunks of a bundle: `texts` are these by name, as ES modules.
 * Everything is in ASCII: what esbuild leaves outside of it stands in regular expressions, where an escape means the same.
 */
export async function bundleScripts(esbuild, texts, metafile) {
  const outputs = new Map(Object.entries(metafile.outputs).map(([file, it]) => [path.basename(file), it]))
  const chunksOf = scriptChunks(outputs)
  const files = []
  for (const [script, names] of chunksOf) {
    const code = await asOneScope(esbuild, texts, { names, offered: offeredBy(outputs, names) })
    const others = Object.entries(scripts)
      .filter(([, { before }]) => before.includes(script))
      .map(([name]) => [name, chunksOf.get(name).map(idOf)])
    const text = `(function(require,__dirname){var module={};${code}
return{chunks:module.exports.chunks,others:${JSON.stringify(Object.fromEntries(others))}}})\n`
    files.push([`${script}.cjs`, text.replaceAll(/\\?[^\x00-\x7f]/g, escaped)])
  }
  return files
}

const idOf = name => `./${name.replace(/\.js$/, '.cjs')}`

/** By script the names of its chunks: those of its entries, with everything that these import. */
function scriptChunks(outputs) {
  const isEntry = (entries, { entryPoint = '' }) => entries.some(file => entryPoint.endsWith(file))
  const visit = (found, name) => {
    if (found.has(name)) return
    found.add(name)
    for (const { path: to, kind, external } of outputs.get(name).imports)
      if (kind === 'import-statement' && !external) visit(found, path.basename(to))
  }
  const chunksOf = new Map()
  for (const [script, { entries, before }] of Object.entries(scripts)) {
    const found = new Set()
    for (const [name, output] of outputs) if (isEntry(entries, output)) visit(found, name)
    // No chunk may be there twice. Where only one of those before has it, the other reads its file.
    const isThere = name => before.some(other => chunksOf.get(other).includes(name) || isBefore(other, name))
    const isBefore = (other, name) => scripts[other].before.some(first => chunksOf.get(first).includes(name))
    chunksOf.set(
      script,
      [...found].filter(name => !isThere(name)),
    )
  }
  return chunksOf
}

/** Those chunks of a script that others import, or anybody by `import()`: name → what it exports. */
function offeredBy(outputs, names) {
  const inside = new Set(names)
  const offered = new Set(names.filter(name => outputs.get(name).entryPoint !== undefined))
  for (const [name, { imports }] of outputs) {
    for (const { path: to, kind } of imports) {
      const wanted = path.basename(to)
      if (inside.has(wanted) && (kind !== 'import-statement' || !inside.has(name))) offered.add(wanted)
    }
  }
  return [...offered].map(name => [name, outputs.get(name).exports])
}

/** One piece of code of many chunks, with an object `chunks` of functions that make what each offers. */
async function asOneScope(esbuild, texts, { names, offered }) {
  const inside = new Set(names)
  const imports = names.map((name, n) => {
    const exported = offered.find(([other]) => other === name)?.[1] ?? []
    return `import {${exported.map(key => `${key} as $${n}_${key}`).join(',')}} from ${JSON.stringify(`./${name}`)}`
  })
  const makers = offered.map(([name, exported]) => {
    const n = names.indexOf(name)
    const getters = exported.map(key => `get ${key}(){return $${n}_${key}}`)
    return `${JSON.stringify(idOf(name))}:()=>({__esModule:true,${getters.join(',')}})`
  })
  const { outputFiles } = await esbuild.build({
    stdin: { contents: `${imports.join('\n')}\nexport const chunks={${makers.join(',')}}`, resolveDir: '/' },
    ...{ bundle: true, write: false, minify: true, logLevel: 'warning' },
    ...{ format: 'cjs', platform: 'node', target: 'node20', supported: { 'dynamic-import': false } },
    plugins: [
      {
        name: 'chunks',
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /./ }, ({ path: wanted, kind }) => {
            const name = path.basename(wanted)
            if (!wanted.startsWith('./')) return { path: wanted, external: true }
            if (kind === 'import-statement' && inside.has(name)) return { path: name, namespace: 'chunk' }
            return { path: idOf(name), external: true }
          })
          onLoad({ filter: /./, namespace: 'chunk' }, ({ path: name }) => ({
            contents: texts.get(name),
            loader: 'js',
          }))
        },
      },
    ],
  })
  return outputFiles[0].text
}

const escaped = character =>
  `\\u${character
    .charCodeAt(character.length - 1)
    .toString(16)
    .padStart(4, '0')}`
