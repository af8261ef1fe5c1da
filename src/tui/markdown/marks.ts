/**
 * What the Markdown renderer writes besides the text: styles, indents, tables, as control characters with our meaning.
 * They never leave this folder, and none can come from the model: every text passes the sanitiser before it is marked.
 */
import { BOLD, ITALIC, STRIKE, type Style, UNDERLINE } from '../line.ts'

export const MARK = {
  /** Is followed by one letter: what changes from here on. */
  style: '\x0e',
  styleEnd: '\x0f',
  /** first, `rest`, rest, `body`, body, `indentEnd`. */
  indent: '\x10',
  rest: '\x11',
  body: '\x12',
  indentEnd: '\x13',
  /** Lines as they are. */
  verbatim: '\x01',
  verbatimEnd: '\x02',
  /** Alignments, then rows, each after `row`, of cells, each after `cell`. */
  table: '\x14',
  row: '\x15',
  cell: '\x16',
  tableEnd: '\x17',
  rule: '\x18',
} as const

export interface Ink {
  style?: Style
  marks?: number
}

/** By their letters; the letters are in the marks, so their order does not matter. */
const INKS = {
  b: { marks: BOLD },
  i: { marks: ITALIC },
  s: { marks: STRIKE },
  p: { style: 'plain' },
  m: { style: 'muted' },
  h: { style: 'heading' },
  t: { style: 'heading', marks: UNDERLINE },
  c: { style: 'code' },
  q: { style: 'quote' },
  l: { style: 'link' },
  k: { style: 'keyword' },
  r: { style: 'string' },
  n: { style: 'number' },
  o: { style: 'comment' },
  f: { style: 'function' },
  y: { style: 'type' },
  a: { style: 'added' },
  d: { style: 'removed' },
} as const satisfies Record<string, Ink>

export type InkLetter = keyof typeof INKS

export const inkOf = (letter: string): Ink => (letter in INKS ? INKS[letter as InkLetter] : {})

export const inked = (letter: InkLetter, text: string): string =>
  `${MARK.style}${letter}${text}${MARK.styleEnd}`

export interface Indent {
  first: string
  /** Default: as many spaces. */
  rest?: string
}

export function indented(body: string, { first, rest = ' '.repeat(first.length) }: Indent): string {
  return `${MARK.indent}${first}${MARK.rest}${rest}${MARK.body}${body}${MARK.indentEnd}`
}

export const verbatim = (text: string): string => `${MARK.verbatim}${text}${MARK.verbatimEnd}`

export type Alignment = 'left' | 'right' | 'center'

/** `skip`: so many rows after the head are only for the columns. Else the head is drawn. */
export interface MarkedTable {
  alignments: readonly Alignment[]
  skip?: number
  /** The head first. */
  rows: readonly (readonly string[])[]
}

export function tabled({ alignments, skip, rows }: MarkedTable): string {
  const facts = `${alignments.map(alignment => alignment[0]).join('')}${skip ?? ''}`
  const body = rows.map(cells => MARK.row + cells.map(cell => MARK.cell + cell).join(''))
  return `${MARK.table}${facts}${body.join('')}${MARK.tableEnd}`
}
