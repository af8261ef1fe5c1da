/**
 * Makes tools. Every tool file has the same parts in the same order: parameters, description, execute. `defineTool`
 * makes them one thing: arguments are checked, the tool runs, its output is cut to what it may take.
 */
import type * as z from 'zod/mini'
import type { Access } from '../protocol/access.ts'
import { ToolError } from '../protocol/errors.ts'
import { checkArguments, type Parameters, toParameterSchema } from './arguments.ts'
import { fileProblem } from './failure.ts'
import { type Mends, meantPath } from './meant-path.ts'
import { cut, type Preview, type Tool, type ToolContext, type ToolResult } from './tool.ts'

/** A tool as its file writes it down. Order: name, parameters, description, narrow, access, then what it does. */
export interface ToolDefinition<Schema extends Parameters> {
  name: string
  /** What its path means, when a model has written it wrongly (meant-path.ts). */
  mends?: Mends
  /** Flat: plain types, described only where the name does not say it. */
  parameters: Schema
  description: string
  /** What the model can do when its output was cut: one sentence. */
  narrow?: string
  access(args: z.output<Schema>, cwd: string): Access[]
  preview?(args: z.output<Schema>, context: ToolContext): Promise<Preview>
  rehearse?(calls: readonly z.output<Schema>[], context: ToolContext): Promise<(string | undefined)[]>
  execute(args: z.output<Schema>, context: ToolContext): Promise<ToolResult>
}

/**
 * Makes a tool of its parts. Around them: only checked arguments get in, at most `context.budget` bytes get out,
 * what the file system says (no permission, disk full, …) becomes a `ToolError`, a cancelled call throws the
 * signal's reason.
 */
export function defineTool<Schema extends Parameters>(definition: ToolDefinition<Schema>): Tool {
  const { name, mends, parameters, description, narrow, access, preview, rehearse, execute } = definition
  const schema = toParameterSchema(parameters)
  const check = (args: unknown, cwd?: string) => {
    let note: string | undefined
    const mendPath = (given: string) => {
      const meant = mends && cwd !== undefined ? meantPath(given, cwd, mends) : undefined
      if (meant !== undefined) note = `${JSON.stringify(given)} was taken to mean ${meant}.`
      return meant ?? given
    }
    const checked = checkArguments(name, args, { parameters, schema, mendPath })
    return checked.ok && note !== undefined ? { ...checked, note } : checked
  }
  const checked = (args: unknown): z.output<Schema> => {
    const result = check(args)
    if (!result.ok) throw new ToolError(result.problem)
    return result.args
  }
  return {
    name,
    description,
    parameters: schema,
    check,
    // Whoever asks has checked them.
    access: (args, cwd) => access(args as z.output<Schema>, cwd),
    ...(preview && { preview: (args, context) => guarded(context, () => preview(checked(args), context)) }),
    ...(rehearse && {
      rehearse: (calls, context) => guarded(context, () => rehearse(calls.map(checked), context)),
    }),
    async execute(args, context) {
      const result = await guarded(context, () => execute(checked(args), context))
      return { ...result, output: cut(result.output, context.budget, narrow) }
    },
  }
}

async function guarded<T>({ signal }: ToolContext, work: () => Promise<T>): Promise<T> {
  signal.throwIfAborted()
  try {
    return await work()
  } catch (error) {
    signal.throwIfAborted()
    throw fileProblem(error) ?? error
  }
}
