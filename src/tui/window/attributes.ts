/**
 * What a cell looks like, as one number: the style of its span and the marks on top. It says what is meant; which
 * sequence that is, a palette tells when the cell is written.
 */
import { STYLES, type Style } from '../line.ts'

const MARKS = 64

const NUMBERS = Object.fromEntries(STYLES.map((style, number) => [style, number])) as Record<Style, number>

export const PLAIN = 0

export function attributeOf(style: Style, marks = 0): number {
  return NUMBERS[style] * MARKS + (marks & (MARKS - 1))
}

export function styleOf(attribute: number): { style: Style; marks: number } {
  return { style: STYLES[Math.floor(attribute / MARKS)] ?? 'plain', marks: attribute % MARKS }
}
