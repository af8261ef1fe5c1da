/**
 * Signs that models write for one another: typographic quotes and dashes, full-width punctuation, composed and decomposed
 * letters, HTML entities, backslash escapes. `fold` makes them one; where a folded text is found, what the file really has is
 * learned sign by sign, and what is new is written the same way. Pure.
 */

const entities: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'", nbsp: ' ' }
const escapes: Record<string, string> = {
  n: '\n',
  r: '\n',
  t: '\t',
  '"': '"',
  "'": "'",
  '`': '`',
  '\\': '\\',
}

const entity = '&(?:lt|gt|amp|quot|apos|nbsp|#\\d{1,6}|#[xX][\\da-fA-F]{1,5});'
const escaped = '\\\\r\\\\n|\\\\[nrt"\'`\\\\]'
const typographic =
  '[\\u2018-\\u201b\\u2032\\u00b4\\u201c-\\u201f\\u2033\\u2010-\\u2015\\u2212\\u2026\\u00a0\\u2002-\\u200a\\u202f\\u3000-\\u3002\\uff01-\\uff5e]'
const composed = '\\P{M}\\p{M}+|[\\u1100-\\u1112][\\u1161-\\u1175][\\u11a8-\\u11c2]?'
const special = new RegExp(`${entity}|${escaped}|\\r\\n|${composed}|${typographic}|"`, 'gu')
const anyToken = new RegExp(`${special.source}|[^]`, 'gu')

type Kind = 'entity' | 'escape' | 'typographic' | 'plain'

function kindOf(token: string): Kind {
  if (token.length > 1 && token.startsWith('&')) return 'entity'
  if (token.length > 1 && token.startsWith('\\')) return 'escape'
  return fold(token) === token || token === '"' || token === '\r\n' ? 'plain' : 'typographic'
}

function foldToken(token: string): string {
  if (token === '\r\n') return '\n'
  const kind = token.length > 1 ? token[0] : undefined
  if (kind === '&') return foldSign(decodeEntity(token.slice(1, -1)))
  if (kind === '\\') return foldSign(token === '\\r\\n' ? '\n' : (escapes[token[1]!] ?? token))
  return foldSign(token.normalize('NFC'))
}

function decodeEntity(name: string): string {
  if (!name.startsWith('#')) return entities[name] ?? `&${name};`
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : `&${name};`
}

function foldSign(sign: string): string {
  if (/^[\u2018-\u201f\u2032\u2033\u00b4"]$/.test(sign)) return "'"
  if (/^[\u2010-\u2015\u2212]$/.test(sign)) return '-'
  if (sign === '\u2026') return '...'
  if (/^[\u00a0\u2002-\u200a\u202f\u3000]$/.test(sign)) return ' '
  if (sign === '\u3001') return ','
  if (sign === '\u3002') return '.'
  if (/^[\uff01-\uff5e]$/.test(sign)) return foldSign(String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
  return sign
}

export const fold = (text: string): string => text.replace(special, foldToken)

export interface Folded {
  text: string
  /** Where a place of the folded text is in the text itself; undefined inside of a sign. */
  at(position: number): number | undefined
}

/** Folds, and knows the way back. */
export function foldWithPlaces(text: string): Folded {
  const edges: { folded: number; raw: number; isSign: boolean }[] = []
  const parts: string[] = []
  let folded = 0
  let from = 0
  for (const found of text.matchAll(special)) {
    const before = text.slice(from, found.index)
    const sign = foldToken(found[0])
    parts.push(before, sign)
    edges.push({ folded: folded + before.length, raw: found.index, isSign: true })
    folded += before.length + sign.length
    from = found.index + found[0].length
    edges.push({ folded, raw: from, isSign: false })
  }
  parts.push(text.slice(from))
  return {
    text: parts.join(''),
    at(position) {
      let low = 0
      let high = edges.length
      while (low < high) {
        const middle = (low + high) >> 1
        if (edges[middle]!.folded <= position) low = middle + 1
        else high = middle
      }
      const edge = edges[low - 1]
      if (!edge) return position
      if (edge.folded === position) return edge.raw
      return edge.isSign ? undefined : edge.raw + position - edge.folded
    },
  }
}

/** Signs that fold to the same: as sent, and as in the file. */
type Pair = readonly [sent: string, file: string]

const tokensOf = (text: string): string[] => text.match(anyToken) ?? []

/** Walks two texts that fold to the same, side by side. */
function align(sent: string, file: string): Pair[] {
  const [a, b] = [tokensOf(sent), tokensOf(file)]
  const pairs: Pair[] = []
  for (let [i, j] = [0, 0]; i < a.length || j < b.length; ) {
    let [left, right] = [a[i++] ?? '', b[j++] ?? '']
    let [leftLength, rightLength] = [foldToken(left).length, foldToken(right).length]
    while (leftLength !== rightLength && (i < a.length || j < b.length)) {
      const next = leftLength < rightLength ? a[i++] : b[j++]
      if (next === undefined) break
      if (leftLength < rightLength) [left, leftLength] = [left + next, leftLength + foldToken(next).length]
      else [right, rightLength] = [right + next, rightLength + foldToken(next).length]
    }
    pairs.push([left, right])
  }
  return pairs
}

/**
 * `text`, which is to replace `sent`, written with the signs that the file has at that place. What both share stays as it is in
 * the file. undefined: a sign of what is new could mean two things.
 */
export function translate(text: string, { sent, file }: { sent: string; file: string }): string | undefined {
  const pairs = align(sent, file)
  const tokens = tokensOf(text)
  let [start, end] = [0, tokens.length]
  let [first, last] = [0, pairs.length]
  const matches = (pair: Pair, at: number, step: 1 | -1): number => {
    for (const side of pair) {
      const length = tokensOf(side).length
      const from = step === 1 ? at : at - length
      if (from >= start && from + length <= end && tokens.slice(from, from + length).join('') === side)
        return length
    }
    return 0
  }
  let head = ''
  for (let length = 0; first < last && (length = matches(pairs[first]!, start, 1)) > 0; start += length)
    head += pairs[first++]![1]
  const tail: string[] = []
  for (let length = 0; last > first && (length = matches(pairs[last - 1]!, end, -1)) > 0; end -= length)
    tail.push(pairs[--last]![1])
  const middle = newSigns(tokens.slice(start, end), pairs)
  return middle === undefined ? undefined : head + middle + tail.reverse().join('')
}

function newSigns(tokens: readonly string[], pairs: readonly Pair[]): string | undefined {
  const learned = new Map<string, Set<string>>()
  /** Kinds of signs that the file has in their plain form throughout. */
  const decoded = new Map<Kind, boolean>()
  for (const [sent, file] of pairs) {
    const kind = kindOf(sent)
    if (kind === 'plain') continue
    learned.set(sent, (learned.get(sent) ?? new Set()).add(file))
    decoded.set(kind, (decoded.get(kind) ?? true) && sent !== file)
  }
  let text = ''
  for (const token of tokens) {
    const kind = kindOf(token)
    const forms = learned.get(token)
    if (kind === 'plain' || (!forms && !decoded.get(kind))) text += token
    else if (!forms) {
      // An escaped line end that `old` did not have may as well stand in a string.
      if (/^\\[nrt]/.test(token)) return undefined
      text += plainForm(token)
    } else if (forms.size > 1) return undefined
    else text += [...forms][0]
  }
  return text
}

/** Decoded, and nothing more: a quote stays the quote that it is. */
function plainForm(token: string): string {
  if (kindOf(token) === 'entity') return decodeEntity(token.slice(1, -1))
  if (kindOf(token) === 'escape') return escapes[token[1]!] ?? token
  if (/^[\u201c-\u201f\u2033]$/.test(token)) return '"'
  return fold(token)
}
