/** The last row: where, with which model and mode; on the right how full the context is and what the last turn cost. */
import { cut, displayWidth } from '../text/width.ts'
import type { Words } from '../words/words.ts'
import type { Line, Span } from './line.ts'
import { textOfLine, widthOf } from './spans.ts'
import type { Status } from './status.ts'

interface Part extends Span {
  side: 'left' | 'right'
  /** What can be spared first has the highest. */
  spare: number
  /** What stands in for it before it is left out. */
  short?: { text: string; spare: number }
}

export interface FooterLook {
  words: Words
  showTokens: boolean
}

/** Shares of the limit from which the context is worth a colour. */
const filling = 0.6
const nearlyFull = 0.9

/** Where there is no room for everything, what matters least goes first. */
export function footerLine(status: Status, width: number, look: FooterLook): Line {
  const parts = fitted(partsOf(status, look), width)
  const [left = [], right = []] = (['left', 'right'] as const).map(side =>
    joined(parts.filter(part => part.side === side)),
  )
  const used = widthOf(left) + widthOf(right)
  const line = [...left, { text: ' '.repeat(Math.max(1, width - used)), style: 'plain' as const }, ...right]
  return used + 1 <= width ? line : [{ text: cut(textOfLine(line), width), style: 'muted' }]
}

function fitted(parts: readonly Part[], width: number): readonly Part[] {
  // Between the sides stands a blank, between their parts a separator.
  const needed =
    parts.reduce((sum, { text }) => sum + displayWidth(text) + separator.length, 0) - separator.length
  if (needed <= width || parts.length < 2) return parts
  const spared = Math.max(...parts.map(({ spare }) => spare))
  const fewer = parts.flatMap(({ short, ...part }) => {
    if (part.spare !== spared) return [short === undefined ? part : { ...part, short }]
    return short === undefined ? [] : [{ ...part, ...short }]
  })
  return fitted(fewer, width)
}

const separator = ' · '

const joined = (parts: readonly Part[]): Span[] =>
  parts.flatMap(({ text, style }, index) => [
    ...(index > 0 ? [{ text: separator, style: 'muted' as const }] : []),
    { text, style },
  ])

function partsOf(status: Status, { words, showTokens }: FooterLook): Part[] {
  const { directory, branch, model, dialect, mode } = status
  const left = (text: string, style: Span['style'], spare: number): Part => ({
    text,
    style,
    spare,
    side: 'left',
  })
  const onBranch = branch === undefined ? '' : ` (${branch})`
  const last = directory.slice(directory.lastIndexOf('/') + 1)
  return [
    left(words.modes[mode].name, mode === 'yolo' ? 'danger' : mode === 'ask' ? 'accent' : 'warning', 0),
    ...(model === '' ? [] : [left(dialect === undefined ? model : `${model} ${dialect}`, 'plain', 2)]),
    { ...left(directory + onBranch, 'muted', 5), short: { text: last + onBranch, spare: 4 } },
    ...status.warnings.map(warning => left(words.footer[warning], 'warning', 3)),
    ...(showTokens ? tokenParts(status, words) : []),
  ]
}

function tokenParts({ usage, limit }: Status, { footer }: Words): Part[] {
  if (!usage || !limit) return []
  const right = (text: string, style: Span['style'], spare: number): Part => ({
    text,
    style,
    spare,
    side: 'right',
  })
  const about = usage.estimated ? '≈' : ''
  const share = usage.context_tokens / limit
  const percent = Math.round(100 * share)
  const style = share >= nearlyFull ? 'danger' : share >= filling ? 'warning' : 'muted'
  const speed = usage.decode_ms > 0 ? (1000 * usage.completion_tokens) / usage.decode_ms : 0
  return [
    ...(speed > 0
      ? [right(footer.perSecond(speed < 10 ? speed.toFixed(1) : String(Math.round(speed))), 'muted', 9)]
      : []),
    right(footer.reused(`${about}${thousands(usage.reused_tokens)}`), 'muted', 8),
    right(footer.read(`${about}${thousands(usage.read_tokens)}`), 'muted', 7),
    {
      ...right(footer.context(thousands(usage.context_tokens), thousands(limit), percent), style, 6),
      short: { text: footer.contextShort(percent), spare: 1 },
    },
  ]
}

/** `12,345` is `12.3k`. */
export function thousands(count: number): string {
  if (count < 1000) return String(count)
  const rounded = count / 1000
  return `${rounded < 99.95 ? rounded.toFixed(1).replace(/\.0$/, '') : Math.round(rounded)}k`
}
