/** Tools that a program brings to `createSession`, made into tools like our own. */
import { fromJSONSchema, prettifyError, safeParse, toJSONSchema, type ZodType } from 'zod'
import type { ZodMiniType } from 'zod/mini'
import { ToolError } from '../protocol/errors.ts'
import type { ParameterSchema } from '../protocol/wire.ts'
import { messageOf } from '../text/message-of.ts'
import { sortArguments } from '../text/parameter-names.ts'
import { isRecord } from '../text/record.ts'
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
    check,
    // What the program says of its own tool is believed.
    access: () => [tool.readOnly ? { none: true } : { unknown: tool.description }],
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
    return { schema, check: checker(name, schema, fullChecker(schema)) }
  }
  const { type: _, properties = {}, required = [] } = toJSONSchema(parameters, { io: 'input' })
  const schema = { type: 'object', properties, required } as ParameterSchema
  return { schema, check: checker(name, schema, args => safeParse(parameters, args)) }
}

type Check = (args: unknown) => ReturnType<typeof safeParse>

/** Types, enums, what lies within. undefined: the program's schema says what the checker does not know. */
function fullChecker(schema: ParameterSchema): Check | undefined {
  let type: ZodType | undefined
  try {
    type = fromJSONSchema({ ...schema, type: 'object' } as Parameters<typeof fromJSONSchema>[0])
  } catch {
    return undefined
  }
  return args => safeParse(type, args)
}

function checker(name: string, { properties, required }: ParameterSchema, full: Check | undefined) {
  return (args: unknown): Checked => {
    if (!isRecord(args)) return { ok: false, problem: `${name}: expected an object of arguments` }
    const { known, unknown } = sortArguments(args, Object.keys(properties))
    // Another name of a parameter, and nothing for what may be left out, are what models write.
    const given = { ...Object.fromEntries(unknown.map(key => [key, args[key]])), ...known }
    const missing = required.filter(key => given[key] === undefined)
    if (missing.length > 0) return { ok: false, problem: `${name}: missing ${missing.join(', ')}` }
    const result = full?.(given)
    if (!result) return { ok: true, args: given }
    if (result.success) return { ok: true, args: result.data as Record<string, unknown> }
    return { ok: false, problem: `${name}: ${prettifyError(result.error)}` }
  }
}

/** Any copy of zod 4 marks its schemas so. */
function isZod(parameters: object): parameters is ZodMiniType {
  return '_zod' in parameters
}
