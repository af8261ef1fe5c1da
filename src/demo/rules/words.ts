/** Small pieces of the language of requests, and of the answers. */

/** A file name or path, quoted or not. */
const PATH = String.raw`[\x60'"“「]?[\w./~@+-]+[\x60'"”」]?`

/**
 * Patterns for a whole request: `<path>` is a file name, `<content>` all the rest, any other name the least that fits. In
 * English a space is white space, in Chinese there may be some.
 */
export const en = (form: string): RegExp => pattern(form.replaceAll(' ', '\\s+'))
export const zh = (form: string): RegExp => pattern(form.replaceAll(' ', '\\s*'))

const GROUPS: Record<string, string> = { path: PATH, content: '[\\s\\S]+' }

function pattern(form: string): RegExp {
  const groups = form.replace(/(?<!\?)<(\w+)>/g, (_, name) => `(?<${name}>${GROUPS[name] ?? '[\\s\\S]+?'})`)
  return new RegExp(`^${groups}(?:[\\s.?!。？！]|,? please|[，, ]*(?:好吗|吗|谢谢))*$`, 'i')
}

/** The words without what stands politely or impatiently before the request. */
export function plainWords(words: string): string {
  return words
    .trim()
    .replace(/^(?:(?:please|can you|could you|now|then|ok|and|no|stop|wait|instead)\b[\s,.!]*)+/i, '')
    .replace(/^(?:(?:不对?|停|等等|好的?|现在|然后|请你?|麻烦你?|帮我)[，,。！!\s]*)+/, '')
}

/** What the first pattern that matches found, by name, quotes removed; undefined if none does. */
export function firstMatch(words: string, patterns: readonly RegExp[]): Record<string, string> | undefined {
  for (const pattern of patterns) {
    const match = pattern.exec(words)
    if (match)
      return Object.fromEntries(
        Object.entries(match.groups ?? {}).flatMap(([key, value]) => (value ? [[key, unquote(value)]] : [])),
      )
  }
  return undefined
}

/** The text without the fence or the quotes around it. */
function unquote(text: string): string {
  const fenced = /^```[^\n]*\n([\s\S]*?)\n?```$/.exec(text.trim())
  return fenced ? `${fenced[1]}\n` : text.trim().replace(/^[`"'“「]([\s\S]+)[`"'”」]$/, '$1')
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
export function block(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(ticks => ticks.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}\n${text}\n${fence}`
}
