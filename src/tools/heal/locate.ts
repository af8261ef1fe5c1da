/**
 * Where the `old` text of an edit is in a file, and what is to stand there. Exactly as it was sent, or else by tiers that each
 * forgive one thing which small models get wrong. A tier says nothing unless it knows what `new` means there, too. Pure.
 */
import { findExact, findWithAnyLineEnds, type Span } from '../match.ts'
import { coreOf, type FileLine, fileLines, findLines, splitLines, trimAlike } from './file-lines.ts'
import { fold, foldWithPlaces, translate } from './fold.ts'
import { indentOf, shiftLines, unitOf } from './indent.ts'
import { withoutDiffSigns, withoutFence, withoutNumbers } from './unwrap.ts'

export interface Wanted {
  old: string
  new: string
}

export interface Found {
  /** What was forgiven: it follows "apart from". undefined: nothing. */
  apart: string | undefined
  /** In order; they may overlap, which makes it ambiguous too. */
  spans: Span[]
  /** What comes there; its line ends are `\n`, unless `isLiteral`. */
  textFor(span: Span): string
  isLiteral: boolean
  /** Whole lines were compared: nothing can begin inside of a word. */
  byLines: boolean
}

/** Signs are compared in files up to this many characters. */
const maxFolded = 8 * 1024 * 1024

/** undefined when `old`, which must not be empty, is nowhere. */
export function locate(text: string, wanted: Wanted): Found | undefined {
  const plain = { textFor: () => wanted.new, byLines: false }
  const exact = findExact(text, wanted.old)
  if (exact.length > 0)
    return { ...plain, apart: undefined, spans: exact, isLiteral: wanted.old.includes('\r') }
  const spans = findWithAnyLineEnds(text, wanted.old)
  if (spans.length > 0) return { ...plain, apart: 'line endings', spans, isLiteral: false }
  const file: File = { text, lines: fileLines(text) }
  const first = (tries: (() => Found | undefined)[]) => {
    for (const attempt of tries) {
      const found = attempt()
      if (found) return found
    }
    return undefined
  }
  return first([
    () => byTrailing(file, wanted),
    () => byIndent(file, wanted),
    () => unwrapped(file, numbers(wanted), 'line numbers'),
    () => bySigns(file, wanted),
    () => bySignsOfLines(file, wanted),
    () => unwrapped(file, diff(wanted), 'the signs of a diff'),
    () => unwrapped(file, fences(wanted), 'a fence'),
  ])
}

interface File {
  text: string
  lines: FileLine[]
}

function byTrailing(
  file: File,
  wanted: Wanted,
  apart = 'trailing blanks or blank lines around it',
): Found | undefined {
  return byLines(file, wanted, { apart, key: line => line.trimEnd(), move: ({ lines }) => lines })
}

function byIndent(file: File, wanted: Wanted, apart = 'indentation'): Found | undefined {
  return byLines(file, wanted, {
    apart,
    key: line => line.trim(),
    move: ({ old, lines, file: there, unit }) => shiftLines({ old, new: lines, file: there, unit: unit() }),
  })
}

function bySignsOfLines(file: File, wanted: Wanted): Found | undefined {
  if (file.text.length > maxFolded) return undefined
  return byLines(file, wanted, {
    apart: 'signs that look alike, and blanks',
    key: line => fold(line).trim(),
    move({ old, lines, file: there, unit }) {
      const shifted = shiftLines({ old, new: lines, file: there, unit: unit() })
      if (!shifted) return undefined
      const sent = old.map((line, at) => (line.trim() === '' ? '' : indentOf(there[at]!) + line.trim()))
      const kept = there.map(line => line.trimEnd())
      return translate(shifted.join('\n'), { sent: sent.join('\n'), file: kept.join('\n') })?.split('\n')
    },
  })
}

interface LineTier {
  apart: string
  /** What of a line is compared. */
  key(line: string): string
  /** The new lines as the file wants them; undefined: that is not certain. */
  move(lines: {
    old: readonly string[]
    lines: readonly string[]
    file: readonly string[]
    unit(): string | undefined
  }): readonly string[] | undefined
}

function byLines(file: File, wanted: Wanted, { apart, key, move }: LineTier): Found | undefined {
  const core = coreOf(splitLines(wanted.old))
  if (!core) return undefined
  const count = core.lines.length
  const starts = findLines(file.lines, core.lines, key)
  if (starts.length === 0) return undefined
  const lines = trimAlike(splitLines(wanted.new), core)
  const isGone = lines.every(line => line === '') && lines.length <= 1
  const unit = () => unitOf(file.lines.map(({ text }) => text))
  const texts = new Map<number, string>()
  const spans: Span[] = []
  for (const start of starts) {
    const there = file.lines.slice(start, start + count)
    const moved = move({ old: core.lines, lines, file: there.map(({ text }) => text), unit })
    if (!moved && starts.length === 1) return undefined
    const last = there.at(-1)!
    const next = file.lines[start + count]
    // Lines that are deleted with their line ends leave no empty line.
    const end = isGone && core.after > 0 && next ? next.start : last.start + last.text.length
    spans.push({ start: there[0]!.start, end })
    if (moved) texts.set(there[0]!.start, moved.join('\n'))
  }
  return { apart, spans, textFor: ({ start }) => texts.get(start)!, isLiteral: false, byLines: true }
}

function bySigns({ text }: File, wanted: Wanted): Found | undefined {
  const old = fold(wanted.old)
  if (text.length > maxFolded || old.trim() === '') return undefined
  const folded = foldWithPlaces(text)
  const spans: Span[] = []
  const texts = new Map<number, string>()
  for (const place of findExact(folded.text, old)) {
    const [start, end] = [folded.at(place.start), folded.at(place.end)]
    if (start === undefined || end === undefined) continue
    const moved = translate(wanted.new, { sent: wanted.old, file: text.slice(start, end) })
    if (moved === undefined) return undefined
    spans.push({ start, end })
    texts.set(start, moved)
  }
  if (spans.length === 0) return undefined
  return {
    apart: 'signs that look alike (quotes, dashes, entities or escapes)',
    spans,
    textFor: ({ start }) => texts.get(start)!,
    isLiteral: false,
    byLines: false,
  }
}

/** Whole lines only: what is left may be too short to be anything but chance. */
function unwrapped(file: File, candidates: readonly Wanted[], apart: string): Found | undefined {
  for (const wanted of candidates) {
    const found = byTrailing(file, wanted, apart)
    if (found) return found
  }
  const [likely] = candidates
  return likely && byIndent(file, likely, `${apart} and indentation`)
}

function numbers(wanted: Wanted): Wanted[] {
  const old = withoutNumbers(wanted.old)
  if (!old) return []
  const fresh = withoutNumbers(wanted.new)
  return old.texts.map((text, at) => ({
    old: text,
    new: (fresh && (fresh.texts[at] ?? fresh.texts[0])) ?? wanted.new,
  }))
}

function diff(wanted: Wanted): Wanted[] {
  const plain = withoutDiffSigns(wanted.old, wanted.new)
  return plain ? [plain] : []
}

function fences(wanted: Wanted): Wanted[] {
  const old = withoutFence(wanted.old)
  if (!old?.isWhole) return []
  const fresh = withoutFence(wanted.new)
  return [{ old: old.text, new: fresh?.isWhole ? fresh.text : wanted.new }]
}
