/** What an edit does to a text: where, and what comes there. Throws a `ToolError` that says what the model needs to mend it. Pure. */
import { ToolError } from '../protocol/errors.ts'
import { count, plural } from '../text/truncate.ts'
import { halfWord } from './heal/half-word.ts'
import { type Found, locate } from './heal/locate.ts'
import { placeholders } from './heal/placeholder.ts'
import { withoutNumbers } from './heal/unwrap.ts'
import { findHint } from './hint.ts'
import { lineEndFinder, lineNumbers, maxSpans, replaceSpans, type Span } from './match.ts'
import { refuseMasks } from './save.ts'
import { cleaned, foreignSigns } from './suspect.ts'

const maxListed = 10

export interface EditArguments {
  path: string
  old: string
  new: string
  all?: boolean | undefined
}

export interface Planned {
  after: string
  /** Where the replacements start, in the new text. */
  lines: number[]
  /** Whole sentences for the model. */
  notes: string[]
}

/** `shown`: the file as the model knows it. */
export function planEdit(before: string, args: EditArguments, shown: string): Planned {
  if (args.old === args.new) throw new ToolError('edit: "old" and "new" are the same; nothing to change.')
  refuseMasks(args.old + args.new, before)
  if (args.old === '') return fillEmpty(before, args, shown)
  const found = locate(before, args)
  if (!found) throw new ToolError(sayMissing(before, args, shown))
  const { spans } = found
  if (spans.length === maxSpans) {
    throw new ToolError(`edit: "old" is in ${shown} ${count(maxSpans)} times or more; use bash, e.g. sed.`)
  }
  const mayBeMany = args.all && (found.apart === undefined || !found.byLines)
  if (spans.length > 1 && !mayBeMany) throw new ToolError(sayAmbiguous(before, found, shown))
  const half = halves(before, found, { args, shown })
  const [first] = spans
  const line = lineNumbers(before, [first!.start])[0]!
  const text = found.textFor(first!)
  const sent = { name: 'new', file: shown, before, replaced: before.slice(first!.start, first!.end), line }
  const clean = cleaned({ ...sent, text })
  if (!clean.ok) throw new ToolError(`edit: ${clean.problem} ${shown} was not changed.`)
  const textFor = clean.text === text ? found.textFor : () => clean.text
  const lineEndAt = lineEndFinder(before)
  const { text: after, starts } = replaceSpans(before, spans, span =>
    found.isLiteral ? textFor(span) : textFor(span).replace(/\r?\n/g, lineEndAt(span.start)),
  )
  if (after === before) throw new ToolError(sayNothing(found, shown))
  const change = { start: starts[0]!, end: starts[0]! + clean.text.length }
  const strange = foreignSigns(sent, after, change)
  if (strange.problem) throw new ToolError(`edit: ${strange.problem} ${shown} was not changed.`)
  const apart =
    found.apart === undefined ? [] : [`"old" is not there exactly: it was matched apart from ${found.apart}.`]
  return {
    after,
    lines: lineNumbers(after, starts),
    notes: [...apart, ...clean.notes, ...half, ...strange.notes],
  }
}

/** Nothing is searched for: only an empty file has a place for that. */
function fillEmpty(before: string, args: EditArguments, shown: string): Planned {
  if (before === '') return { after: args.new, lines: [1], notes: [] }
  const lines = before.split('\n')
  throw new ToolError(
    [
      `edit: "old" is empty, which names no place in ${shown} (${plural(lines.length - Number(before.endsWith('\n')), 'line')}). To add text, give the line next to it as "old" and the same line with the text added as "new"; to replace the whole file use write. It begins:`,
      ...firstLines(before),
    ].join('\n'),
  )
}

const firstLines = (text: string): string[] =>
  text.split('\n', 5).map((line, at) => `${at + 1}\t${line.replace(/\r$/, '').slice(0, 200)}`)

/** Words that would be cut: refused, or said where all places are meant or a name has a joint there. */
function halves(
  before: string,
  { spans, byLines, textFor }: Found,
  { args, shown }: { args: EditArguments; shown: string },
): string[] {
  if (byLines) return []
  const cut: { span: Span; word: string; isJoint: boolean }[] = []
  for (const span of spans.slice(0, 1000)) {
    const half = halfWord(before, span, textFor(span))
    if (half) cut.push({ span, ...half })
  }
  const [first] = cut
  if (!first) return []
  const lines = lineNumbers(
    before,
    cut.map(({ span }) => span.start),
  )
  if (args.all || first.isJoint) {
    return [
      `At ${plural(cut.length, 'place')} it was a part of a longer word ("${first.word}"): ${list(lines)}.`,
    ]
  }
  throw new ToolError(
    `edit: "old" begins or ends inside "${first.word}" at line ${count(lines[0]!)} of ${shown}, so half of that would be left. Give whole words, as the file has them.`,
  )
}

function sayNothing({ apart }: Found, shown: string): string {
  return apart === undefined || apart === 'line endings'
    ? 'edit: "old" and "new" differ in line ends only; nothing to change.'
    : `edit: ${shown} has "new" there already, apart from ${apart}; nothing to change.`
}

function sayAmbiguous(text: string, { spans, apart }: Found, shown: string): string {
  const lines = lineNumbers(
    text,
    spans.map(({ start }) => start),
  )
  const times = `${count(spans.length)} times${apart === undefined ? '' : ` apart from ${apart}`}`
  const all = apart === undefined ? ', or set all' : ''
  return `edit: "old" is in ${shown} ${times}: lines ${list(lines)}. Add the lines around it to make it unique${all}.`
}

function sayMissing(text: string, args: EditArguments, shown: string): string {
  const numbers = withoutNumbers(args.old)
  const old = numbers?.texts[0] ?? args.old
  const sentences = [`edit: "old" is not in ${shown}.`]
  if (numbers) sentences.push('Leave out the line numbers.')
  const [placeholder] = placeholders(args.old, { before: text })
  if (placeholder) {
    sentences.push(
      `Its line "${placeholder.text.slice(0, 80)}" stands for lines that must be written out: take a shorter piece of the file as it is.`,
    )
  }
  const there = args.new.trim() === '' ? -1 : text.indexOf(args.new)
  if (there >= 0)
    sentences.push(`"new" is there already, at line ${count(lineNumbers(text, [there])[0] ?? 1)}.`)
  const hint = findHint(text, old)
  if (!hint) {
    sentences.push('No line of it is like that. Read the file and copy the text exactly. It begins:')
    return [sentences.join(' '), ...firstLines(text)].join('\n')
  }
  sentences.push(
    hint.blanksOnly ? 'These lines differ in blanks or line breaks only:' : 'The nearest lines are:',
  )
  const lines = hint.lines.map((line, at) => `${hint.line + at}\t${line}`)
  return [sentences.join(' '), ...lines, ...(hint.differs ? [sayDiffers(hint.differs)] : [])].join('\n')
}

const sayDiffers = ({ line, file, old }: { line: number; file: string | undefined; old: string }): string =>
  file === undefined
    ? `The file ends before line ${count(line)}; "old" goes on with ${JSON.stringify(old)}.`
    : `First difference, line ${count(line)}: the file has ${JSON.stringify(file)}, "old" has ${JSON.stringify(old)}.`

export function list(lines: readonly number[]): string {
  const shown = lines.slice(0, maxListed).map(count).join(', ')
  return lines.length > maxListed ? `${shown}, …` : shown
}
