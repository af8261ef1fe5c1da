/** What a scanner must know of a language to tell code from strings and comments. */
import path from 'node:path'

export interface Language {
  name: 'json' | 'yaml' | 'toml' | 'javascript' | 'python' | 'other'
  lineComment: readonly string[]
  blockComment?: readonly [string, string]
  /** Quotes of strings that end with their line; */
  quotes: string
  /** of strings that go on over lines; the longer come first. */
  long: readonly string[]
  /** `'a` alone is a lifetime or a label. */
  quoteMayStandAlone?: boolean
  /** Regular expressions between slashes, and `${…}` in templates. */
  isScript?: boolean
  /** A backslash in a long string means itself. */
  longIsRaw?: boolean
  /** Text between tags may hold entities, and quotes that are none. */
  hasMarkup?: boolean
}

const c = { name: 'other', lineComment: ['//'], blockComment: ['/*', '*/'], quotes: '"\'', long: [] } as const
const script = { ...c, name: 'other', long: ['`'], isScript: true } as const
const triple = { ...c, long: ['"""'] } as const
const python: Language = { name: 'python', lineComment: ['#'], quotes: '"\'', long: ['"""', "'''"] }

const byExtension: Record<string, Language> = {
  json: { ...c, name: 'json', lineComment: [] },
  yaml: { name: 'yaml', lineComment: ['#'], quotes: '', long: [] },
  toml: { name: 'toml', lineComment: ['#'], quotes: '"\'', long: ['"""', "'''"] },
  js: { ...script, name: 'javascript' },
  ts: script,
  jsx: { ...script, hasMarkup: true },
  py: python,
  c,
  java: triple,
  rs: { ...c, long: ['"'], quotes: "'", quoteMayStandAlone: true },
  go: { ...c, long: ['`'], longIsRaw: true },
  cs: { ...c, long: ['"""', '@"'] },
  css: { ...c, lineComment: [] },
  scss: c,
  lua: { name: 'other', lineComment: ['--'], blockComment: ['--[[', ']]'], quotes: '"\'', long: [] },
}

const sameAs: Record<string, string> = {
  yml: 'yaml',
  ...all('js', 'mjs cjs'),
  ...all('ts', 'mts cts'),
  tsx: 'jsx',
  ...all('py', 'pyi pyw'),
  ...all('c', 'h cc cpp cxx hpp hh hxx m mm proto dart'),
  ...all('java', 'kt kts scala swift groovy gradle'),
  ...all('scss', 'less'),
}

function all(kind: string, extensions: string): Record<string, string> {
  return Object.fromEntries(extensions.split(' ').map(extension => [extension, kind]))
}

const extensionOf = (file: string): string => path.posix.extname(file).slice(1).toLowerCase()

/** undefined: nothing is known of it. */
export function languageOf(file: string): Language | undefined {
  const extension = extensionOf(file)
  return byExtension[sameAs[extension] ?? extension]
}

/** Whether a file is text for people, in which everything may be meant. */
export const isProse = (file: string): boolean =>
  /^(md|markdown|mdx|txt|text|rst|adoc|org|tex|log|csv|tsv|diff|patch|)$/.test(extensionOf(file)) &&
  !/^(makefile|dockerfile|gemfile|rakefile|jenkinsfile)$/i.test(path.posix.basename(file))

/** Whether entities belong to what is written in a file. */
export const hasEntities = (file: string): boolean =>
  /^(html?|xhtml|xml|svg|vue|svelte|astro|jsx|tsx|php|erb|ejs|hbs|njk|twig|jinja2?|j2|plist|xaml|resx)$/.test(
    extensionOf(file),
  )
