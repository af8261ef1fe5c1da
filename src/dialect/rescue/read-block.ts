/** Reads a call whose end the scanner has found. */

import type { WireTool } from '../../protocol/wire.ts'
import { isRecord } from '../../text/record.ts'
import type { Unreadable } from '../dialect.ts'
import { type Found, failed, findTool, matchCall, shorten, together } from '../matching.ts'
import type { Block } from './call-scanner.ts'
import { readElements } from './elements.ts'
import { interpretJson } from './interpret.ts'
import { readWholeJson } from './lenient-json.ts'
import { readPythonic, type WrittenCall } from './pythonic.ts'

/** The calls of a whole block, `text` being its body. */
export function readBlock(block: Block, text: string, tools: readonly WireTool[]): Found {
  switch (block.form) {
    case 'elements':
    case 'named elements':
      return readElementCall(block, text, tools)
    case 'python':
      return readWrittenCalls(readPythonic(text), tools)
    case 'value':
      return readValue(block.name, text, tools)
  }
}

function readElementCall({ name = '', form }: Block, text: string, tools: readonly WireTool[]): Found {
  const json = text.trim().startsWith('{') ? readWholeJson(text) : undefined
  if (!json)
    return matchAll([{ name, arguments: readElements(text, { named: form === 'named elements' }) }], tools)
  if (!json.ok) return failed(badJson(text))
  return isRecord(json.value) ? matchAll([{ name, arguments: json.value }], tools) : { calls: [] }
}

function readValue(name: string | undefined, text: string, tools: readonly WireTool[]): Found {
  const json = readWholeJson(text)
  if (!json.ok) {
    const python = readWrittenCalls(readPythonic(text), tools)
    return python.calls.length > 0 || python.problem ? python : failed(badJson(text))
  }
  const inner = interpretJson(json.value, tools)
  const named = name !== undefined && (findTool(name, tools) || inner.calls.length === 0)
  return named && isRecord(json.value) ? matchAll([{ name, arguments: json.value }], tools) : inner
}

function readWrittenCalls(calls: WrittenCall[] | undefined, tools: readonly WireTool[]): Found {
  return calls ? matchAll(calls, tools) : { calls: [] }
}

function matchAll(calls: readonly WrittenCall[], tools: readonly WireTool[]): Found {
  return together(calls.map(call => matchCall(call.name, call.arguments, tools)))
}

/** For a call that was announced and is no readable JSON. */
export function badJson(text: string): Unreadable {
  const start = shorten(text.trim().replace(/\s+/g, ' '), 80)
  return { kind: 'bad_json', detail: `The call is not valid JSON: ${start}` }
}
