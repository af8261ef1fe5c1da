/**
 * Arguments as small models write them, made into what a tool takes, or into one sentence about what is wrong.
 * Mended is only what has one meaning: another common name of a parameter, a number or a boolean in quotes,
 * `null` for nothing. Keys that no parameter has are left out, and named when something is missing.
 */

import * as z from 'zod/mini'
import type { ParameterSchema } from '../protocol/wire.ts'
import { sortArguments } from '../text/parameter-names.ts'
import { isRecord } from '../text/record.ts'

export type Parameters = z.ZodMiniObject

/** Structurally `Checked` of tool.ts, with the arguments typed. */
export type CheckedArguments<Schema extends Parameters> =
  | { ok: true; args: z.output<Schema> }
  | { ok: false; problem: string }

/** Flat JSON Schema: type, description and enum alone, since some servers print further keys in random order. */
export function toParameterSchema(parameters: Parameters): ParameterSchema {
  const schema = z.toJSONSchema(parameters, { io: 'input' })
  const properties: ParameterSchema['properties'] = {}
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (typeof property !== 'object' || typeof property.type !== 'string') {
      throw new TypeError(`parameter ${name} is not flat`)
    }
    properties[name] = {
      type: property.type,
      ...(property.description !== undefined && { description: property.description }),
      ...(property.enum && { enum: property.enum.map(String) }),
    }
  }
  return { type: 'object', properties, required: schema.required ?? [] }
}

/**
 * `args` as the model wrote them, against `parameters` and what `toParameterSchema` made of them.
 * A problem is a sentence for the model that starts with the tool's name.
 */
export function checkArguments<Schema extends Parameters>(
  tool: string,
  args: unknown,
  {
    parameters,
    schema,
    mendPath,
  }: { parameters: Schema; schema: ParameterSchema; mendPath(given: string): string },
): CheckedArguments<Schema> {
  const { properties, required } = schema
  const names = Object.keys(properties)
  const expected = `{${names.map(name => (required.includes(name) ? name : `${name}?`)).join(', ')}}`
  const given = asObject(args)
  if (!given) return { ok: false, problem: `${tool}: got ${describe(args)}; expected ${expected}` }

  const { known, unknown } = sortArguments(given, names)
  for (const [name, value] of Object.entries(known)) {
    const mended = mend(value, properties[name]?.type)
    if (mended === undefined || (mended === '' && !required.includes(name))) delete known[name]
    else known[name] = mended
  }
  const { path } = known
  if (typeof path === 'string') known.path = mendPath(path)
  const parsed = z.safeParse(parameters, known)
  if (parsed.success) return { ok: true, args: parsed.data }
  const problems = parsed.error.issues.map(issue => say(issue, known))
  const stray = unknown.length > 0 ? ` (not known: ${unknown.join(', ')})` : ''
  return { ok: false, problem: `${tool}: ${problems.join(', ')}${stray}; expected ${expected}` }
}

/** Some models send the object as JSON text. */
function asObject(args: unknown): Record<string, unknown> | undefined {
  if (typeof args === 'string') {
    try {
      return asObject(JSON.parse(args))
    } catch {
      return undefined
    }
  }
  return isRecord(args) ? { ...args } : undefined
}

function mend(value: unknown, type: string | undefined): unknown {
  if (type === 'string') return typeof value === 'number' ? String(value) : value
  if (typeof value !== 'string') return value
  const text = value.trim()
  if (type === 'boolean') return /^(true|false)$/i.test(text) ? text.toLowerCase() === 'true' : value
  if (text === '') return undefined
  return Number.isFinite(Number(text)) ? Number(text) : value
}

function say(issue: z.core.$ZodIssue, known: Record<string, unknown>): string {
  const name = String(issue.path[0] ?? '')
  const value = known[name]
  if (value === undefined) return `"${name}" is missing`
  switch (issue.code) {
    case 'too_small':
      return issue.origin === 'string'
        ? `"${name}" is empty`
        : `"${name}" must be ${issue.inclusive ? 'at least' : 'more than'} ${issue.minimum}, got ${describe(value)}`
    case 'too_big':
      return `"${name}" must be at most ${issue.maximum}, got ${describe(value)}`
    case 'invalid_type':
      return `"${name}" must be ${article(issue.expected === 'int' ? 'integer' : issue.expected)}, got ${describe(value)}`
    default:
      return `"${name}" ${issue.message}`
  }
}

function article(noun: string): string {
  return /^[aeiou]/.test(noun) ? `an ${noun}` : `a ${noun}`
}

function describe(value: unknown): string {
  if (value === null || value === undefined) return 'nothing'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'an object'
  const text = JSON.stringify(value)
  return text.length > 40 ? `${text.slice(0, 40)}…` : text
}
