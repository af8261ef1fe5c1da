/** Tools that a program brings to `createSession`, made into tools like our own. */
import { prettifyError, safeParse, toJSONSchema, type ZodMiniType } from 'zod/mini'
import { ToolError } from '../protocol/errors.ts'
import type { ParameterSchema } from '../protocol/wire.ts'
import { messageOf } from '../text/message-of.ts'
import { type Checked, cut, type Tool } from './tool.ts'

export interface CustomTool {
  name: string
  description: string
  /** JSON Schema of an object, or a zod object. */
  parameters: object
  /** True: it changes nothing, so it runs without asking. */
  readOnly?: boolean
  execute(
    args: Record<string, unknown>,
    context: { signal: AbortSignal; onOutput(text: string): void },
  ): CustomResult | Promise<CustomResult>
}

export type CustomResult = string | { output: string; details?: unknown }

/** Whatever `execute` throws is told to the model: it is the program's tool, and the run goes on. */
export function customTool(tool: CustomTool): Tool {
  const { schema, check } = readParameters(tool)
  return {
    name: tool.name,
    description: tool.description,
    parameters: schema,
    kind: tool.readOnly ? 'read' : 'command',
    check,
    async execute(args, { signal, onOutput, budget }) {
      try {
        const result = await tool.execute(args, { signal, onOutput })
        const { output, details } =
          typeof result === 'string' ? { output: result, details: undefined } : result
        return { output: cut(output, budget), ...(details !== undefined && { details }) }
      } catch (error) {
        signal.throwIfAborted()
        throw new ToolError(messageOf(error))
      }
    },
  }
}

interface Reader {
  schema: ParameterSchema
  check(args: unknown): Checked
}

function readParameters({ name, parameters }: CustomTool): Reader {
  if (!isZod(parameters)) {
    const schema = { properties: {}, required: [], ...parameters } as unknown as ParameterSchema
    return { schema, check: args => checkRequired(name, schema, args) }
  }
  const { type: _, properties = {}, required = [] } = toJSONSchema(parameters, { io: 'input' })
  const schema = { type: 'object', properties, required } as ParameterSchema
  return {
    schema,
    check(args) {
      const result = safeParse(parameters, args)
      if (result.success) return { ok: true, args: result.data as Record<string, unknown> }
      return { ok: false, problem: `${name}: ${prettifyError(result.error)}` }
    },
  }
}

/** Any copy of zod 4 marks its schemas so. */
function isZod(parameters: object): parameters is ZodMiniType {
  return '_zod' in parameters
}

/** A JSON Schema is the program's own; only what every call needs is looked at here. */
function checkRequired(name: string, { required }: ParameterSchema, args: unknown): Checked {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) {
    return { ok: false, problem: `${name}: expected an object of arguments` }
  }
  const given = args as Record<string, unknown>
  const missing = required.filter(key => given[key] === undefined)
  if (missing.length > 0) return { ok: false, problem: `${name}: missing ${missing.join(', ')}` }
  return { ok: true, args: given }
}
