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

export interface Span {
  text: string
  style: Style
}

export type Line = readonly Span[]
