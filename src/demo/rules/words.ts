/** Small pieces of the language of requests, for the patterns of the skills. */

/** A file name or path, quoted or not. */
export const PATH = String.raw`[\x60'"“「]?[\w./~@+-]+[\x60'"”」]?`

/** The words without what stands politely or impatiently before the request. */
export function plainWords(words: string): string {
  return words
    .trim()
    .replace(
      /^(?:(?:please|can you|could you|would you|now|then|ok|okay|hey|and|no|stop|wait|actually|instead)\b[\s,.!]*)+/i,
      '',
    )
    .replace(/^(?:(?:不对?|停|等等|等一下|算了|好的?|现在|然后)[，,。！!\s]+)+/, '')
    .replace(/^(?:请你?|麻烦你?|帮我|帮忙|现在|然后|能不能|可以|能|你能)+[，,\s]*/, '')
}

/** The words without the sign and the politeness at their end. */
export function withoutEnd(words: string): string {
  const end = /(?:[\s.?!。？！]|[\s,]please|[，,\s]*(?:吗|好吗|谢谢))+$/i
  return words.replace(end, '')
}

/** The first pattern that matches gives its named groups, quotes removed. */
export function firstMatch(words: string, patterns: readonly RegExp[]): Record<string, string> | undefined {
  for (const pattern of patterns) {
    const groups = pattern.exec(words)?.groups
    if (groups) {
      return Object.fromEntries(Object.entries(groups).map(([key, value]) => [key, unquote(value ?? '')]))
    }
  }
  return undefined
}

const QUOTES: [string, string][] = [
  ['`', '`'],
  ['"', '"'],
  ["'", "'"],
  ['“', '”'],
  ['‘', '’'],
  ['「', '」'],
  ['『', '』'],
  ['《', '》'],
]

/** The text without the fence or the quotes around it. */
export function unquote(text: string): string {
  const fenced = /^```[^\n]*\n([\s\S]*?)\n?```$/.exec(text.trim())
  if (fenced) return `${fenced[1]}\n`
  for (const [open, close] of QUOTES) {
    const inner = text.trim()
    if (inner.length > 1 && inner.startsWith(open) && inner.endsWith(close)) return inner.slice(1, -1)
  }
  return text.trim()
}

/** Has a dot or a slash, or is written like README or Makefile. */
export function looksLikePath(text: string): boolean {
  return /[./*]/.test(text) || /^[A-Z][A-Za-z]+$/.test(text)
}

/** The first lines of a text, and a word about the rest. */
export function firstLines(
  text: string,
  { lines, more }: { lines: number; more: (rest: number) => string },
): string {
  const all = text.replace(/\n+$/, '').split('\n')
  const rest = all.length - lines
  return [...all.slice(0, lines), ...(rest > 0 ? [more(rest)] : [])].join('\n')
}

/** A block of code; the fence is longer than any in the text. */
export function block(text: string, language = ''): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(ticks => ticks.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text}\n${fence}`
}
