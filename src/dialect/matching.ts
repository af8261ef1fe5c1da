/**
 * Does what a model wrote name one of our tools, and do its arguments fit? Used for calls that arrive as text;
 * the tool's own check, which names every problem, comes later.
 */

import type { WireTool } from '../protocol/wire.ts'
import { sortArguments } from '../text/parameter-names.ts'
import { isRecord } from '../text/record.ts'
import type { ParsedCall, Unreadable } from './dialect.ts'
import { readWholeJson } from './rescue/lenient-json.ts'

/** Prefixes that models take from the prompt's namespace (gpt-oss, Gemini, kimi). */
const NAMESPACES = /^(?:functions?|default_api|tools?)[.:]/i
/** Words that models add to a tool's name without meaning another tool. */
const FILLERS = new Set([
  'file',
  'files',
  'tool',
  'function',
  'command',
  'run',
  'execute',
  'call',
  'the',
  'a',
])

/**
 * The tool that a name means: exactly, else without padding, namespace and case, else by its words
 * (`readFile`, `Read_File`, `run-bash`), and never when two tools fit.
 */
export function findTool(name: string, tools: readonly WireTool[]): WireTool | undefined {
  const exact = tools.find(tool => tool.function.name === name)
  if (exact || name.length > MAX_NAME) return exact
  const plain = name.trim().replace(NAMESPACES, '')
  for (const form of [(text: string) => text.toLowerCase(), wordsOf, meaningOf]) {
    const wanted = form(plain)
    const near = wanted === '' ? [] : tools.filter(tool => form(tool.function.name) === wanted)
    if (near.length > 0) return near.length === 1 ? near[0] : undefined
  }
  return undefined
}

/** No tool has a longer name. */
const MAX_NAME = 128

const wordsOf = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

const meaningOf = (name: string): string =>
  wordsOf(name)
    .split(' ')
    .filter(word => !FILLERS.has(word))
    .join(' ')

/** What a text holds, and what is to be said to the model of a call that cannot be handed on. Neither: it is no call. */
export interface Found {
  calls: ParsedCall[]
  problem?: Unreadable
}

export const failed = (problem: Unreadable): Found => ({ calls: [], problem })

/** What several calls are together: of what is wrong with them the first is said. */
export function together(found: readonly Found[]): Found {
  const problem = found.find(one => one.problem)?.problem
  return { calls: found.flatMap(({ calls }) => calls), ...(problem && { problem }) }
}

/** Names the tool and fits the arguments; values that arrived as text take the type that the schema wants. */
export function matchCall(name: string, args: Record<string, unknown>, tools: readonly WireTool[]): Found {
  const tool = findTool(name, tools)
  if (!tool) return failed(unknownTool(name))
  const { properties, required } = tool.function.parameters
  const names = Object.keys(properties)
  const { known, unknown } = sortArguments(args, names)
  const given = { ...args, ...known }
  for (const key of Object.keys(args)) if (!names.includes(key) && !unknown.includes(key)) delete given[key]
  const missing = required.filter(key => !Object.hasOwn(given, key))
  if (missing.length > 0) {
    const keys = missing.map(key => `"${key}"`).join(', ')
    return failed({ kind: 'bad_arguments', detail: `The call of ${tool.function.name} lacks ${keys}.` })
  }
  const fitted = Object.entries(given).map(([key, value]) => [key, typed(value, properties[key]?.type)])
  const wrote = tool.function.name.toLowerCase() === plainName(name) ? {} : { wrote: name.trim() }
  return { calls: [{ name: tool.function.name, arguments: Object.fromEntries(fitted), ...wrote }] }
}

const plainName = (name: string): string => name.trim().replace(NAMESPACES, '').toLowerCase()

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
