// Lets the tests import TypeScript, and prompts/*.md as text. They are a hundred processes: tsx, which looks for more than
// is ever here (paths, extensions, CommonJS), takes half a second of each.
import { register } from 'node:module'

process.setSourceMapsEnabled(true)
register('./typescript-hooks.mjs', import.meta.url)
