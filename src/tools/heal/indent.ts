/**
 * Indentation that a model got wrong in one way throughout: lost, too deep, tabs for spaces. What is known is how each line of
 * `old` stands in the file; the lines of `new` are moved by the same rule. Pure.
 */

export const indentOf = (line: string): string => /^[ \t]*/.exec(line)![0]

/** Moves an indentation; undefined where the rule does not reach. */
type Move = (indent: string) => string | undefined

export interface Shifting {
  /** As sent, without blank lines at the ends; */
  old: readonly string[]
  new: readonly string[]
  /** the lines of the file that `old` stands for: equal but for the blanks around them. */
  file: readonly string[]
  /** One step of indentation in the file. */
  unit: string | undefined
}

/** The lines of `new` as the file indents them; undefined where that is not certain. */
export function shiftLines({ old, new: lines, file, unit }: Shifting): string[] | undefined {
  const pairs = old.flatMap((line, at) =>
    line.trim() === '' ? [] : [[indentOf(line), indentOf(file[at]!)] as const],
  )
  const first = pairs[0]
  const firstNew = lines.find(line => line.trim() !== '')
  if (first === undefined) return undefined
  const sent = [...old, ...lines].map(indentOf)
  const whole = moveOf(pairs, unit, sent)
  // Often the first line alone has lost its indentation.
  const rest = whole ?? (first[0].length < first[1].length ? moveOf(pairs.slice(1), unit, sent) : undefined)
  if (!rest) return undefined
  if (firstNew === undefined) return [...lines]
  const indent = indentOf(firstNew)
  if (indent === first[1] && indent !== first[0])
    return isInPlace(lines, { old, file }) ? [...lines] : undefined
  if (indent !== first[0]) return undefined
  return moved(lines, rest, whole ? undefined : first[1])
}

function moved(lines: readonly string[], move: Move, first: string | undefined): string[] | undefined {
  const shifted: string[] = []
  let started = false
  for (const line of lines) {
    if (line.trim() === '') {
      shifted.push('')
      continue
    }
    const indent = indentOf(line)
    const to = !started && first !== undefined ? first : move(indent)
    if (to === undefined) return undefined
    started = true
    shifted.push(to + line.slice(indent.length))
  }
  return shifted
}

/** Whether the lines that `new` shares with `old` stand there as in the file already. */
function isInPlace(lines: readonly string[], { old, file }: Pick<Shifting, 'old' | 'file'>): boolean {
  const indents = new Map(old.map((line, at) => [line.trim(), indentOf(file[at]!)]))
  return lines.every(
    line => line.trim() === '' || (indents.get(line.trim()) ?? indentOf(line)) === indentOf(line),
  )
}

/** The rule behind pairs of indentations: as sent, as in the file. undefined: there is no single one. */
function moveOf(
  pairs: readonly (readonly [string, string])[],
  unit: string | undefined,
  sent: readonly string[],
): Move | undefined {
  const known = new Map<string, string>()
  for (const [from, to] of pairs) {
    if ((known.get(from) ?? to) !== to) return undefined
    known.set(from, to)
  }
  const sorted = [...known].sort(([a], [b]) => a.length - b.length)
  const steps: [string, string][] = []
  for (const [at, [from, to]] of sorted.entries()) {
    const [lower, lowerTo] = sorted[at - 1] ?? [from, to]
    if (!from.startsWith(lower) || !to.startsWith(lowerTo)) return undefined
    if (at > 0) steps.push([from.slice(lower.length), to.slice(lowerTo.length)])
  }
  const grow = growth(steps, { unit, sent, ...(sorted[0] && { base: sorted[0] }) })
  if (!grow) return undefined
  return indent => {
    const exact = known.get(indent)
    if (exact !== undefined) return exact
    const below = sorted.findLast(([from]) => indent.startsWith(from))
    if (below) {
      const more = grow(indent.slice(below[0].length))
      return more === undefined ? undefined : below[1] + more
    }
    const above = sorted.find(([from]) => from.startsWith(indent))
    const less = above && grow(above[0].slice(indent.length))
    return above && less !== undefined && above[1].endsWith(less)
      ? above[1].slice(0, -less.length)
      : undefined
  }
}

/** What a further piece of indentation becomes. */
function growth(
  steps: readonly (readonly [string, string])[],
  { unit, sent, base }: { unit: string | undefined; sent: readonly string[]; base?: [string, string] },
): Move | undefined {
  const [step] = steps
  if (step) {
    const [from, to] = step
    if (!isPlain(from) || !isPlain(to) || to === '') return undefined
    const scale = to.length / from.length
    const grow: Move = more => {
      const length = more.length * scale
      return isPlain(more) && more[0] === from[0] && Number.isInteger(length)
        ? to[0]!.repeat(length)
        : undefined
    }
    return steps.every(([from, to]) => grow(from) === to) ? grow : undefined
  }
  return more => {
    if (!isPlain(more)) return undefined
    if (unit === undefined) return more
    const own = more[0] === '\t' ? '\t' : smallestStep(sent)
    const levels = more.length / own.length
    // Of the same kind, and not of another width: a shift and no more.
    const scales = base !== undefined && base[0].length * unit.length === base[1].length * own.length
    if (more[0] === unit[0] && !(scales && base[0] !== '')) return more
    return Number.isInteger(levels) ? unit.repeat(levels) : undefined
  }
}

const isPlain = (indent: string): boolean => /^(\t*| *)$/.test(indent)

function smallestStep(indents: readonly string[]): string {
  const widths = [...new Set(indents.map(({ length }) => length))].sort((a, b) => a - b)
  const steps = widths.map((width, at) => width - (widths[at - 1] ?? 0)).filter(step => step > 0)
  return ' '.repeat(Math.min(...steps, 8))
}

/** One step of indentation as most lines of a text have it; undefined where none is indented. */
export function unitOf(lines: Iterable<string>): string | undefined {
  const votes = new Map<string, number>()
  let last = ''
  let seen = 0
  for (const line of lines) {
    if (line.trim() === '') continue
    if (++seen > 5000) break
    const indent = indentOf(line)
    if (indent.length > last.length && indent.startsWith(last)) {
      const step = indent.slice(last.length)
      votes.set(step, (votes.get(step) ?? 0) + 1)
    }
    last = indent
  }
  let best: string | undefined
  for (const [step, count] of votes) if (best === undefined || count > votes.get(best)!) best = step
  return best
}
