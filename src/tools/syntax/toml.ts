/** Whether a text is TOML, as far as an edit breaks it: every line a table, a key with a value, or a part of one. Pure. */
import { lineOf, type Problem } from './scan.ts'

const key =
  /^[ \t]*(?:[\w-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*')(?:[ \t]*\.[ \t]*(?:[\w-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'))*[ \t]*/
const scalar =
  /^(?:true|false|[+-]?(?:inf|nan)|0x[\da-fA-F_]+|0o[0-7_]+|0b[01_]+|\d{4}-\d\d-\d\d(?:[Tt ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:[Zz]|[+-]\d\d:\d\d)?)?|\d\d:\d\d(?::\d\d(?:\.\d+)?)?|[+-]?\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][+-]?\d[\d_]*)?)/

export function tomlProblem(text: string): Problem | undefined {
  const reader = new Reader(text)
  try {
    reader.document()
    return undefined
  } catch (error) {
    if (!(error instanceof Broken)) throw error
    return { line: lineOf(text, error.at), what: error.message }
  }
}

class Broken extends Error {
  readonly at: number
  constructor(at: number, what: string) {
    super(what)
    this.at = at
  }
}

class Reader {
  #text: string
  #at = 0
  #tables = new Set<string>()
  #keys = new Set<string>()

  constructor(text: string) {
    this.#text = text.replace(/^\ufeff/, ' ')
  }

  document(): void {
    for (;;) {
      this.#blank(true)
      if (this.#at >= this.#text.length) return
      if (this.#text[this.#at] === '[') this.#table()
      else this.#pair(this.#keys)
      this.#blank(false)
      if (this.#at < this.#text.length && this.#text[this.#at] !== '\n')
        throw new Broken(this.#at, 'the line does not end here')
    }
  }

  #table(): void {
    const start = this.#at
    const isList = this.#text.startsWith('[[', start)
    this.#at += isList ? 2 : 1
    const name = this.#take(key, 'a table needs a name').replace(/\s/g, '')
    const end = isList ? ']]' : ']'
    if (!this.#text.startsWith(end, this.#at))
      throw new Broken(start, `"${isList ? '[[' : '['}" is not closed`)
    this.#at += end.length
    if (!isList && this.#tables.has(name)) throw new Broken(start, `the table [${name}] is there twice`)
    if (isList) for (const table of this.#tables) if (table.startsWith(`${name}.`)) this.#tables.delete(table)
    if (!isList) this.#tables.add(name)
    this.#keys = new Set()
  }

  #pair(keys: Set<string>): void {
    const start = this.#at
    const name = this.#take(key, 'a key or a table is expected').replace(/\s/g, '')
    if (this.#text[this.#at] !== '=') throw new Broken(start, 'a key has no "="')
    this.#at++
    if (keys.has(name)) throw new Broken(start, `the key ${name} is there twice`)
    keys.add(name)
    this.#blank(false)
    this.#value()
  }

  #value(): void {
    const start = this.#at
    const rest = this.#text.slice(start, start + 3)
    const sign = rest[0]
    const keys = new Set<string>()
    if (rest === '"""' || rest === "'''") this.#string(rest, start)
    else if (sign === '"' || sign === "'") this.#string(sign, start)
    else if (sign === '[') this.#list(']', () => this.#value(), true)
    else if (sign === '{') this.#list('}', () => this.#pair(keys), false)
    else this.#take(scalar, 'a value is expected')
  }

  #list(end: string, member: () => void, overLines: boolean): void {
    const start = this.#at++
    for (;;) {
      this.#blank(overLines)
      if (this.#text[this.#at] === end) break
      if (this.#at >= this.#text.length) throw new Broken(start, `"${this.#text[start]}" is not closed`)
      member()
      this.#blank(overLines)
      if (this.#text[this.#at] === ',') this.#at++
      else if (this.#text[this.#at] !== end) throw new Broken(start, `"${this.#text[start]}" is not closed`)
    }
    this.#at++
  }

  #string(quote: string, start: number): void {
    for (let at = start + quote.length; at < this.#text.length; at++) {
      if (this.#text[at] === '\\' && quote[0] === '"') at++
      else if (this.#text.startsWith(quote, at)) {
        // As many as two quotes may stand before those that close.
        while (quote.length === 3 && this.#text[at + 3] === quote[0]) at++
        this.#at = at + quote.length
        return
      } else if (this.#text[at] === '\n' && quote.length === 1) break
    }
    throw new Broken(start, `a string (${quote}) is not closed`)
  }

  #take(pattern: RegExp, otherwise: string): string {
    const end = this.#text.indexOf('\n', this.#at)
    const found = pattern.exec(this.#text.slice(this.#at, end < 0 ? undefined : end))
    if (!found) throw new Broken(this.#at, otherwise)
    this.#at += found[0].length
    return found[0]
  }

  #blank(overLines: boolean): void {
    const blanks = overLines ? /(?:[ \t\r\n]|#[^\n]*)*/y : /(?:[ \t\r]|#[^\n]*)*/y
    blanks.lastIndex = this.#at
    this.#at += blanks.exec(this.#text)![0].length
  }
}
