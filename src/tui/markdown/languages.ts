/** The languages whose code gets colours, by the names that follow a fence. */
import type { HLJSApi, LanguageFn } from 'highlight.js'

/** Each is loaded by itself, when its first code comes. */
const LANGUAGES = {
  bash: () => import('highlight.js/lib/languages/bash'),
  c: () => import('highlight.js/lib/languages/c'),
  cpp: () => import('highlight.js/lib/languages/cpp'),
  csharp: () => import('highlight.js/lib/languages/csharp'),
  css: () => import('highlight.js/lib/languages/css'),
  diff: () => import('highlight.js/lib/languages/diff'),
  dockerfile: () => import('highlight.js/lib/languages/dockerfile'),
  go: () => import('highlight.js/lib/languages/go'),
  ini: () => import('highlight.js/lib/languages/ini'),
  java: () => import('highlight.js/lib/languages/java'),
  javascript: () => import('highlight.js/lib/languages/javascript'),
  json: () => import('highlight.js/lib/languages/json'),
  kotlin: () => import('highlight.js/lib/languages/kotlin'),
  lua: () => import('highlight.js/lib/languages/lua'),
  makefile: () => import('highlight.js/lib/languages/makefile'),
  markdown: () => import('highlight.js/lib/languages/markdown'),
  php: () => import('highlight.js/lib/languages/php'),
  python: () => import('highlight.js/lib/languages/python'),
  ruby: () => import('highlight.js/lib/languages/ruby'),
  rust: () => import('highlight.js/lib/languages/rust'),
  sql: () => import('highlight.js/lib/languages/sql'),
  swift: () => import('highlight.js/lib/languages/swift'),
  typescript: () => import('highlight.js/lib/languages/typescript'),
  xml: () => import('highlight.js/lib/languages/xml'),
  yaml: () => import('highlight.js/lib/languages/yaml'),
} satisfies Record<string, () => Promise<{ default: LanguageFn }>>

export type Language = keyof typeof LANGUAGES

const ALIASES: Readonly<Record<string, Language>> = {
  ...{ sh: 'bash', shell: 'bash', zsh: 'bash', console: 'bash' },
  ...{ h: 'c', 'c++': 'cpp', cc: 'cpp', cxx: 'cpp', hpp: 'cpp', cs: 'csharp', 'c#': 'csharp' },
  ...{ patch: 'diff', docker: 'dockerfile', golang: 'go', toml: 'ini', conf: 'ini' },
  ...{ js: 'javascript', jsx: 'javascript', mjs: 'javascript', cjs: 'javascript' },
  ...{ json5: 'json', jsonc: 'json', jsonl: 'json', kt: 'kotlin', kts: 'kotlin' },
  ...{
    make: 'makefile',
    mk: 'makefile',
    md: 'markdown',
    py: 'python',
    python3: 'python',
    rb: 'ruby',
    rs: 'rust',
  },
  ...{ ts: 'typescript', tsx: 'typescript', mts: 'typescript', cts: 'typescript' },
  ...{ html: 'xml', svg: 'xml', vue: 'xml', yml: 'yaml' },
}

/** Undefined for a language that is not known. */
export function languageOf(name: string): Language | undefined {
  if (Object.hasOwn(LANGUAGES, name)) return name as Language
  return Object.hasOwn(ALIASES, name) ? ALIASES[name] : undefined
}

export async function loadLanguage(hljs: HLJSApi, language: Language): Promise<void> {
  if (hljs.getLanguage(language)) return
  hljs.registerLanguage(language, (await LANGUAGES[language]()).default)
}
