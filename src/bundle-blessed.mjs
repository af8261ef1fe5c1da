// For esbuild: of neo-blessed, only what src/tui/window/canvas.ts uses. The rest would cost milliseconds of every start
// (terminfo, key and colour tables, the other thirty widgets), or could not be bundled (files read at run time,
// `blessed/lib/colors`, which 0.2.0 asks for by a name that does not exist).
import path from 'node:path'

/** What stands in for a module that is loaded but never asked for anything that matters here. */
const standIns = {
  // Program and Screen listen to no stream, and what is written is made by src/tui/window/painter.ts.
  './tput': 'module.exports = function Tput() {}',
  './keys': 'exports.emitKeypressEvents = () => {}',
  './gpmclient': 'module.exports = () => {}',
  // Screen's window for debugging.
  './log': 'module.exports = function Log() {}',
  // Cells hold numbers that only src/tui/window/palette.ts understands.
  colors:
    'exports.convert = () => 0; exports.reduce = colour => colour; exports.blend = attribute => attribute',
  // Elements have no content of their own, so there is no text to measure.
  unicode:
    'const none = /$^/g; exports.chars = { all: none, combining: none, surrogate: none }; exports.combining = {}',
  // 2 ms for one check.
  assert: 'exports.ok = fact => { if (!fact) throw new Error("neo-blessed: an element has no place") }',
}

const isBlessed = file => /[\\/]neo-blessed[\\/]lib[\\/]/.test(file)

/** `../colors`, `./colors` and `blessed/lib/colors` are one. */
const nameOf = asked => (/(^|\/)(colors|unicode)$/.test(asked) ? path.posix.basename(asked) : asked)

export const bundleBlessed = {
  name: 'neo-blessed',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /./ }, ({ path: asked, importer }) => {
      if (!isBlessed(importer)) return undefined
      const name = nameOf(asked)
      if (name in standIns) return { path: name, namespace: 'neo-blessed' }
      // With its prefix it is one of those that src/cli/loader.ts loads late.
      return asked === 'child_process' ? { path: 'node:child_process', external: true } : undefined
    })
    onLoad({ filter: /./, namespace: 'neo-blessed' }, ({ path: name }) => ({ contents: standIns[name] }))
  },
}
