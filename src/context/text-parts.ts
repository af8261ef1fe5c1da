/** Measures texts by kind of writing, and remembers them: a conversation is looked at whole before every request. */
import type { MeasureText, TextParts } from './parts.ts'
import { findPieces, type Pieces } from './pieces.ts'
import type { TokenCounter } from './token-counter.ts'

/** Writing beyond Latin: letters from Greek on, CJK, and what needs two UTF-16 units; not dashes, arrows, box lines. */
const beyondLatin = /[\u0370-\u1fff\u2c00-\ud7ff\ud800-\uffff]+/g
/** Characters of texts that are remembered. */
const maxRemembered = 4_000_000

/** cl100k's tokens for a piece of Latin and for a character of other writing: the stand-in until texts are counted. */
export interface Density {
  latin: number
  foreign: number
}

export const usualDensity: Density = { latin: 1, foreign: 1 }

interface Known {
  latin: string
  foreign: string
  pieces: Pieces
  parts?: TextParts
}

export interface TextMeasure {
  measure: MeasureText
  /** The same by characters alone, for a text that will be another one soon (a draft): nobody is asked to count it. */
  guess: MeasureText
  /** What the texts that were counted so far say, on top of what was known before. */
  density(): Density
}

export function createTextMeasure(
  counter: Pick<TokenCounter, 'count'>,
  known: Density = usualDensity,
): TextMeasure {
  const texts = new Map<string, Known>()
  let remembered = 0
  // What was known before weighs as much as this many pieces.
  const seen = {
    latin: { size: 2000, tokens: 2000 * known.latin },
    foreign: { size: 1000, tokens: 1000 * known.foreign },
  }

  function measure(text: string): TextParts {
    const found = texts.get(text) ?? split(text)
    if (found.parts) return found.parts
    if (!texts.has(text)) remember(text, found)
    const latin = counter.count(found.latin)
    const foreign = counter.count(found.foreign)
    if (latin === undefined || foreign === undefined) return guessed(found, { latin, foreign })
    learn('latin', found.pieces.all, latin)
    learn('foreign', found.foreign.length, foreign)
    return (found.parts = { ...parts(found, latin, foreign), counted: true })
  }

  function guessed(
    found: Known,
    known: { latin?: number | undefined; foreign?: number | undefined },
  ): TextParts {
    const latin = known.latin ?? found.pieces.all * density('latin')
    const foreign = known.foreign ?? found.foreign.length * density('foreign')
    return { ...parts(found, latin, foreign), counted: false }
  }

  function remember(text: string, found: Known): void {
    texts.set(text, found)
    remembered += text.length
    for (const oldest of texts.keys()) {
      if (remembered <= maxRemembered) break
      texts.delete(oldest)
      remembered -= oldest.length
    }
  }

  function learn(kind: keyof Density, size: number, tokens: number): void {
    seen[kind].size += size
    seen[kind].tokens += tokens
  }

  const density = (kind: keyof Density) => seen[kind].tokens / seen[kind].size

  return {
    measure,
    guess: text => guessed(split(text), {}),
    density: () => ({ latin: density('latin'), foreign: density('foreign') }),
  }
}

function parts({ latin, pieces }: Known, text: number, foreign: number): Omit<TextParts, 'counted'> {
  return { text, evenness: latin.length / 4 - text, foreign, digits: pieces.digits }
}

function split(text: string): Known {
  const foreign = (text.match(beyondLatin) ?? []).join('')
  const latin = foreign === '' ? text : text.replaceAll(beyondLatin, '')
  return { latin, foreign, pieces: findPieces(latin) }
}
