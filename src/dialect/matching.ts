/**
 * Does what a model wrote name one of our tools, and do its arguments fit? Used for calls that arrive as text;
 * the tool's own check, which names every problem, comes later.
 */
import type { WireTool } from '../protocol/wire.ts'
import type { ParsedCall, Unreadable } from './dialect.ts'
import { readWholeJson } from './rescue/lenient-json.ts'

/** Prefixes that models take from the prompt's namespace (gpt-oss, Gemini, kimi). */
const NAMESPACES = /^(?:functions?|default_api|tools?)[.:]/i

/** The tool that a name means: exactly, else without padding, namespace and case. */
export function findTool(name: string, tools: readonly WireTool[]): WireTool | undefined {
  const exact = tools.find(tool => tool.function.name === name)
  if (exact) return exact
  const plain = plainName(name)
  const near = tools.filter(tool => tool.function.name.toLowerCase() === plain)
  return near.length === 1 ? near[0] : undefined
}

function plainName(name: string): string {
  return name.trim().replace(NAMESPACES, '').toLowerCase()
}

/** A call that is safe to hand on, or the sentence that tells the model what was wrong with it. */
export type Matched = { call: ParsedCall } | { problem: Unreadable }

/** Names the tool and fits the arguments; values that arrived as text take the type that the schema wants. */
export function matchCall(name: string, args: Record<string, unknown>, tools: readonly WireTool[]): Matched {
  const tool = findTool(name, tools)
  if (!tool) return { problem: unknownTool(name) }
  const { properties, required } = tool.function.parameters
  const missing = required.filter(key => !Object.hasOwn(args, key))
  if (missing.length > 0) {
    const keys = missing.map(key => `"${key}"`).join(', ')
    return {
      problem: { kind: 'bad_arguments', detail: `The call of ${tool.function.name} lacks ${keys}.` },
    }
  }
  const fitted = Object.entries(args).map(([key, value]) => [key, typed(value, properties[key]?.type)])
  return { call: { name: tool.function.name, arguments: Object.fromEntries(fitted) } }
}

export function unknownTool(name: string): Unreadable {
  return { kind: 'unknown_tool', detail: `There is no tool called "${shorten(name.trim(), 60)}".` }
}

export function shorten(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length)}…`
}

function typed(value: unknown, type: string | undefined): unknown {
  if (typeof value !== 'string') return value
  const text = value.trim()
  switch (type) {
    case 'integer':
      return /^[+-]?\d+$/.test(text) ? Number(text) : value
    case 'number':
      return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text) ? Number(text) : value
    case 'boolean':
      return /^true$/i.test(text) ? true : /^false$/i.test(text) ? false : value
    case 'array':
    case 'object': {
      const read = readWholeJson(text)
      return read.ok && kindOf(read.value) === type ? read.value : value
    }
    default:
      return value
  }
}

function kindOf(value: unknown): 'array' | 'object' | 'other' {
  return Array.isArray(value) ? 'array' : isRecord(value) ? 'object' : 'other'
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
