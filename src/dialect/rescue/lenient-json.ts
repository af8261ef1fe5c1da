/**
 * JSON as models write it: unquoted keys, single or triple quotes, trailing commas, raw newlines in strings, Python's
 * True / False / None, backslashes that escape nothing, comments, typographic quotes and full-width punctuation. Lenient about the form, strict about completeness: a text
 * that ends too early is never closed for the model, because half a command is another command.
 */

/** `end` is where the value ends. `cut`: the text ended inside the value. */
export type JsonRead = { ok: true; value: unknown; end: number } | { ok: false; cut: boolean }

/** Strings of Gemma's own notation stand between these; nothing is escaped in them. */
export const GEMMA_QUOTES: readonly string[] = ['<|"|>', '<escape>']

/** What ends a string that began with the quotation mark. A typographic one counts only where a string may begin. */
export const CLOSING_QUOTES: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '“': '”',
  '”': '”',
  '‘': '’',
  '’': '’',
}
const QUOTES: readonly string[] = ['"""', "'''", ...Object.keys(CLOSING_QUOTES), ...GEMMA_QUOTES]
const ESCAPES: Record<string, string> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' }
const WORDS: Record<string, unknown> = {
  true: true,
  false: false,
  null: null,
  True: true,
  False: false,
  None: null,
}
/** Deeper than any call; it keeps a hostile reply from exhausting the stack. */
const MAX_DEPTH = 100

class Unread extends Error {
  readonly cut: boolean
  constructor(cut: boolean) {
    super(cut ? 'the text ended inside a value' : 'no value')
    this.cut = cut
  }
}

/** Reads the value that starts at `at` (white space before it is skipped); what follows the value is not looked at. */
export function readJson(text: string, at = 0): JsonRead {
  const reader = new Reader(text, at)
  try {
    return { ok: true, value: reader.value(0), end: reader.at }
  } catch (error) {
    if (error instanceof Unread) return { ok: false, cut: error.cut }
    throw error
  }
}

/** As `readJson`, for a text that is one value and nothing else. */
export function readWholeJson(text: string): JsonRead {
  const read = readJson(text)
  return read.ok && text.slice(read.end).trim() !== '' ? { ok: false, cut: false } : read
}

class Reader {
  readonly text: string
  at: number

  constructor(text: string, at: number) {
    this.text = text
    this.at = at
  }

  value(depth: number): unknown {
    if (depth > MAX_DEPTH) throw new Unread(false)
    const char = this.peek()
    if (char === '{') return this.object(depth)
    if (char === '[') return this.array(depth)
    const quote = this.quote()
    if (quote) return this.string(quote)
    const word = this.match(/-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|[A-Za-z]+/y)
    if (word === undefined) throw new Unread(false)
    if (Object.hasOwn(WORDS, word)) return WORDS[word]
    if (!/\d/.test(word)) throw new Unread(this.at === this.text.length)
    return Number(word)
  }

  object(depth: number): Record<string, unknown> {
    const entries: [string, unknown][] = []
    this.at++
    while (this.peek() !== '}') {
      const quote = this.quote()
      const key = quote ? this.string(quote) : this.match(/[\p{L}\p{N}_$][\p{L}\p{N}_$.-]*/uy)
      if (key === undefined) throw new Unread(false)
      if (!/[:：]/.test(this.peek())) throw new Unread(false)
      this.at++
      entries.push([key, this.value(depth + 1)])
      this.separator('}')
    }
    this.at++
    return Object.fromEntries(entries)
  }

  array(depth: number): unknown[] {
    const values: unknown[] = []
    this.at++
    while (this.peek() !== ']') {
      values.push(this.value(depth + 1))
      this.separator(']')
    }
    this.at++
    return values
  }

  separator(closer: string): void {
    const char = this.peek()
    if (char === ',' || char === '，') this.at++
    else if (char !== closer) throw new Unread(false)
  }

  string(opener: string): string {
    this.at += opener.length
    const quote = CLOSING_QUOTES[opener] ?? opener
    const raw = GEMMA_QUOTES.includes(quote)
    let result = ''
    let from = this.at
    for (;;) {
      if (this.at >= this.text.length) throw new Unread(true)
      if (this.text.startsWith(quote, this.at)) break
      if (this.text[this.at] === '\\' && !raw) {
        result += this.text.slice(from, this.at) + this.escape()
        from = this.at
      } else this.at++
    }
    result += this.text.slice(from, this.at)
    this.at += quote.length
    return result
  }

  /** A backslash that escapes nothing stays: `\d` in a pattern, `C:\Users`. */
  escape(): string {
    const char = this.text[this.at + 1]
    if (char === undefined) throw new Unread(true)
    if (char === 'u') {
      const hex = this.text.slice(this.at + 2, this.at + 6)
      if (/^[0-9a-f]{4}$/i.test(hex)) {
        this.at += 6
        return String.fromCharCode(Number.parseInt(hex, 16))
      }
    }
    this.at += 2
    return ESCAPES[char] ?? ('"\'\\/'.includes(char) ? char : `\\${char}`)
  }

  quote(): string | undefined {
    return QUOTES.find(quote => this.text.startsWith(quote, this.at))
  }

  /** The next character that is neither white space nor in a comment. */
  peek(): string {
    while (this.match(/\s+|(?:\/\/|#)[^\n]*|\/\*[\s\S]*?\*\//y) !== undefined);
    const char = this.text[this.at]
    if (char === undefined) throw new Unread(true)
    return char
  }

  match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.text)?.[0]
    if (found !== undefined) this.at += found.length
    return found
  }
}
