import * as z from 'zod/mini'
import type { Access } from '../../protocol/access.ts'
import { ToolError } from '../../protocol/errors.ts'
import { shellWord } from '../../text/shell-word.ts'
import { count } from '../../text/truncate.ts'
import { bash } from '../bash.ts'
import { defineTool } from '../define.ts'

/** Lines of a diff that are shown; the list of files stands before them. */
const mostLines = 200

interface Wanted {
  action: 'status' | 'diff' | 'staged' | 'log' | 'show' | 'commit' | 'push'
  ref?: string | undefined
  path?: string | undefined
  message?: string | undefined
}

/**
 * The usual steps of git, each one command line of the session's bash: the permission room judges that line, and it runs
 * as any other. What goes out asks in every mode.
 */
export const git = defineTool({
  name: 'git',
  parameters: z.object({
    action: z.enum(['status', 'diff', 'staged', 'log', 'show', 'commit', 'push']),
    ref: z.optional(z.string().check(z.describe('commit or branch'))),
    path: z.optional(z.string()),
    message: z.optional(z.string()),
  }),
  description: 'git: status, diff (not staged), staged, log, show, commit (what is staged, or path), push.',
  narrow: 'Name a path.',

  access: args => {
    const accesses: Access[] = [{ run: lineOf(args) }]
    return args.action === 'push' ? [...accesses, { sends: lineOf(args) }] : accesses
  },

  preview: async args => ({ type: 'command', command: lineOf(args) }),

  async execute(args, context) {
    const { action, message } = args
    if (action === 'commit' && !message?.trim()) throw new ToolError('git: a commit needs a message.')
    // All of a diff is asked for: what is cut is cut here.
    const limits = { ...context.limits, bash_max_output: Math.max(context.limits.bash_max_output, 64 * 1024) }
    const result = await bash.execute({ command: lineOf(args) }, { ...context, limits })
    const isDiff = action === 'diff' || action === 'staged' || action === 'show'
    if (isDiff && result.output === '(no output)') return { ...result, output: 'No changes.' }
    return isDiff ? { ...result, output: firstLines(result.output) } : result
  },
})

function lineOf({ action, ref, path, message = '' }: Wanted): string {
  const at = path === undefined ? '' : ` -- ${shellWord(path)}`
  const of = ref === undefined ? '' : ` ${shellWord(ref)}`
  switch (action) {
    case 'status':
      return `git status --short --branch${at}`
    case 'diff':
      return `git diff --stat --patch${of}${at}`
    case 'staged':
      return `git diff --cached --stat --patch${at}`
    case 'log':
      return `git log --oneline -n 30${of}${at}`
    case 'show':
      return `git show --stat --patch${of}${at}`
    case 'commit':
      return `${path === undefined ? '' : `git add${at} && `}git commit -m ${shellWord(message)}${at}`
    case 'push':
      return ref === undefined ? 'git push' : `git push origin${of}`
  }
}

function firstLines(output: string): string {
  const lines = output.split('\n')
  const more = lines.length - mostLines
  return more <= 0
    ? output
    : `${lines.slice(0, mostLines).join('\n')}\nCut: ${count(more)} more lines. Name a path to see its changes.`
}
