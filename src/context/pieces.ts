/** About where a tokenizer cuts Latin text, without its tables: words, numbers, runs of signs, lines. Pure. */
export interface Pieces {
  /** About as many as cl100k makes tokens. */
  all: number
  /** What a tokenizer that takes every digit by itself makes more of them. */
  digits: number
}

type Kind = 'letters' | 'digits' | 'lines' | 'spaces' | 'signs'

/** Characters of a run that are one piece. A single space belongs to what follows it, a line's end to signs before it. */
const pieceLength: Record<Kind, number> = { letters: 9, digits: 3, lines: 16, spaces: 16, signs: 3 }

export function findPieces(text: string): Pieces {
  const pieces = { all: 0, digits: 0 }
  let before: Kind = 'spaces'
  let kind: Kind = 'spaces'
  let length = 0
  const end = () => {
    if (kind === 'spaces' && length <= 1) return
    if (kind === 'lines' && before === 'signs') return
    const tokens = Math.ceil(length / pieceLength[kind])
    pieces.all += tokens
    if (kind === 'digits') pieces.digits += length - tokens
  }
  let wasLower = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const isUpper = code >= 65 && code <= 90
    const next = isUpper ? 'letters' : kindOf(code)
    // Names in camel case are several words.
    if (next === kind && !(isUpper && wasLower)) length++
    else {
      end()
      before = kind
      kind = next
      length = 1
    }
    wasLower = next === 'letters' && !isUpper
  }
  end()
  return pieces
}

function kindOf(code: number): Kind {
  if ((code >= 97 && code <= 122) || (code >= 0xc0 && code < 0x370)) return 'letters'
  if (code >= 48 && code <= 57) return 'digits'
  if (code === 10 || code === 13) return 'lines'
  if (code === 32 || code === 9 || code === 0xa0) return 'spaces'
  return 'signs'
}
