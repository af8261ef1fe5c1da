/** JSON that means a call: the keys that models use, and the objects that only look alike. */

import type { WireTool } from '../../protocol/wire.ts'
import { namesParameter } from '../../text/parameter-names.ts'
import { isRecord } from '../../text/record.ts'
import { type Found, failed, findTool, matchCall, together } from '../matching.ts'
import { readWholeJson } from './lenient-json.ts'

const NAME_KEYS = ['name', 'tool', 'tool_name', 'function', 'function_name', 'action']
const ARGUMENT_KEYS = ['arguments', 'parameters', 'args', 'params', 'input', 'tool_input', 'action_input']
const WRAPPER_KEYS = ['function', 'function_call', 'tool_call']
const LIST_KEYS = ['tool_calls', 'calls']
const SIDE_KEYS = ['type', 'id', 'index', 'call_id', 'tool_call_id', 'thought', 'thoughts', 'reasoning']
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
  return together(found)
}

function interpretNamed(name: string, value: Record<string, unknown>, tools: readonly WireTool[]): Found {
  if (PLACEHOLDER.test(name)) return NOTHING
  const args = firstOf(value, ARGUMENT_KEYS)
  if (args === undefined || args === null) return interpretBare(name, value, tools)
  if (isSchema(args) || Object.hasOwn(value, 'description')) return NOTHING
  const object = decoded(args)
  if (isRecord(object)) return matchCall(name, object, tools)
  return failed({ kind: 'bad_arguments', detail: `The arguments of ${name} are not a JSON object.` })
}

/** A name alone is a call only of a tool that needs nothing, and only when nothing else is said. */
function interpretBare(name: string, value: Record<string, unknown>, tools: readonly WireTool[]): Found {
  const others = Object.keys(value).filter(key => !CALL_KEYS.has(key))
  const tool = findTool(name, tools)
  if (others.length > 0 && tool && others.every(key => isParameter(key, tool))) {
    const keys = others.map(key => `"${key}"`).join(', ')
    const detail = `The call of ${tool.function.name} has ${keys} beside its name: they belong into its arguments.`
    return failed({ kind: 'bad_arguments', detail })
  }
  if (others.length > 0) return NOTHING
  return { calls: matchCall(name, {}, tools).calls }
}

function interpretNameAsKey(value: Record<string, unknown>, tools: readonly WireTool[]): Found {
  const [entry, ...others] = Object.entries(value)
  if (!entry || others.length > 0 || !findTool(entry[0], tools)) return NOTHING
  const args = decoded(entry[1])
  return isRecord(args) ? { calls: matchCall(entry[0], args, tools).calls } : NOTHING
}

const isParameter = (key: string, tool: WireTool): boolean =>
  namesParameter(key, Object.keys(tool.function.parameters.properties))

/** Some models write the arguments as a string of JSON. */
function decoded(args: unknown): unknown {
  const read = typeof args === 'string' ? readWholeJson(args) : undefined
  return read?.ok ? read.value : args
}

/** A model that lists its tools writes their schemas where a call has its values. */
function isSchema(args: unknown): boolean {
  return isRecord(args) && args.type === 'object' && isRecord(args.properties)
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
  let tool: WireTool | undefined
  return (key, value) => {
    if (value === undefined) {
      const known =
        CALL_KEYS.has(key) ||
        (first && findTool(key, tools) !== undefined) ||
        (tool !== undefined && isParameter(key, tool))
      first = false
      return !known || (unknown && NAME_KEYS.includes(key))
    }
    if (key === 'type') return !CALL_TYPES.includes(value)
    if (!NAME_KEYS.includes(key)) return false
    const found = findTool(value, tools)
    tool ??= found
    if (found) return false
    unknown = true
    return options.knownOnly || PLACEHOLDER.test(value)
  }
}
