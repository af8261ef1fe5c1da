/** Graphemes that terminals do not agree on, and what a terminal is sent for them. */

/** What the terminal draws as one grapheme of two columns; where it is not known, it is not sent. */
export interface Joins {
  /** Emoji joined by U+200D. */
  sequences: boolean
  /** Emoji with a skin tone. */
  tones: boolean
  /** Two regional letters. */
  flags: boolean
}

export const NO_JOINS: Joins = { sequences: false, tones: false, flags: false }

const JOINER = '\u200d'
const TONE = /\ud83c[\udffb-\udfff]/g
const REGIONAL = /^\ud83c[\udde6-\uddff]\ud83c[\udde6-\uddff]/
const SELECTOR = /[\ufe0e\ufe0f\u20e3]/

/** Whether terminals differ in the columns they take for it: after it nobody knows where the cursor is. */
export function isRisky(grapheme: string, columns: number): boolean {
  const code = grapheme.codePointAt(0) ?? 0
  if (code < 0x300) return grapheme.length > 1 && SELECTOR.test(grapheme)
  // Fonts draw their own signs in the private use area, in one column or two.
  if ((code >= 0xe000 && code <= 0xf8ff) || code >= 0xf0000) return true
  if (SELECTOR.test(grapheme) || grapheme.includes(JOINER)) return true
  // Wide, but no script of East Asia: emoji, of which each version of Unicode has more.
  return columns === 2 && (code < 0x2e80 || (code >= 0x16fe0 && code < 0x20000))
}

/** As much of the grapheme as this terminal can draw in its columns. */
export function drawable(grapheme: string, joins: Joins): string {
  let text = grapheme
  if (!joins.sequences && text.includes(JOINER)) text = text.slice(0, text.indexOf(JOINER))
  if (!joins.tones) text = text.replaceAll(TONE, tone => (tone === text ? tone : ''))
  if (!joins.flags && REGIONAL.test(text)) text = lettersOf(text)
  return text
}

/** A flag as its country's two letters. */
function lettersOf(flag: string): string {
  const letters = Array.from(flag, character =>
    String.fromCharCode((character.codePointAt(0) ?? 0) - 0x1f1e6 + 0x41),
  )
  return letters.slice(0, 2).join('')
}
