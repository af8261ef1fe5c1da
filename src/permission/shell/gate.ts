/**
 * What is judged on top of the parser's tree, because parsers differ from bash where it hurts: text that is no token,
 * and openers of substitutions that are no node. Each check fails closed: what it does not know is a doubt.
 */
import type { Said } from '../../protocol/sayings.ts'
import { said } from '../../words/sayings/said.ts'

/** Longer lines ask (characters). */
const LONGEST_LINE = 32_768

const KEYWORDS = 'if|then|elif|else|fi|for|while|until|do|done|case|in|esac|select|function|time'
const NEXT = new RegExp(
  `[ \\t\\n;&|(){}!\\0]|\\\\\\n|(?<![^\\s;&|(){}!])(?:${KEYWORDS})(?![^\\s;&|(){}!])`,
  'y',
)

/** Why the text as such is not read; undefined: it may be parsed. */
export function unreadable(text: string): Said | undefined {
  if (text.length > LONGEST_LINE) return said('permission.too_long', { kilobytes: LONGEST_LINE / 1024 })
  const control = /[\x00-\x08\x0b-\x1f\x7f]/.exec(text)?.[0]
  if (control !== undefined) return said('permission.holds_control', { character: shown(control) })
  const hidden = /[\x80-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/u.exec(
    text,
  )?.[0]
  if (hidden !== undefined) return said('permission.holds_invisible', { character: shown(hidden) })
  // To bash nothing stands between the two.
  if (/\$\\\n|\d(?:\\\n)+[<>]/.test(text)) return said('permission.broken_line', {})
  return /[\ud800-\udfff]/u.test(text) ? said('permission.not_unicode', {}) : undefined
}

const shown = (character: string) =>
  `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`

/** Which parts of a text the tree accounts for. Parents are marked before their children. */
export class Coverage {
  readonly #text: string
  /** Characters that belong to a token. */
  readonly #tokens: Uint8Array
  /** Characters that no substitution can begin at: 1 nothing at all, 2 no process substitution. */
  readonly #quiet: Uint8Array
  readonly #starts = new Set<number>()

  constructor(text: string) {
    this.#text = text
    this.#tokens = new Uint8Array(text.length)
    this.#quiet = new Uint8Array(text.length)
  }

  token({ pos, end }: Span): void {
    this.#tokens.fill(1, pos, end)
  }

  /** A script inside a token is looked at by itself. */
  script({ pos, end }: Span): void {
    this.#tokens.fill(0, pos, end)
    this.#quiet.fill(0, pos, end)
  }

  opener({ pos }: Span): void {
    this.#starts.add(pos)
  }

  quiet({ pos, end }: Span, level: 1 | 2): void {
    this.#quiet.fill(level, pos, end)
  }

  /** What the tree does not account for. */
  doubt(): Said | undefined {
    const { trouble, comments } = this.#uncovered()
    if (trouble !== undefined) return trouble
    for (const span of comments) this.quiet(span, 1)
    for (const { index, 0: opener } of this.#text.matchAll(/`|\$[({[]|[<>]\(/g)) {
      const quiet = this.#quiet[index] ?? 0
      if (this.#starts.has(index) || quiet === 1 || (quiet === 2 && /^[<>]/.test(opener))) continue
      if (!isEscaped(this.#text, index))
        return said('permission.what_means', { what: JSON.stringify(opener) })
    }
    return undefined
  }

  #uncovered(): { trouble?: Said; comments: Span[] } {
    const comments: Span[] = []
    const left = [...this.#text.split('')].map((c, n) => (this.#tokens[n] ? '\0' : c)).join('')
    for (let at = 0; at < left.length; ) {
      if (left[at] === '#' && (at === 0 || /[ \t\n;&|(]/.test(this.#text[at - 1] ?? ''))) {
        const newline = this.#text.indexOf('\n', at)
        const end = newline < 0 ? left.length : newline
        if (left.slice(at, end).includes('\0'))
          return { trouble: said('permission.where_comment', {}), comments }
        comments.push({ pos: at, end })
        at = end
        continue
      }
      NEXT.lastIndex = at
      const [token] = NEXT.exec(left) ?? []
      if (token === undefined) {
        const what = JSON.stringify(left.slice(at, at + 12).replaceAll('\0', '…'))
        const trouble = said('permission.what_means', { what })
        return { trouble, comments }
      }
      at += token.length
    }
    return { comments }
  }
}

export interface Span {
  pos: number
  end: number
}

function isEscaped(text: string, index: number): boolean {
  let slashes = 0
  while (text[index - 1 - slashes] === '\\') slashes++
  return slashes % 2 === 1
}
