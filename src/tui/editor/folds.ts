/**
 * A big paste is one character in the editor, a mark, so that it is one step for the caret and one to delete.
 * Marks are private characters of the last plane; nobody can type or paste one.
 */
import { sanitize } from '../../text/sanitize.ts'

export interface Fold {
  text: string
  lines: number
}

/** By mark. */
export type Folds = Readonly<Record<string, Fold>>

/** A text with marks, and what they stand for. */
export interface Folded {
  readonly text: string
  readonly folds: Folds
}

/** The words for a fold, in the person's language: `[pasted 214 lines]`. */
export type FoldLabel = (fold: Fold) => string

const FIRST_MARK = 0x100000
const MARK = /[\u{100000}-\u{10ffff}]/gu

/** More than this is folded. */
const MOST_LINES = 10
const MOST_CHARACTERS = 2000

export const isMark = (grapheme: string): boolean => (grapheme.codePointAt(0) ?? 0) >= FIRST_MARK

/** What the editor may hold: nothing invisible, nothing that a terminal would act on, no mark. */
export function typeable(text: string): string {
  return sanitize(text).replaceAll(MARK, '\ufffd')
}

/** The paste as it is in the editor, and the folds with it. */
export function foldPaste(pasted: string, folds: Folds): Folded {
  const text = typeable(pasted)
  const lines = text.replace(/\n$/, '').split('\n').length
  if (lines <= MOST_LINES && text.length <= MOST_CHARACTERS) return { text, folds }
  return addFold({ text, lines }, folds)
}

/** A text with the mark of one more fold. */
function addFold(fold: Fold, folds: Folds): Folded {
  let code = FIRST_MARK
  while (String.fromCodePoint(code) in folds) code++
  const mark = String.fromCodePoint(code)
  return { text: mark, folds: { ...folds, [mark]: fold } }
}

/** A text with marks that was sent, as it was in the editor then: beside other folds its own get marks of their own. */
export function refold(sent: Folded, folds: Folds): Folded {
  let all = folds
  const text = sent.text.replaceAll(MARK, mark => {
    const fold = sent.folds[mark]
    if (!fold) return ''
    const added = addFold(fold, all)
    all = added.folds
    return added.text
  })
  return { text, folds: all }
}

/** The first line of a long text is what was typed before a paste, as far as anybody can tell. */
const MOST_TYPED = 200

/** A text of which nobody knows what in it was pasted. */
export function foldLong(sent: string, folds: Folds): Folded {
  const typed = sent.slice(0, sent.indexOf('\n') + 1)
  if (typed === '' || typed.length > MOST_TYPED) return foldPaste(sent, folds)
  const { text, folds: all } = foldPaste(sent.slice(typed.length), folds)
  return { text: typeable(typed) + text, folds: all }
}

/** The text with every paste whole. */
export function unfold(text: string, folds: Folds): string {
  return text.replaceAll(MARK, mark => folds[mark]?.text ?? '')
}

/** The folds whose marks are in `text`. */
export function foldsOf(text: string, folds: Folds): Folds {
  return Object.fromEntries(Object.entries(folds).filter(([mark]) => text.includes(mark)))
}

/** One fold as it is shown, by offsets in the text with marks and in the text with labels. */
interface Shown {
  at: number
  end: number
  shownAt: number
  shownEnd: number
}

/** The text with a label for every mark, and how offsets in the one become offsets in the other. */
export interface Labelled {
  text: string
  folds: readonly Shown[]
  /** From marks to labels. */
  shown(offset: number): number
  /** From labels to marks; inside a label that is its start, or its end for `forward`. */
  kept(offset: number, options?: { forward?: boolean }): number
}

export function labelled(text: string, folds: Folds, { label }: { label: FoldLabel }): Labelled {
  const all: Shown[] = []
  let added = 0
  const withLabels = text.replaceAll(MARK, (mark, at: number) => {
    const fold = folds[mark]
    // No row may end inside the words.
    const words = fold ? label(fold).replaceAll(' ', '\u00a0') : ''
    const shownAt = at + added
    all.push({ at, end: at + mark.length, shownAt, shownEnd: shownAt + words.length })
    added += words.length - mark.length
    return words
  })
  return {
    text: withLabels,
    folds: all,
    shown(offset) {
      const last = all.findLast(({ at }) => at < offset)
      return last ? last.shownEnd + offset - last.end : offset
    },
    kept(offset, { forward = false } = {}) {
      const last = all.findLast(({ shownAt }) => shownAt < offset)
      if (!last) return offset
      if (offset < last.shownEnd) return forward ? last.end : last.at
      return last.end + offset - last.shownEnd
    },
  }
}
