/** The last row: where, with which model and mode; on the right how full the context is. */
import { inThousands } from '../text/truncate.ts'
import { cut, displayWidth } from '../text/width.ts'
import type { Words } from '../words/words.ts'
import type { Line, Span } from './line.ts'
import { textOfLine, widthOf } from './spans.ts'
import type { Status } from './status.ts'

interface Part extends Span {
  side: 'left' | 'right'
  /** What can be spared first has the highest. */
  spare: number
  /** What replaces it before it is left out. */
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
  // Between the sides is a space, between their parts a separator.
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

const on =
  (side: Part['side']) =>
  (text: string, style: Span['style'], spare: number): Part => ({ text, style, spare, side })
const [left, right] = [on('left'), on('right')]

function partsOf(status: Status, { words, showTokens }: FooterLook): Part[] {
  const { directory, branch, model, dialect, mode } = status
  const onBranch = branch === undefined ? '' : ` (${branch})`
  // Whatever the mode is called, edits do not ask any more.
  const loosened = mode === 'ask' && status.editsRun === true
  const last = directory.slice(directory.lastIndexOf('/') + 1)
  return [
    left(
      loosened ? words.footer.editsRun(words.modes[mode].name) : words.modes[mode].name,
      mode === 'yolo' ? 'danger' : mode === 'ask' && !loosened ? 'accent' : 'warning',
      0,
    ),
    ...(model === '' ? [] : [left(dialect === undefined ? model : `${model} ${dialect}`, 'plain', 2)]),
    { ...left(directory + onBranch, 'muted', 5), short: { text: last + onBranch, spare: 4 } },
    ...(status.wall ? [wallPart(status.wall, words)] : []),
    ...(status.background ? [left(words.footer.background(status.background), 'accent', 3)] : []),
    ...status.warnings.map(warning => left(words.footer[warning], 'warning', 3)),
    ...(showTokens ? tokenParts(status, words) : []),
  ]
}

/** Of many hosts the first, and how many more. */
function wallPart({ hosts }: NonNullable<Status['wall']>, { footer }: Words): Part {
  const [first, ...more] = hosts?.split(', ') ?? []
  if (first === undefined) return left(footer.sandbox, 'muted', 6)
  const some = more.length === 0 ? first : `${first} +${more.length}`
  return { ...left(footer.sandboxReaches(some), 'muted', 6), short: { text: footer.sandbox, spare: 5 } }
}

function tokenParts({ usage, limit }: Status, { footer }: Words): Part[] {
  if (!usage || !limit) return []
  const share = usage.context_tokens / limit
  const percent = Math.round(100 * share)
  const style = share >= nearlyFull ? 'danger' : share >= filling ? 'warning' : 'muted'
  return [
    {
      ...right(footer.context(inThousands(usage.context_tokens), inThousands(limit), percent), style, 6),
      short: { text: footer.contextShort(percent), spare: 1 },
    },
  ]
}
