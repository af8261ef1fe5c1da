/**
 * Markdown to marked text, by marked and marked-terminal. What marked-terminal does not do for a screen of any width is
 * replaced: lists (numbers, inline formatting, what hangs under an item), quotes, code, tables, links.
 */
import { Marked, type Parser, type Tokens, type TokensList } from 'marked'
import { markedTerminal } from 'marked-terminal'
import { sanitize } from '../../text/sanitize.ts'
import type { Block, CodeBlock } from './block.ts'
import { type Alignment, indented, inked, MARK, tabled, verbatim } from './marks.ts'

/** A block as marked text. `paint` gives code its colours, as marks, or leaves it as it is. */
export type Render = (block: Block, options: { paint: Paint }) => string

export type Paint = (code: Pick<CodeBlock, 'language' | 'text' | 'before'>) => string

const options = {
  html: (text: string) => inked('m', text),
  heading: (text: string) => inked('h', text),
  firstHeading: (text: string) => inked('t', text),
  hr: () => MARK.rule,
  paragraph: (text: string) => text,
  strong: (text: string) => inked('b', text),
  em: (text: string) => inked('i', text),
  del: (text: string) => inked('s', text),
  image: (href: string, _title: string | null, text: string) => withAddress(text, href),
  showSectionPrefix: false,
  // Entities are decoded once, where the result is sanitised.
  unescape: false,
  emoji: false,
  reflowText: false,
}

interface TableToken extends Tokens.Table {
  skip?: number
}

export function createRender(): Render {
  let paint: Paint = ({ text }) => text
  const marked = new Marked(markedTerminal(options), {
    renderer: {
      text(token) {
        return 'tokens' in token && token.tokens
          ? this.parser.parseInline(token.tokens)
          : safe(decoded(token.text))
      },
      codespan: ({ text }) => inked('c', safe(text)),
      html({ text, block }) {
        if (block) return `${inked('m', safe(text).trimEnd())}\n\n`
        return /^<br\s*\/?>$/i.test(text) ? '\n' : false
      },
      link({ href, text, tokens }) {
        const address = safe(decoded(href)).replaceAll(/\s/g, '')
        return isAddress(text, href)
          ? inked('l', address)
          : withAddress(this.parser.parseInline(tokens), address)
      },
      code({ lang = '', text }) {
        const language = (/^\S*/.exec(lang)?.[0] ?? '').slice(0, 40).toLowerCase()
        // Where code ends in blank lines, marked counts one too many.
        return `${coded({ language, text: text.replace(/\n$/, '') }, paint)}\n\n`
      },
      blockquote({ tokens }) {
        const first = inked('m', '│ ')
        const body = this.parser.parse(tokens).replace(/\n+$/, '')
        return `${indented(inked('q', body), { first, rest: first })}\n\n`
      },
      list({ items, ordered, start }) {
        const lines = items.map((item, index) => {
          const first = ordered ? `${Number(start) + index}. ` : '• '
          return indented(itemBody(item, this.parser), {
            first: inked('m', first),
            rest: ' '.repeat(first.length),
          })
        })
        return `${lines.join('\n')}\n\n`
      },
      table(token) {
        const { align, header, rows, skip } = token as TableToken
        const alignments = align.map((alignment): Alignment => alignment ?? 'left')
        const cells = [header, ...rows].map(row => row.map(({ tokens }) => this.parser.parseInline(tokens)))
        return `${tabled({ alignments, rows: cells, ...(skip !== undefined && { skip }) })}\n\n`
      },
    },
  })
  return (block, given) => {
    paint = given.paint
    return block.type === 'code' ? coded(block, paint) : marked.parser(tokensOf(block, marked))
  }
}

/** Of a part of a list or a table: what it is given by the parts before it. */
function tokensOf(block: Exclude<Block, CodeBlock>, marked: Marked): TokensList {
  const source = sanitize(block.source)
  if (block.type === 'rows') {
    const head = sanitize(block.head).trimEnd()
    const tokens = marked.lexer(`${head}\n${source}`)
    const [table] = tokens
    if (table?.type === 'table') {
      Object.assign(table, { skip: head.split('\n').length - 2 })
      return tokens
    }
  }
  const tokens = marked.lexer(source)
  const [list] = tokens
  if (block.type === 'items' && list?.type === 'list') Object.assign(list, { start: block.start })
  return tokens
}

/** No blank lines between the parts of an item, however it was written. */
function itemBody({ tokens }: Tokens.ListItem, parser: Parser): string {
  const parts: string[] = []
  let before = ''
  for (const token of tokens) {
    const text = before + parser.parse([token]).replace(/\n+$/, '')
    before = token.type === 'checkbox' ? text : ''
    if (token.type !== 'checkbox' && token.type !== 'space') parts.push(text)
  }
  return before + parts.join('\n')
}

/** Without a margin: whoever selects code on the screen gets nothing else. */
const coded = (code: Parameters<Paint>[0], paint: Paint): string =>
  verbatim(paint({ ...code, text: safe(code.text) }))

/** The text of a link says all of its address. */
const isAddress = (text: string, href: string): boolean =>
  ['', 'mailto:', 'http://', 'https://'].some(scheme => scheme + text === href)

function withAddress(label: string, address: string): string {
  if (address === '') return label
  return `${inked('l', label)}${inked('m', ` (${address})`)}`
}

const ENTITIES = new Map([
  ...Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }),
  ...Object.entries({ mdash: '—', ndash: '–', hellip: '…', rarr: '→', larr: '←', times: '×', copy: '©' }),
])

/** marked itself decodes those with a number. */
function decoded(text: string): string {
  if (!text.includes('&')) return text
  return text.replaceAll(/&(\w+);/g, (entity, name: string) => ENTITIES.get(name) ?? entity)
}

/** marked and we decode what the sanitiser has not seen. */
const safe = sanitize
