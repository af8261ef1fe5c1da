/** Tells code from strings and comments, and whether brackets and strings are closed. One pass; pure. */
import type { Span } from '../match.ts'
import type { Language } from './languages.ts'

export interface Problem {
  /** From 1. */
  line: number
  what: string
}

export interface Scan {
  problem: Problem | undefined
  /** Strings, comments and regular expressions, in order. */
  quoted: Span[]
}

const closing: Record<string, string> = { '(': ')', '[': ']', '{': '}' }

/** After these a slash begins a regular expression. */
const beforeRegex =
  /(?:^|[-+*%&|^!~=<>?:;,([{}]|\b(?:return|typeof|case|in|of|do|else|void|delete|throw|await|yield|new))$/

interface Open {
  sign: string
  at: number
}

export function scan(text: string, language: Language): Scan {
  const quoted: Span[] = []
  const open: Open[] = []
  let trouble: { at: number; what: string } | undefined
  const note = (at: number, what: string) => (trouble ??= { at, what })
  /** The last code before a place, without blanks: enough of it to know what a slash means. */
  let code = ''
  let at = 0
  const skipTo = (end: number) => {
    quoted.push({ start: at, end })
    code = '"'
    at = end
  }
  while (at < text.length) {
    const sign = text[at]!
    const comment = commentEnd(text, at, language)
    if (comment !== undefined) {
      if (comment < 0) note(at, 'a comment is not closed')
      quoted.push({ start: at, end: comment < 0 ? text.length : comment })
      at = comment < 0 ? text.length : comment
      continue
    }
    const long = language.long.find(quote => text.startsWith(quote, at))
    if (long !== undefined) {
      if (long === '`' && language.isScript) {
        open.push({ sign: '`', at })
        at = template(text, at + 1, quoted, open)
      } else {
        const end = longEnd(text, at, long, language)
        if (end < 0) note(at, `a string (${long}) is not closed`)
        skipTo(end < 0 ? text.length : end)
      }
      continue
    }
    if (language.quotes.includes(sign) && sign !== '') {
      const end = shortEnd(text, at)
      if (end < 0 && !language.hasMarkup && !standsAlone(text, at, language))
        note(at, `a string (${sign}) is not closed`)
      if (end < 0 || (language.quoteMayStandAlone && standsAlone(text, at, language))) at++
      else skipTo(end)
      continue
    }
    if (sign === '/' && language.isScript && beforeRegex.test(code)) {
      const end = regexEnd(text, at)
      if (end > 0) {
        skipTo(end)
        continue
      }
    }
    if (sign in closing) open.push({ sign, at })
    else if (sign === ')' || sign === ']' || sign === '}') {
      const last = open.at(-1)
      if (last && closing[last.sign] === sign) {
        open.pop()
        if (open.at(-1)?.sign === '`') {
          at = template(text, at + 1, quoted, open)
          code = '"'
          continue
        }
      } else if (last && last.sign !== '`') {
        note(at, `"${sign}" comes where "${last.sign}" of line ${lineOf(text, last.at)} is not closed`)
        // What is missing is most likely the one in between.
        if (closing[open.at(-2)?.sign ?? ''] === sign) open.splice(-2)
      } else note(at, `"${sign}" closes nothing`)
    }
    if (!/\s/.test(sign))
      code = (/\s/.test(text[at - 1] ?? ' ') && /[\w$]$/.test(code) ? sign : code + sign).slice(-12)
    at++
  }
  const left = open.at(-1)
  if (!trouble && left)
    note(left.at, left.sign === '`' ? 'a template (`) is not closed' : `"${left.sign}" is not closed`)
  return { problem: trouble && { line: lineOf(text, trouble.at), what: trouble.what }, quoted }
}

export function lineOf(text: string, position: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at >= 0 && at < position; at = text.indexOf('\n', at + 1)) line++
  return line
}

/** undefined: no comment begins here; -1: it never ends. */
function commentEnd(text: string, at: number, { lineComment, blockComment }: Language): number | undefined {
  if (blockComment && text.startsWith(blockComment[0], at)) {
    const end = text.indexOf(blockComment[1], at + blockComment[0].length)
    return end < 0 ? -1 : end + blockComment[1].length
  }
  if (!lineComment.some(mark => text.startsWith(mark, at))) return undefined
  const end = text.indexOf('\n', at)
  return end < 0 ? text.length : end
}

function longEnd(text: string, start: number, quote: string, { longIsRaw }: Language): number {
  if (quote === '@"') {
    for (let at = start + 2; at < text.length; at++) {
      if (text[at] !== '"') continue
      if (text[at + 1] !== '"') return at + 1
      at++
    }
    return -1
  }
  for (let at = start + quote.length; at < text.length; at++) {
    if (text[at] === '\\' && !longIsRaw) at++
    else if (text.startsWith(quote, at)) return at + quote.length
  }
  return -1
}

/** -1: the line ends before the string does. */
function shortEnd(text: string, start: number): number {
  const quote = text[start]
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at += text[at + 1] === '\r' ? 2 : 1
    else if (text[at] === quote) return at + 1
    else if (text[at] === '\n') return -1
  }
  return -1
}

const standsAlone = (text: string, at: number, { quoteMayStandAlone }: Language): boolean =>
  quoteMayStandAlone === true &&
  text[at] === "'" &&
  !/^'(?:\\[^\n]{1,10}|[^\\'\n]{1,2})'/.test(text.slice(at, at + 14))

function regexEnd(text: string, start: number): number {
  let inClass = false
  for (let at = start + 1; at < text.length && text[at] !== '\n'; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '[') inClass = true
    else if (text[at] === ']') inClass = false
    else if (text[at] === '/' && !inClass)
      return at + 1 + /^[a-z]*/.exec(text.slice(at + 1, at + 10))![0].length
  }
  return -1
}

/** Goes on to what follows the template, or to the code in its next hole. */
function template(text: string, from: number, quoted: Span[], open: Open[]): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '`') {
      open.pop()
      quoted.push({ start: from - 1, end: at + 1 })
      return at + 1
    } else if (text[at] === '$' && text[at + 1] === '{') {
      open.push({ sign: '{', at: at + 1 })
      quoted.push({ start: from - 1, end: at + 2 })
      return at + 2
    }
  }
  quoted.push({ start: from - 1, end: text.length })
  return text.length
}
