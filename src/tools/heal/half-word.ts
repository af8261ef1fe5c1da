/** An `old` that begins or ends inside a word or a number: replacing it would leave half of that behind. Pure. */
import type { Span } from '../match.ts'

/** Letters of scripts that put no blanks between words are no word by themselves. */
const wordSign = /[\p{L}\p{N}_$]/u
const unspaced =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u
/** As far as a word is looked at to either side. */
const maxWord = 60

export interface Half {
  /** The whole word as it is in the file. */
  word: string
  /** The cut is where a name has a joint (`get|User`, `user|_id`): it may be meant. */
  isJoint: boolean
}

/** The word of which the replacement would change one half alone; undefined: there is none. */
export function halfWord(text: string, { start, end }: Span, fresh: string): Half | undefined {
  const old = text.slice(start, end)
  const [head, tail] = [old.search(/\S/), old.trimEnd().length]
  if (head < 0) return undefined
  const startCut = isInside(text, start) && firstWord(old) !== firstWord(fresh) ? start : undefined
  const cut =
    startCut ??
    (tail === old.length && isInside(text, end) && lastWord(old) !== lastWord(fresh) ? end : undefined)
  if (cut === undefined) return undefined
  return { word: wordAround(text, cut), isJoint: isJoint(text[cut - 1]!, text[cut]!, text, cut) }
}

const isWord = (sign: string | undefined): boolean =>
  sign !== undefined && wordSign.test(sign) && !unspaced.test(sign)

function isInside(text: string, at: number): boolean {
  const [before, after] = [text[at - 1], text[at]]
  if (isWord(before) && isWord(after)) return true
  // 1|.5 and 1.|5
  if (/\d/.test(before ?? '') && after === '.' && /\d/.test(text[at + 1] ?? '')) return true
  return before === '.' && /\d/.test(after ?? '') && /\d/.test(text[at - 2] ?? '')
}

function isJoint(before: string, after: string, text: string, at: number): boolean {
  if (/[_$]/.test(before) || /[_$]/.test(after)) return true
  if (/\p{Ll}/u.test(before) && /\p{Lu}/u.test(after)) return true
  if (before !== '.' && after !== '.') return false
  // Of a version with two dots or more, a part may be meant; of a number, hardly.
  const around = text.slice(Math.max(0, at - 20), at + 20)
  return /\d+\.\d+\.\d+/.test(around)
}

const firstWord = (text: string): string => /^[\p{L}\p{N}_$.]*/u.exec(text)![0]
const lastWord = (text: string): string => {
  let start = text.length
  while (start > 0 && /[\p{L}\p{N}_$.]/u.test(text[start - 1]!)) start--
  return text.slice(start)
}

function wordAround(text: string, at: number): string {
  let start = at
  while (start > 0 && at - start < maxWord && /[\p{L}\p{N}_$.]/u.test(text[start - 1]!)) start--
  const end = /^[\p{L}\p{N}_$.]{0,60}/u.exec(text.slice(at, at + maxWord))![0].length + at
  return text.slice(start, end).replace(/^\.+|\.+$/g, '')
}
