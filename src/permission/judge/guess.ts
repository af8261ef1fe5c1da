/** What a word most likely becomes, where only running the line would tell: enough to be careful, never to allow. */
import type { ShellWord } from '../shell/line.ts'

const MOST = 32

/** Quotes dropped, `$HOME` filled in, braces spread; other expansions stay as they stand. */
export function likelyValues({ text, value }: ShellWord, home: string): string[] {
  if (value !== undefined) return [value]
  const bare = text
    .replaceAll(/\$\{?HOME\}?(?![\w[:])/g, home)
    .replaceAll(/\$\{?PWD\}?(?![\w[:])/g, '.')
    .replaceAll(/\$'|["'\\]/g, '')
  return spread(bare).map(one => (one.startsWith('~/') ? home + one.slice(1) : one))
}

function spread(text: string): string[] {
  const done: string[] = []
  const open = [text]
  for (let one = open.pop(); one !== undefined && done.length + open.length < MOST; one = open.pop()) {
    const [braces, inner = ''] = /\{([^{}]*,[^{}]*)\}/.exec(one) ?? []
    if (braces === undefined) done.push(one)
    else for (const choice of inner.split(',')) open.push(one.replace(braces, choice))
  }
  return done
}
