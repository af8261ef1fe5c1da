/**
 * Makes tools. Every tool file has the same parts in the same order: parameters, description, execute. `defineTool`
 * makes them one thing: arguments are checked, the tool runs, its output is cut to what it may take.
 */
import type * as z from 'zod/mini'
import { ToolError } from '../protocol/errors.ts'
import type { ToolKind } from '../protocol/events.ts'
import { checkArguments, type Parameters, toParameterSchema } from './arguments.ts'
import { fileProblem } from './failure.ts'
import { cut, type Preview, type Tool, type ToolContext, type ToolResult } from './tool.ts'

/** A tool as its file writes it down. Order: name, kind, parameters, description, narrow, then what it does. */
export interface ToolDefinition<Schema extends Parameters> {
  name: string
  kind: ToolKind
  /** Flat: plain types, described only where the name does not say it. */
  parameters: Schema
  description: string
  /** What the model can do when its output was cut: one sentence. */
  narrow?: string
  lane?(args: z.output<Schema>, cwd: string): string | undefined
  preview?(args: z.output<Schema>, context: ToolContext): Promise<Preview>
  execute(args: z.output<Schema>, context: ToolContext): Promise<ToolResult>
}

/**
 * Makes a tool of its parts. Around them: only checked arguments get in, at most `context.budget` bytes get out,
 * what the file system says (no permission, disk full, …) becomes a `ToolError`, a cancelled call throws the
 * signal's reason.
 */
export function defineTool<Schema extends Parameters>(definition: ToolDefinition<Schema>): Tool {
  const { name, kind, parameters, description, narrow, lane, preview, execute } = definition
  const schema = toParameterSchema(parameters)
  const check = (args: unknown) => checkArguments(name, args, { parameters, schema })
  const checked = (args: unknown): z.output<Schema> => {
    const result = check(args)
    if (!result.ok) throw new ToolError(result.problem)
    return result.args
  }
  return {
    name,
    kind,
    description,
    parameters: schema,
    check,
    ...(lane && {
      lane(args, cwd) {
        const result = check(args)
        return result.ok ? lane(result.args, cwd) : undefined
      },
    }),
    ...(preview && { preview: (args, context) => guarded(context, () => preview(checked(args), context)) }),
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
