/** What a line of Markdown is by itself: enough of CommonMark and GFM to tell where a block certainly ends. */

export const isBlank = (line: string): boolean => line.trim() === ''

/** Columns of spaces at its start. */
export function indentation(line: string): number {
  let columns = 0
  for (const character of line) {
    if (character === ' ') columns++
    else if (character === '\t') columns += 4 - (columns % 4)
    else break
  }
  return columns
}

export interface Fence {
  mark: '`' | '~'
  length: number
  indent: number
  language: string
}

/** The line opens a block of code. */
export function fenceOf(line: string): Fence | undefined {
  const found = /^( {0,3})(`{3,}(?=[^`]*$)|~{3,})[ \t]*(\S*)/.exec(line)
  if (!found) return undefined
  const [, blanks = '', marks = '', language = ''] = found
  return {
    mark: marks.startsWith('`') ? '`' : '~',
    length: marks.length,
    indent: blanks.length,
    language: language.slice(0, 40).toLowerCase(),
  }
}

export function closesFence(line: string, { mark, length }: Pick<Fence, 'mark' | 'length'>): boolean {
  const marks = line.trim()
  return marks.length >= length && marks === mark.repeat(marks.length)
}

export const isHeading = (line: string): boolean => /^ {0,3}#{1,6}(?:[ \t]|$)/.test(line)

export const isRule = (line: string): boolean => /^ {0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}$/.test(line)

export const isQuote = (line: string): boolean => /^ {0,3}>/.test(line)

export const isIndentedCode = (line: string): boolean => indentation(line) >= 4 && !isBlank(line)

export interface Item {
  /** What all items of one list have in common: `-`, `*`, `+`, `.`, `)`. */
  bullet: string
  /** 0 in lists without numbers. */
  number: number
  indent: number
  /** Columns up to its text: what is indented as far belongs to it. */
  content: number
  text: string
}

/** The line is an item of a list, however deep. */
export function itemOf(line: string): Item | undefined {
  const found = /^([ \t]*)([-+*]|\d{1,9}[.)])(?:([ \t]+)(.*))?$/.exec(line)
  if (!found || isRule(line)) return undefined
  const [, , sign = '', blanks = ' ', text = ''] = found
  const indent = indentation(line)
  const gap = blanks.length > 4 || text === '' ? 1 : blanks.length
  const number = Number.parseInt(sign, 10)
  return {
    bullet: sign.slice(-1),
    number: Number.isNaN(number) ? 0 : number,
    indent,
    content: indent + sign.length + gap,
    text,
  }
}

/** A paragraph does not go on in such a line. A line of `-` makes it a heading. */
export function interruptsParagraph(line: string): boolean {
  if (fenceOf(line) || isHeading(line) || isQuote(line)) return true
  if (isRule(line)) return !/^ {0,3}-+[ \t]*$/.test(line)
  const item = itemOf(line)
  return item !== undefined && item.indent < 4 && item.text !== '' && item.number <= 1
}

/** The line under the head of a table. */
export function isDelimiter(line: string): boolean {
  return line.includes('|') && /^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/.test(line)
}

export function columnCount(row: string): number {
  const inner = row
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '')
  return (inner.match(/(?<!\\)\|/g)?.length ?? 0) + 1
}

/** What the HTML that begins in this line ends with, where a blank line does not end it. */
export function htmlEnd(line: string): string | undefined {
  if (/^ {0,3}<!--/.test(line)) return '-->'
  const name = /^ {0,3}<(pre|script|style|textarea)\b/i.exec(line)?.[1]
  return name && `</${name.toLowerCase()}>`
}

export const isHtml = (line: string): boolean => /^ {0,3}<(?:[a-z/!?])/i.test(line)
