/**
 * What a cell looks like, as one number: the style of its span and the marks on top. It says what is meant; which
 * sequence that is, a palette tells when the cell is written.
 */
import type { Style } from '../line.ts'

const MARKS = 16

const NUMBERS: Record<Style, number> = {
  plain: 0,
  muted: 1,
  strong: 2,
  accent: 3,
  success: 4,
  warning: 5,
  danger: 6,
  added: 7,
  removed: 8,
  heading: 9,
  code: 10,
  quote: 11,
  link: 12,
  keyword: 13,
  string: 14,
  number: 15,
  comment: 16,
  function: 17,
  type: 18,
  selected: 19,
  match: 20,
}

const STYLES = Object.keys(NUMBERS) as Style[]

export const PLAIN = 0

export function attributeOf(style: Style, marks = 0): number {
  return NUMBERS[style] * MARKS + (marks & (MARKS - 1))
}

export function styleOf(attribute: number): { style: Style; marks: number } {
  return { style: STYLES[Math.floor(attribute / MARKS)] ?? 'plain', marks: attribute % MARKS }
}
