/** What a word is before bash has run: only a fully static one has a value. */
import type { Word, WordPart } from 'unbash'
import type { ShellWord } from './line.ts'

const EXPANDS: ReadonlySet<WordPart['type']> = new Set([
  'SimpleExpansion',
  'ParameterExpansion',
  'CommandExpansion',
  'ArithmeticExpansion',
  'ProcessSubstitution',
  'ExtendedGlob',
  'BraceExpansion',
  'LocaleString',
] as const)

/** The usual way to write a message of many lines: one word, which holds what stands between the delimiters. */
const DOCUMENT = /^"\$\(cat <<-?'(\w+)'\n((?:(?!\s*\1)[^\n]*\n)*)\s*\1\n\s*\)"$/

export const isDocument = (text: string): boolean => DOCUMENT.test(text)

/** `home`: what `~` stands for. */
export function readWord({ text, value, parts }: Word, home: string): ShellWord {
  const document = DOCUMENT.exec(text)?.[2]
  if (document !== undefined) {
    const lines = text.includes('<<-') ? document.replaceAll(/^\t+/gm, '') : document
    return { text, value: lines.replace(/\n+$/, ''), glob: false }
  }
  // bash hands over the name of a pipe; what runs behind it is judged by itself.
  if (parts?.length === 1 && parts[0]?.type === 'ProcessSubstitution' && parts[0].operator === '<')
    return { text, value: '/dev/fd/63', glob: false }
  const bare = unquoted(text, parts)
  const isStatic = !parts?.some(expands) && !mayBrace(text, bare) && !/[=:]~/.test(bare)
  if (!isStatic) return { text, value: undefined, glob: false }
  const glob = /[*?]|\[.*\]/s.test(bare)
  if (!bare.startsWith('~')) return { text, value, glob }
  const isHome = value === '~' || value.startsWith('~/')
  return isHome && (bare === '~' || bare.startsWith('~/'))
    ? { text, value: home + value.slice(1), glob }
    : { text, value: undefined, glob }
}

function expands(part: WordPart): boolean {
  return (
    EXPANDS.has(part.type) ||
    (part.type === 'DoubleQuoted' && part.parts.some(({ type }) => type !== 'Literal'))
  )
}

/** The characters that no quote and no backslash protects; quoted parts leave a blank. */
export function unquoted(text: string, parts: readonly WordPart[] | undefined): string {
  const bare = parts === undefined ? text : parts.map(bareText).join('')
  return bare.replace(/\\[\s\S]/g, ' ')
}

const bareText = (part: WordPart): string =>
  part.type === 'Literal' || part.type === 'Glob' ? part.text : ' '

/** bash expands braces around quotes too: `{a,'b'}`. */
function mayBrace(text: string, bare: string): boolean {
  return bare.includes('{') && /\{[\s\S]*(,|\.\.)[\s\S]*\}/.test(text)
}
