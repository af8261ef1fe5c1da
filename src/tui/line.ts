/** A line of the screen: pieces of text, each with what it means. Which colours that is, the theme alone knows. */

export type Style =
  | 'plain'
  | 'muted'
  | 'strong'
  | 'accent'
  | 'success'
  | 'warning'
  | 'danger'
  | 'added'
  | 'removed'
  // Markdown
  | 'heading'
  | 'code'
  | 'quote'
  | 'link'
  // Code
  | 'keyword'
  | 'string'
  | 'number'
  | 'comment'
  | 'function'
  | 'type'
  // What the person looks for
  | 'selected'
  | 'match'

/** On top of a style, added up. */
export const BOLD = 1
export const ITALIC = 2
export const UNDERLINE = 4
export const STRIKE = 8

export interface Span {
  text: string
  style: Style
  /** `BOLD`, `ITALIC`, `UNDERLINE`, `STRIKE`, added up. Default none. */
  marks?: number
}

export type Line = readonly Span[]
