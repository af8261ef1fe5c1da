/** What models copy around a text: the line numbers of `read`, the signs of a diff, a fence. Pure. */
import { splitLines } from './file-lines.ts'

/** A number and what separates it from its line. */
const numbered = /^[ ]*(\d+)(\t|[ ]*[:|│→](?:[ ]|$)?|[ ]+|$)(.*)$/s

interface Numbered {
  number: number
  separator: string
  text: string
}

export interface Unnumbered {
  /** The number of the first line. */
  first: number
  lines: number
  /** Separated as `read` does it. */
  byTab: boolean
  /** The text without its numbers, by likelihood: a separator of blanks may be wider or narrower. */
  texts: string[]
}

/** undefined unless every line has a number, one after the other. */
export function withoutNumbers(text: string): Unnumbered | undefined {
  const given = splitLines(text)
  while (given.length > 1 && given.at(-1)?.trim() === '') given.pop()
  const lines: Numbered[] = []
  for (const line of given) {
    const found = numbered.exec(line)
    if (!found) return undefined
    lines.push({ number: Number(found[1]), separator: found[2]!, text: found[3]! })
  }
  const [head] = lines
  if (!head || lines.some(({ number }, at) => number !== head.number + at)) return undefined
  const full = lines.filter(({ text }) => text.trim() !== '')
  if (full.length === 0) return undefined
  const kinds = new Set(full.map(({ separator }) => separator.trim() || separator[0]))
  if (kinds.size !== 1) return undefined
  const ending = text.slice(given.join('\n').length).includes('\n') ? '\n' : ''
  const print = (map: (line: Numbered) => string) => lines.map(map).join('\n') + ending
  const byTab = kinds.has('\t')
  if (byTab) {
    return { first: head.number, lines: lines.length, byTab, texts: [print(line => line.text)] }
  }
  const isBlank = kinds.has(' ')
  // Blanks that follow the number may be its separator's or the line's own.
  const padded = full.map(({ separator, text }) => /[ ]*$/.exec(separator)![0] + text)
  const most = Math.min(...padded.map(text => /^[ ]*/.exec(text)![0].length), 12)
  const widths = Array.from({ length: most + 1 }, (_, width) => width).filter(width => !isBlank || width > 0)
  const likely = isBlank ? 1 : Math.min(1, most)
  widths.sort((a, b) => Number(b === likely) - Number(a === likely) || a - b)
  const texts = widths.map(width =>
    print(({ separator, text }) =>
      text.trim() === '' ? '' : (/[ ]*$/.exec(separator)![0] + text).slice(width),
    ),
  )
  return { first: head.number, lines: lines.length, byTab, texts }
}

/** Both texts without the `-`, `+` and blank that a diff puts before lines; undefined unless both are written so. */
export function withoutDiffSigns(old: string, text: string): { old: string; new: string } | undefined {
  const from = signed(old, '-')
  const to = text === '' ? '' : signed(text, '+')
  return from === undefined || to === undefined ? undefined : { old: from, new: to }
}

export function signed(text: string, sign: '-' | '+'): string | undefined {
  const lines = splitLines(text)
  const isSigned = lines.every(line => line === '' || line.startsWith(sign) || line.startsWith(' '))
  if (!isSigned || !lines.some(line => line.startsWith(sign))) return undefined
  return lines.map(line => line.slice(1)).join('\n')
}

export interface Fenced {
  language: string
  text: string
  /** false: the fence is opened and never closed, or text follows it. */
  isWhole: boolean
}

/** A text that begins with a fence. */
export function withoutFence(text: string): Fenced | undefined {
  const opened = /^\s*?(`{3,}|~{3,})[ \t]*([\w+#.-]*)[^\n]*\r?\n/.exec(text)
  if (!opened) return undefined
  const [head, fence = '', language = ''] = opened
  const rest = text.slice(head.length)
  const closed = new RegExp(`(^|\\n)[ \\t]*${fence[0]}{${fence.length},}[ \\t]*(\\r?\\n\\s*)?$`).exec(rest)
  const inner = closed ? rest.slice(0, closed.index + (closed[1]?.length ?? 0)) : rest
  return { language: language.toLowerCase(), text: inner, isWhole: closed !== null }
}
