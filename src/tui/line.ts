/** A line of the screen: pieces of text, each with what it means. Which colours that is, the theme alone knows. */

export const STYLES = [
  ...(['plain', 'muted', 'strong', 'accent', 'success', 'warning', 'danger', 'added', 'removed'] as const),
  // What of a changed line is new or gone
  ...(['addedWord', 'removedWord'] as const),
  // What the person said
  ...(['own', 'ownSign', 'ownMuted'] as const),
  // Markdown
  ...(['heading', 'code', 'quote', 'link'] as const),
  // Code
  ...(['keyword', 'string', 'number', 'comment', 'function', 'type'] as const),
  // The terminal's sixteen, for what chose its colours itself
  ...(['ink0', 'ink1', 'ink2', 'ink3', 'ink4', 'ink5', 'ink6', 'ink7'] as const),
  ...(['ink8', 'ink9', 'ink10', 'ink11', 'ink12', 'ink13', 'ink14', 'ink15'] as const),
  // What the person looks for
  ...(['selected', 'match'] as const),
] as const

export type Style = (typeof STYLES)[number]

export type Ink = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15

/** On top of a style, added up. */
export const BOLD = 1
export const ITALIC = 2
export const UNDERLINE = 4
export const STRIKE = 8
/** It stands in a line that was added, or removed. */
export const ADDED = 16
export const REMOVED = 32

export interface Span {
  text: string
  style: Style
  /** `BOLD`, `ITALIC`, `UNDERLINE`, `STRIKE`, `ADDED`, `REMOVED`, added up. Default none. */
  marks?: number
}

export type Line = readonly Span[]
