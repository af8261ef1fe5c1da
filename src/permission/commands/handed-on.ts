/** What a program is told, among its own words, to run: `find -exec`, `fd -x`, `git rebase --exec`, aliases. */
import type { ShellWord } from '../shell/line.ts'

interface HandedOn {
  words: ShellWord[][]
  lines: string[]
}

export const FIND_RUNS: ReadonlySet<string> = new Set(['-exec', '-execdir', '-ok', '-okdir'])
/** In a cluster of short options too. */
const isFdRun = (text: string): boolean => /^(-[a-zA-Z0-9]*[xX]|--exec(-batch)?(=.*)?)$/s.test(text)

export function handedOn(name: string, words: readonly ShellWord[]): HandedOn {
  switch (name) {
    case 'find':
      return { words: afterEach(words, value => FIND_RUNS.has(value)), lines: [] }
    case 'fd':
    case 'fdfind':
      return { words: afterEach(words, isFdRun), lines: [] }
    case 'git':
      return ofGit(words)
    case 'alias':
      return {
        words: [],
        lines: words.slice(1).flatMap(({ value }) => /^[^=]+=([\s\S]+)$/.exec(value ?? '')?.[1] ?? []),
      }
    default:
      return { words: [], lines: [] }
  }
}

/** What stands between the option and the `;` or `+` that ends it. */
function afterEach(words: readonly ShellWord[], isRun: (value: string) => boolean): ShellWord[][] {
  const found: ShellWord[][] = []
  for (const [n, { value }] of words.entries()) {
    if (value === undefined || !isRun(value)) continue
    const end = words.findIndex((word, m) => m > n && /^[;+]$/.test(word.value ?? ''))
    const inner = words.slice(n + 1, end < 0 ? undefined : end).map(anyFile)
    const attached = /^--exec(?:-batch)?=([\s\S]+)$/.exec(value)?.[1]
    const all = attached === undefined ? inner : [{ text: attached, value: attached, glob: false }, ...inner]
    if (all.length > 0) found.push(all)
  }
  return found
}

/** `{}` stands for any file. */
const anyFile = (word: ShellWord): ShellWord =>
  word.value?.includes('{}') ? { ...word, value: undefined } : word

function ofGit(words: readonly ShellWord[]): HandedOn {
  const values = words.map(({ value }) => value)
  const command = words.findIndex(({ value }) => /^(rebase|bisect|submodule)$/.test(value ?? ''))
  if (command < 0) return { words: [], lines: [] }
  const after = (n: number) => words.slice(n).filter(({ value }) => !value?.startsWith('-') || n === 0)
  const run = words.findIndex(({ value }, n) => n > command && /^(run|foreach)$/.test(value ?? ''))
  if (values[command] === 'rebase') {
    const lines = values.flatMap((value, n) =>
      /^(-[a-zA-Z]*x|--exec)$/.test(value ?? '')
        ? (values[n + 1] ?? [])
        : (/^--exec=([\s\S]+)$/.exec(value ?? '')?.[1] ?? []),
    )
    return { words: [], lines }
  }
  if (run < 0) return { words: [], lines: [] }
  const rest = values[run] === 'foreach' ? after(run + 1) : words.slice(run + 1)
  const [only] = rest
  if (rest.length === 1 && only?.value !== undefined) return { words: [], lines: [only.value] }
  return { words: rest.length > 0 ? [[...rest]] : [], lines: [] }
}
