// Lets the tests import prompts/*.md as text, as the bundler does for the program.
import { register } from 'node:module'

register(
  `data:text/javascript,${encodeURIComponent(`
    import { readFile } from 'node:fs/promises'
    export async function load(url, context, next) {
      if (!url.endsWith('.md')) return next(url, context)
      const text = await readFile(new URL(url), 'utf8')
      return { format: 'module', shortCircuit: true, source: 'export default ' + JSON.stringify(text) }
    }
  `)}`,
)
