/** JSON that means a call: the keys that models use, and the objects that only look alike. */
import type { WireTool } from '../../protocol/wire.ts'
import type { ParsedCall, Unreadable } from '../dialect.ts'
import { findTool, isRecord, matchCall } from '../matching.ts'
import { readWholeJson } from './lenient-json.ts'

/** What a text holds. No calls and no problem: it is not a call. */
export interface Found {
  calls: ParsedCall[]
  problem?: Unreadable
}

const NAME_KEYS = ['name', 'tool', 'tool_name', 'function', 'function_name', 'action']
const ARGUMENT_KEYS = ['arguments', 'parameters', 'args', 'params', 'input', 'tool_input', 'action_input']
const WRAPPER_KEYS = ['function', 'function_call', 'tool_call']
const LIST_KEYS = ['tool_calls', 'calls']
const SIDE_KEYS = ['type', 'id', 'index', 'call_id', 'tool_call_id']
const CALL_KEYS = new Set([...NAME_KEYS, ...ARGUMENT_KEYS, ...WRAPPER_KEYS, ...LIST_KEYS, ...SIDE_KEYS])
const CALL_TYPES = ['function', 'function_call', 'tool_call', 'tool_use']
/** Names that stand for a name: a model that explains the format, not one that calls. */
const PLACEHOLDER = /[<{]|^(?:(?:your|example|my|some|the)[_ -])?(?:function|tool)(?:[_ -]name)?$/i

const NOTHING: Found = { calls: [] }

/** The calls that a JSON value means. */
export function interpretJson(value: unknown, tools: readonly WireTool[]): Found {
  if (Array.isArray(value)) return interpretList(value, tools)
  if (!isRecord(value)) return NOTHING
  const list = firstOf(value, LIST_KEYS)
  if (Array.isArray(list)) return interpretList(list, tools)
  const wrapped = WRAPPER_KEYS.map(key => value[key]).find(isRecord)
  if (wrapped) return interpretJson(wrapped, tools)
  const name = NAME_KEYS.map(key => value[key]).find(found => typeof found === 'string')
  return typeof name === 'string' ? interpretNamed(name, value, tools) : interpretNameAsKey(value, tools)
}

/** One element that is no call makes the whole list data. */
function interpretList(values: unknown[], tools: readonly WireTool[]): Found {
  const found = values.map(value => interpretJson(value, tools))
  if (found.some(one => one.calls.length === 0 && !one.problem)) return NOTHING
  const problem = found.find(one => one.problem)?.problem
  return { calls: found.flatMap(one => one.calls), ...(problem && { problem }) }
}

function interpretNamed(name: string, value: Record<string, unknown>, tools: readonly WireTool[]): Found {
  if (PLACEHOLDER.test(name)) return NOTHING
  const args = firstOf(value, ARGUMENT_KEYS)
  if (args === undefined || args === null) return interpretBare(name, value, tools)
  if (isSchema(args) || Object.hasOwn(value, 'description')) return NOTHING
  const object = decoded(args)
  if (!isRecord(object)) return { calls: [], problem: noObject(name) }
  const matched = matchCall(name, object, tools)
  return 'call' in matched ? { calls: [matched.call] } : { calls: [], problem: matched.problem }
}

/** A name alone is a call only of a tool that needs nothing, and only when nothing else is said. */
function interpretBare(name: string, value: Record<string, unknown>, tools: readonly WireTool[]): Found {
  if (Object.keys(value).some(key => !CALL_KEYS.has(key))) return NOTHING
  const matched = matchCall(name, {}, tools)
  return 'call' in matched ? { calls: [matched.call] } : NOTHING
}

function interpretNameAsKey(value: Record<string, unknown>, tools: readonly WireTool[]): Found {
  const [entry, ...others] = Object.entries(value)
  if (!entry || others.length > 0 || !findTool(entry[0], tools)) return NOTHING
  const args = decoded(entry[1])
  if (!isRecord(args)) return NOTHING
  const matched = matchCall(entry[0], args, tools)
  return 'call' in matched ? { calls: [matched.call] } : NOTHING
}

/** Some models write the arguments as a string of JSON. */
function decoded(args: unknown): unknown {
  const read = typeof args === 'string' ? readWholeJson(args) : undefined
  return read?.ok ? read.value : args
}

/** A model that lists its tools writes their schemas where a call has its values. */
function isSchema(args: unknown): boolean {
  return isRecord(args) && args.type === 'object' && isRecord(args.properties)
}

function noObject(name: string): Unreadable {
  return { kind: 'bad_arguments', detail: `The arguments of ${name} are not a JSON object.` }
}

function firstOf(value: Record<string, unknown>, keys: readonly string[]): unknown {
  const key = keys.find(candidate => Object.hasOwn(value, candidate))
  return key === undefined ? undefined : value[key]
}

/**
 * Judges an object by its fields as they arrive: true as soon as it is data and no call, whatever follows. With
 * `knownOnly`, a name that is no tool's settles it at once; else an object may still turn out to call a tool that
 * does not exist, which only its further keys can rule out.
 */
export function createDataJudge(
  tools: readonly WireTool[],
  options: { knownOnly: boolean },
): (key: string, value: string | undefined) => boolean {
  let first = true
  let unknown = false
  return (key, value) => {
    if (value === undefined) {
      const known = CALL_KEYS.has(key) || (first && findTool(key, tools) !== undefined)
      first = false
      return !known || (unknown && NAME_KEYS.includes(key))
    }
    if (key === 'type') return !CALL_TYPES.includes(value)
    if (!NAME_KEYS.includes(key) || findTool(value, tools)) return false
    unknown = true
    return options.knownOnly || PLACEHOLDER.test(value)
  }
}
