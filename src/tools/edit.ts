import * as z from 'zod/mini'
import { ToolError } from '../protocol/errors.ts'
import { diffLines } from '../text/diff.ts'
import { count, plural, size } from '../text/truncate.ts'
import { defineTool } from './define.ts'
import { findHint } from './hint.ts'
import { maxHashed } from './ledger.ts'
import { findMatch, lineEndFinder, lineNumbers, maxSpans, replaceSpans, type Span } from './match.ts'
import { openRegular } from './open.ts'
import { pathParameter, realTarget, resolvePath } from './path.ts'
import { decodeUtf8, notUtf8 } from './plain-text.ts'
import { findTarget, refuseMasks, save, type Target } from './save.ts'
import type { ToolContext } from './tool.ts'
import type { ChangeDetails } from './write.ts'

/** Files are edited in memory. */
const maxBytes = 32 * 1024 * 1024
const maxListed = 10

/**
 * The replacement is exact, with one exception: `\n` and `\r\n` are the same when looking for `old`, and `new` takes
 * the line ends of the place it is put in. A byte-order mark stays where it is.
 */
export const edit = defineTool({
  name: 'edit',
  kind: 'edit',
  parameters: z.object({
    path: pathParameter(),
    old: z.string().check(z.minLength(1), z.describe('text exactly as in the file, without line numbers')),
    new: z.string(),
    all: z.optional(z.boolean().check(z.describe('replace every occurrence'))),
  }),
  description: 'Replace text in a file. old must occur once, unless all is true: take enough lines.',

  lane: ({ path }, cwd) => realTarget(resolvePath(path, cwd).absolute),

  async preview(args, context) {
    const { target, before, after } = await plan(args, context)
    return { type: 'diff', path: target.shown, ...diffLines(before, after) }
  },

  async execute(args, context) {
    const { target, before, after, lines } = await plan(args, context)
    const stats = await save(target, after, context.signal)
    const seen = context.files.saw({ real: target.real, stats, content: after }, { written: true })
    const { diff, added, removed } = diffLines(before, after)
    const details: ChangeDetails = { path: target.shown, added, removed, diff, seen }
    const places =
      lines.length === 1
        ? `line ${count(lines[0] ?? 1)}`
        : `${plural(lines.length, 'place')}: lines ${list(lines)}`
    return {
      output: `Edited ${target.shown} at ${places} (+${count(added)} -${count(removed)} lines).`,
      details,
    }
  },
})

interface Plan {
  target: Target
  before: string
  after: string
  /** Where the replacements start, in the new text. */
  lines: number[]
}

interface EditArguments {
  path: string
  old: string
  new: string
  all?: boolean | undefined
}

/** What the edit would do. Throws a `ToolError` when it cannot be done, with what the model needs to mend it. */
async function plan(args: EditArguments, context: ToolContext): Promise<Plan> {
  if (args.old === args.new) throw new ToolError('edit: "old" and "new" are the same; nothing to change.')
  const { target, before } = await load(args.path, context)
  refuseMasks(args.old + args.new, before)
  const match = findMatch(before, args.old)
  if (!match) throw new ToolError(sayMissing(before, args, target.shown))
  if (match.spans.length > 1 && !args.all)
    throw new ToolError(sayAmbiguous(before, match.spans, target.shown))
  if (match.spans.length === maxSpans) {
    throw new ToolError(
      `edit: "old" is in ${target.shown} ${count(maxSpans)} times or more; use bash, e.g. sed.`,
    )
  }
  const lineEndAt = lineEndFinder(before)
  const isLiteral = match.tier === 'exact' && args.old.includes('\r')
  const { text: after, starts } = replaceSpans(before, match.spans, ({ start }) =>
    isLiteral ? args.new : args.new.replace(/\r?\n/g, lineEndAt(start)),
  )
  if (after === before)
    throw new ToolError('edit: "old" and "new" differ in line ends only; nothing to change.')
  return { target, before, after, lines: lineNumbers(after, starts) }
}

/** The file as it is, which the model must know. */
async function load(path: string, context: ToolContext): Promise<{ target: Target; before: string }> {
  const { handle, real, id, shown, stats } = await openRegular(path, context)
  try {
    if (stats.size > maxBytes) {
      throw new ToolError(
        `${shown} has ${size(stats.size)}; edit takes files up to ${size(maxBytes)}. Use bash.`,
      )
    }
    const content = await handle.readFile()
    const before = decodeUtf8(content)
    if (before === undefined) throw notUtf8(`${shown} is not UTF-8 text`)
    if (before.includes('\0')) throw new ToolError(`${shown} is a binary file; edit works on text only.`)
    context.files.mustKnow({ real, shown, stats, content: stats.size > maxHashed ? undefined : content })
    return { target: await findTarget(path, { ...context, target: { real, id } }), before }
  } finally {
    await handle.close()
  }
}

function sayAmbiguous(text: string, spans: readonly Span[], shown: string): string {
  const lines = lineNumbers(
    text,
    spans.map(({ start }) => start),
  )
  const times = `${count(spans.length)} times`
  return `edit: "old" is in ${shown} ${times}: lines ${list(lines)}. Add the lines around it to make it unique, or set all.`
}

function sayMissing(text: string, args: EditArguments, shown: string): string {
  const old = withoutNumbers(args.old)
  const sentences = [`edit: "old" is not in ${shown}.`]
  if (old !== args.old) sentences.push('Leave out the line numbers.')
  const there = args.new === '' ? -1 : text.indexOf(args.new)
  if (there >= 0)
    sentences.push(`"new" is there already, at line ${count(lineNumbers(text, [there])[0] ?? 1)}.`)
  const hint = findHint(text, old)
  if (!hint) return [...sentences, 'Read the file and copy the text exactly.'].join(' ')
  sentences.push(
    hint.blanksOnly ? 'These lines differ in blanks or line breaks only:' : 'The nearest lines are:',
  )
  const lines = hint.lines.map((line, at) => `${hint.line + at}\t${line}`)
  return [sentences.join(' '), ...lines].join('\n')
}

/** The text without the numbers that read puts before lines; as it is when not all lines have one. */
function withoutNumbers(old: string): string {
  const lines = old.split('\n')
  const numbered = lines.every(line => line === '' || /^\s*\d+\t/.test(line))
  return numbered ? lines.map(line => line.replace(/^\s*\d+\t/, '')).join('\n') : old
}

function list(lines: readonly number[]): string {
  const shown = lines.slice(0, maxListed).map(count).join(', ')
  return lines.length > maxListed ? `${shown}, …` : shown
}
