/** Where in a text a move leads that needs no rows: by grapheme, word, line. */
import { graphemeEnd, graphemeStart, graphemeWidth } from '../../text/width.ts'
import { isMark } from './folds.ts'

/** `blank-left` is the start of what is between spaces: a whole path, say. */
export type Place =
  | 'left'
  | 'right'
  | 'word-left'
  | 'word-right'
  | 'blank-left'
  | 'line-start'
  | 'line-end'
  | 'start'
  | 'end'

export function placeOf(text: string, caret: number, { to }: { to: Place }): number {
  switch (to) {
    case 'left':
      return before(text, caret)
    case 'right':
      return after(text, caret)
    case 'word-left':
      return wordLeft(text, caret)
    case 'word-right':
      return wordRight(text, caret)
    case 'blank-left':
      return blankLeft(text, caret)
    case 'line-start':
      return caret === 0 ? 0 : text.lastIndexOf('\n', caret - 1) + 1
    case 'line-end':
      return lineEnd(text, caret)
    case 'start':
      return 0
    case 'end':
      return text.length
  }
}

const before = (text: string, at: number): number => (at === 0 ? 0 : graphemeStart(text, at))
const after = (text: string, at: number): number => (at >= text.length ? at : graphemeEnd(text, at))

function lineEnd(text: string, caret: number): number {
  const end = text.indexOf('\n', caret)
  return end < 0 ? text.length : end
}

/** Chinese and Japanese put no spaces between words: each of their characters is taken for one, as is a paste. */
function kindOf(grapheme: string): 'word' | 'alone' | 'between' {
  if (isMark(grapheme)) return 'alone'
  if (!/[\p{L}\p{N}_]/u.test(grapheme)) return 'between'
  return graphemeWidth(grapheme) === 2 && !/\p{Script=Hangul}/u.test(grapheme) ? 'alone' : 'word'
}

function wordLeft(text: string, caret: number): number {
  let at = caret
  let inside = false
  while (at > 0) {
    const start = before(text, at)
    const kind = kindOf(text.slice(start, at))
    if (kind === 'alone') return inside ? at : start
    if (inside && kind === 'between') return at
    inside ||= kind === 'word'
    at = start
  }
  return at
}

function wordRight(text: string, caret: number): number {
  let at = caret
  let inside = false
  while (at < text.length) {
    const end = after(text, at)
    const kind = kindOf(text.slice(at, end))
    if (kind === 'alone') return inside ? at : end
    if (inside && kind === 'between') return at
    inside ||= kind === 'word'
    at = end
  }
  return at
}

function blankLeft(text: string, caret: number): number {
  let at = caret
  while (at > 0 && /\s/.test(text[at - 1] ?? '')) at--
  while (at > 0 && !/\s/.test(text[at - 1] ?? '')) at--
  return at
}
