/** Lines as text, for goldens. */
import { BOLD, ITALIC, type Line, STRIKE, UNDERLINE } from '../../src/tui/line.ts'

/** The text alone. */
export const textOf = (lines: readonly Line[]): string[] =>
  lines.map(line => line.map(({ text }) => text).join(''))

const MARKS = [
  [BOLD, 'bold'],
  [ITALIC, 'italic'],
  [UNDERLINE, 'underline'],
  [STRIKE, 'strike'],
] as const

/** Styles and marks stand before what they apply to: `⟨link: text⟩`. Blanks have none. */
export const dressed = (lines: readonly Line[]): string[] =>
  lines.map(line =>
    line
      .map(({ text, style, marks = 0 }) => {
        const names = MARKS.filter(([bit]) => (marks & bit) !== 0).map(([, name]) => name)
        const all = style === 'plain' ? names : [style, ...names]
        return all.length === 0 || text.trim() === '' ? text : `⟨${all.join(' ')}: ${text}⟩`
      })
      .join(''),
  )
