/**
 * JavaScript by the parser that is there anyway: V8's, which compiles a script and runs nothing of it. Modules are made scripts
 * first, sign for sign, so that lines stay. What it cannot read at all (JSX, types) is told apart by comparing with before.
 */
import { Script } from 'node:vm'
import type { Span } from '../match.ts'
import type { Problem } from './scan.ts'

const declaration =
  /(^|[;}\n])([ \t]*)(import\s*(?:[\w$*{][^;'"`()]*?\sfrom\s*|\{[^;'"`()]*?\}\s*from\s*)?(['"])[^'"\n]*\4(?:\s*with\s*\{[^}]*\})?|export\s*(?:\*[^;'"`()]*?from\s*(['"])[^'"\n]*\5|\{[^}]*\}(?:\s*from\s*(['"])[^'"\n]*\6)?)|export\s+default\b|export\b(?=\s+(?:const|let|var|function|class|async)\b)|import\.meta\b)/g

/** `quoted`: strings and comments, in which nothing is declared. */
export function javascriptProblem(text: string, quoted: readonly Span[]): Problem | undefined {
  const script = asScript(text, quoted)
  try {
    new Script(`async function module() {${script}\n}`, { filename: 'gopi-check.js' })
    return undefined
  } catch (error) {
    if (!(error instanceof SyntaxError)) return undefined
    const line = /gopi-check\.js:(\d+)/.exec(error.stack ?? '')?.[1]
    const last = text.split('\n').length
    return { line: Math.min(Number(line ?? 1), last), what: error.message }
  }
}

function asScript(text: string, quoted: readonly Span[]): string {
  const blank = (part: string) => part.replace(/[^\n]/g, ' ')
  return text
    .replace(/^#!/, '//')
    .replace(declaration, (whole: string, before: string, indent: string, what: string, ...rest) => {
      const at = Number(rest.find(value => typeof value === 'number')) + before.length + indent.length
      if (isIn(quoted, at)) return whole
      if (what === 'import.meta') return `${before}${indent}importMeta_`.slice(0, whole.length)
      // `void` takes whatever may follow `export default`.
      return before + indent + (/^export\s+default$/.test(what) ? `void${blank(what.slice(4))}` : blank(what))
    })
    .replace(/\bimport\.meta\b/g, 'importMeta_')
}

export function isIn(spans: readonly Span[], position: number): boolean {
  let low = 0
  let high = spans.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (spans[middle]!.end <= position) low = middle + 1
    else high = middle
  }
  return low < spans.length && spans[low]!.start <= position
}
