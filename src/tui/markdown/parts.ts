/** Marked text, read: what it consists of before anybody asks how wide the screen is. */
import { sanitize } from '../../text/sanitize.ts'
import type { Line, Span } from '../line.ts'
import { type Alignment, type Ink, inkOf, MARK } from './marks.ts'

export type Part =
  | { type: 'line'; line: Line }
  /** Between two paragraphs. */
  | { type: 'gap' }
  | { type: 'rule' }
  | { type: 'indent'; first: Line; rest: Line; parts: readonly Part[] }
  | { type: 'verbatim'; lines: readonly Line[] }
  | { type: 'table'; table: Table }

export interface Table {
  alignments: readonly Alignment[]
  /** Rows after the head that are only for the columns; the head is drawn where this is undefined. */
  skip: number | undefined
  /** Rows of cells of lines, the head first. */
  rows: readonly (readonly (readonly Line[])[])[]
}

interface Reader {
  tokens: readonly string[]
  at: number
  inks: Ink[]
}

export function partsOf(marked: string): readonly Part[] {
  const tokens = marked.split(/(\x0e[a-z]|[\x00-\x08\x0b-\x1f])/).filter(token => token !== '')
  return readParts({ tokens, at: 0, inks: [] }, '')
}

/** Up to `end`, or up to the end of the text. */
function readParts(reader: Reader, end: string): readonly Part[] {
  const parts: Part[] = []
  let line: Span[] = []
  let newlines = 0
  const add = (part: Part): void => {
    if (parts.length > 0 && newlines > 1) parts.push({ type: 'gap' })
    parts.push(part)
    newlines = 0
  }
  const endLine = (): void => {
    if (line.some(({ text }) => text.trim() !== '')) add({ type: 'line', line })
    line = []
  }
  for (let token = next(reader); token !== undefined && token !== end; token = next(reader)) {
    const block = readBlock(reader, token)
    if (block) {
      endLine()
      add(block)
    } else {
      for (const [index, text] of textsOf(reader, token).entries()) {
        if (index > 0) {
          endLine()
          newlines++
        }
        if (text !== '') line.push(spanOf(reader, text))
      }
    }
  }
  endLine()
  return parts
}

function readBlock(reader: Reader, token: string): Part | undefined {
  switch (token) {
    case MARK.rule:
      return { type: 'rule' }
    case MARK.verbatim:
      return { type: 'verbatim', lines: readLines(reader, [MARK.verbatimEnd]) }
    case MARK.indent: {
      const [first = []] = readLines(reader, [MARK.rest])
      const [rest = []] = readLines(reader, [MARK.body])
      return { type: 'indent', first, rest, parts: readParts(reader, MARK.indentEnd) }
    }
    case MARK.table:
      return { type: 'table', table: readTable(reader) }
    default:
      return undefined
  }
}

const ALIGNMENTS: Readonly<Record<string, Alignment>> = { l: 'left', r: 'right', c: 'center' }

function readTable(reader: Reader): Table {
  const [, letters = '', skip = ''] = /^([lrc]*)(\d*)/.exec(next(reader) ?? '') ?? []
  const rows: Line[][][] = []
  for (let token = next(reader); token !== undefined && token !== MARK.tableEnd; token = next(reader)) {
    if (token === MARK.row) rows.push([])
    else if (token === MARK.cell) {
      rows.at(-1)?.push(readLines(reader, [MARK.cell, MARK.row, MARK.tableEnd]))
      // The mark belongs to what comes.
      reader.at--
    }
  }
  const alignments = [...letters].map(letter => ALIGNMENTS[letter] ?? 'left')
  return { alignments, skip: skip === '' ? undefined : Number(skip), rows }
}

/** Every line, empty ones too. */
function readLines(reader: Reader, ends: readonly string[]): Line[] {
  const lines: Span[][] = [[]]
  for (let token = next(reader); token !== undefined && !ends.includes(token); token = next(reader)) {
    for (const [index, text] of textsOf(reader, token).entries()) {
      if (index > 0) lines.push([])
      if (text !== '') lines.at(-1)?.push(spanOf(reader, text))
    }
  }
  return lines
}

const next = (reader: Reader): string | undefined => reader.tokens[reader.at++]

/** The lines of a token of text; a mark has none, and changes the ink if it is one of style. */
function textsOf({ inks }: Reader, token: string): readonly string[] {
  if (token.startsWith(MARK.style)) inks.push(inkOf(token.slice(1)))
  else if (token === MARK.styleEnd) inks.pop()
  else if (!/^[\x00-\x08\x0b-\x1f]/.test(token)) return sanitize(token).split('\n')
  return []
}

function spanOf({ inks }: Reader, text: string): Span {
  let style: Span['style'] = 'plain'
  let marks = 0
  for (const ink of inks) {
    style = ink.style ?? style
    marks |= ink.marks ?? 0
  }
  return marks === 0 ? { text, style } : { text, style, marks }
}
