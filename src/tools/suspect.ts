/**
 * What a model did not mean to write into a file: a fence or line numbers around the text, a placeholder for code, signs that only a
 * wrong escape brings. What has one meaning is mended and said, what has none is refused, what may be meant is said. Pure.
 */
import { plural } from '../text/truncate.ts'
import { placeholders } from './heal/placeholder.ts'
import { signed, withoutFence, withoutNumbers } from './heal/unwrap.ts'
import type { Span } from './match.ts'
import { isIn } from './syntax/javascript.ts'
import { hasEntities, isProse, languageOf } from './syntax/languages.ts'
import { lineOf, scan } from './syntax/scan.ts'

export interface Sent {
  /** The tool's name for the text: "new" or "content". */
  name: string
  text: string
  file: string
  /** What the file holds; undefined: there is none yet. */
  before: string | undefined
  /** What the text replaces; undefined: the whole file. */
  replaced?: string
  /** The line of the file at which it is put. */
  line: number
}

export type Cleaned = { ok: true; text: string; notes: string[] } | { ok: false; problem: string }

const quote = (line: string): string => (line.length > 80 ? `${line.slice(0, 80)}…` : line)

/** What is around the text and in its lines. A problem is a sentence for the model. */
export function cleaned(sent: Sent): Cleaned {
  const { name, file, before } = sent
  const notes: string[] = []
  let { text } = sent
  const fence = withoutFence(text)
  if (fence && !(before !== undefined && withoutFence(sent.replaced ?? before))) {
    const isMarkdown = isProse(file)
    if (!isMarkdown && !fence.isWhole) {
      return {
        ok: false,
        problem: `"${name}" begins with a code fence (\`\`\`): send nothing but what the file is to hold.`,
      }
    }
    if (fence.isWhole && (!isMarkdown || /^(md|markdown)$/.test(fence.language))) {
      const endsLine = sent.replaced === undefined || /\n\s*$/.test(sent.replaced)
      text = endsLine ? fence.text : fence.text.replace(/\r?\n$/, '')
      notes.push(`The code fence around "${name}" was left out.`)
    }
  }
  const numbers = withoutNumbers(text)
  if (numbers && !isNumbered(sent.replaced ?? before ?? '')) {
    const isCode = languageOf(file) !== undefined && !/\.(ya?ml|json)$/i.test(file)
    const fits = numbers.first === (sent.replaced === undefined ? 1 : sent.line)
    if (numbers.byTab ? isCode || fits : isCode && fits && numbers.lines >= 3) {
      if (isProse(file) && sent.replaced === undefined)
        notes.push(`The lines of "${name}" begin with numbers; they are in the file now.`)
      else {
        text = numbers.texts[0]!
        notes.push(`The line numbers in "${name}" were left out.`)
      }
    } else if (numbers.byTab || numbers.lines >= 3)
      notes.push(`The lines of "${name}" begin with numbers; they are in the file now.`)
  }
  const isCode = languageOf(file) !== undefined
  if (
    isCode &&
    sent.replaced !== undefined &&
    signed(text, '+') !== undefined &&
    text.split('\n').every(line => line.trim() === '' || line.startsWith('+'))
  ) {
    return {
      ok: false,
      problem: `every line of "${name}" begins with "+": send the lines without the signs of a diff.`,
    }
  }
  const [placeholder] = placeholders(text, {
    ...(before !== undefined && { before }),
    isProse: isProse(file),
    isPython: /\.pyi?$/i.test(file),
  })
  if (placeholder) {
    const whole = sent.replaced === undefined ? 'the whole file' : 'all lines that are to be there'
    return {
      ok: false,
      problem: `line ${placeholder.line} of "${name}" stands for code that is not there ("${quote(placeholder.text)}"): it would be lost. Send ${whole}, or change only the lines that differ with edit.`,
    }
  }
  return { ok: true, text, notes }
}

const isNumbered = (text: string): boolean =>
  text.split('\n').filter(line => /^\s*\d+\t/.test(line)).length > text.split('\n').length / 3

interface Foreign {
  sign: RegExp
  what: string
  /** Files in which it belongs. */
  belongs(file: string): boolean
  /** In strings and comments it is nothing unusual. */
  isCommon?: boolean
}

const foreign: Foreign[] = [
  { sign: /&(?:lt|gt|amp|quot|apos|#39|#34);/g, what: 'HTML entities', belongs: hasEntities },
  {
    sign: /(?<!\\)\\n(?![a-z]{3})/g,
    what: 'line ends written as \\n',
    isCommon: true,
    belongs: file => /\.(tex|sh|bash|zsh|rb|pl|ps1|bat)$/i.test(file),
  },
  { sign: /[\u2018\u2019\u201c\u201d]/g, what: 'typographic quotes', belongs: () => false },
]

/**
 * Signs that the place has now and the file had nowhere. `spans`: where the text is in `after`. In code they are refused, in strings,
 * comments and texts for people they are said.
 */
export function foreignSigns(
  { name, file, before }: Pick<Sent, 'name' | 'file' | 'before'>,
  after: string,
  span: Span,
): { problem?: string; notes: string[] } {
  const notes: string[] = []
  const part = after.slice(span.start, span.end)
  const language = languageOf(file)
  for (const { sign, what, belongs, isCommon } of foreign) {
    if (belongs(file) || (before !== undefined && new RegExp(sign.source).test(before))) continue
    const places = [...part.matchAll(sign)].map(({ index }) => span.start + index)
    if (places.length === 0) continue
    const isRead =
      language && !language.hasMarkup && language.quotes !== '' && !(before && scan(before, language).problem)
    const quoted = isRead ? scan(after, language).quoted : undefined
    const inCode = quoted && places.find(place => !isIn(quoted, place))
    if (inCode !== undefined) {
      const line = after.split('\n')[lineOf(after, inCode) - 1]!
      return {
        problem: `"${name}" has ${what} in code ("${quote(line.trim())}"), which the file has nowhere. Send the signs themselves.`,
        notes: [],
      }
    }
    const isWriting = before === undefined || before === ''
    if ((quoted && isCommon) || ((quoted || isProse(file)) && isWriting)) continue
    const lines = [...new Set(places.map(place => lineOf(after, place)))]
    notes.push(
      `"${name}" brought ${what} into the file, which had none: ${plural(lines.length, 'line')} (${lines.slice(0, 5).join(', ')}). If they are not meant, change them back.`,
    )
  }
  return { notes }
}
