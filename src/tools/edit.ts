import * as z from 'zod/mini'
import { ToolError } from '../protocol/errors.ts'
import { diffLines } from '../text/diff.ts'
import { count, plural, size } from '../text/truncate.ts'
import { defineTool } from './define.ts'
import { type EditArguments, list, type Planned, planEdit } from './edit-plan.ts'
import { maxHashed } from './ledger.ts'
import { MissingFile } from './missing.ts'
import { openRegular } from './open.ts'
import { pathParameter } from './path.ts'
import { decodeUtf8, notUtf8 } from './plain-text.ts'
import { findTarget, save, type Target } from './save.ts'
import { sayBroken } from './syntax/check.ts'
import type { ToolContext } from './tool.ts'
import type { ChangeDetails } from './write.ts'

/** Files are edited in memory. */
const maxBytes = 32 * 1024 * 1024

/**
 * Replaces exactly what was sent, or what is certainly meant by it (heal/locate.ts). `new` takes the line ends of the place it
 * is put in, and a byte-order mark stays where it is.
 */
export const edit = defineTool({
  name: 'edit',
  mends: 'files',
  parameters: z.object({
    path: pathParameter(),
    old: z.string().check(z.describe('text exactly as in the file, without line numbers')),
    new: z.string(),
    all: z.optional(z.boolean().check(z.describe('replace every occurrence'))),
  }),
  description: 'Replace text in a file. old must occur once, unless all is true: take enough lines.',

  access: ({ path }) => [{ write: path }],

  async preview(args, context) {
    const { target, before, after } = await plan(args, context)
    return { type: 'diff', path: target.shown, ...diffLines(before, after) }
  },

  async rehearse(calls, context) {
    const [first] = calls
    if (!first) return []
    const { target, before } = await load(first.path, context)
    let text = before
    return calls.map(args => {
      try {
        text = planEdit(text, args, target.shown).after
        return undefined
      } catch (error) {
        if (error instanceof ToolError) return error.message
        throw error
      }
    })
  },

  async execute(args, context) {
    const { target, before, after, lines, notes } = await plan(args, context)
    const stats = await save(target, after, context)
    const seen = context.files.saw({ real: target.real, stats, content: after }, { written: true })
    const { diff, added, removed } = diffLines(before, after)
    const details: ChangeDetails = { path: target.shown, added, removed, diff, seen }
    const places =
      lines.length === 1
        ? `line ${count(lines[0] ?? 1)}`
        : `${plural(lines.length, 'place')}: lines ${list(lines)}`
    const done = `Edited ${target.shown} at ${places} (+${count(added)} -${count(removed)} lines).`
    const broken = await sayBroken(target.shown, { before, after })
    return { output: [done, ...notes].join(' ') + broken, details }
  },
})

interface Plan extends Planned {
  target: Target
  before: string
}

/** What the edit would do. Throws a `ToolError` when it cannot be done, with what the model needs to mend it. */
async function plan(args: EditArguments, context: ToolContext): Promise<Plan> {
  const { target, before } = await load(args.path, context)
  return { target, before, ...planEdit(before, args, target.shown) }
}

/** The file as it is, which the model must know. */
async function load(path: string, context: ToolContext): Promise<{ target: Target; before: string }> {
  const { handle, real, id, shown, stats } = await openRegular(path, context).catch(error => {
    if (error instanceof MissingFile) throw new ToolError(`${error.message} To create a file use write.`)
    throw error
  })
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
