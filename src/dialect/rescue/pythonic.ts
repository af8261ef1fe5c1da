/** Calls written as Python: `f(a="b")`, `[f(a=1), g()]`, `print(default_api.f())`, `f({"a": "b"})`. */
import { isRecord } from '../../text/record.ts'
import { readJson } from './lenient-json.ts'

export interface WrittenCall {
  name: string
  arguments: Record<string, unknown>
}

const callStart = () => /\s*([\p{L}_][\p{L}\p{N}_.-]*)\s*\(/uy
const argumentName = () => /\s*([\p{L}_][\p{L}\p{N}_]*)\s*=/uy

/** The calls of a text that is Python calls and nothing else; undefined when it is not. */
export function readPythonic(text: string): WrittenCall[] | undefined {
  const inner = text
    .trim()
    .replace(/^\[([\s\S]*)\]$/, '$1')
    .trim()
  const calls: WrittenCall[] = []
  let at = 0
  while (at < inner.length) {
    const read = readCall(inner, at)
    if (!read) return undefined
    calls.push(...read.calls)
    at = skip(inner, read.end, /[\s,;]*/y)
  }
  return calls
}

function readCall(text: string, at: number): { calls: WrittenCall[]; end: number } | undefined {
  const start = matchAt(text, at, callStart())
  if (!start) return undefined
  const name = start.group
  if (name === 'print') return readPrint(text, start.end)
  const entries: [string, unknown][] = []
  let position = skip(text, start.end, /\s*/y)
  while (text[position] !== ')') {
    const key = matchAt(text, position, argumentName())
    const value = readJson(text, key?.end ?? position)
    if (!value.ok) return undefined
    if (key) entries.push([key.group, value.value])
    else if (isRecord(value.value)) entries.push(...Object.entries(value.value))
    else return undefined
    position = skip(text, value.end, /\s*,?\s*/y)
  }
  const call = { name: name.replace(/\.call$/, ''), arguments: Object.fromEntries(entries) }
  return { calls: [call], end: position + 1 }
}

function readPrint(text: string, at: number): { calls: WrittenCall[]; end: number } | undefined {
  const read = readCall(text, at)
  if (!read) return undefined
  const end = skip(text, read.end, /\s*/y)
  return text[end] === ')' ? { calls: read.calls, end: end + 1 } : undefined
}

function matchAt(text: string, at: number, pattern: RegExp): { group: string; end: number } | undefined {
  pattern.lastIndex = at
  const found = pattern.exec(text)
  return found?.[1] === undefined ? undefined : { group: found[1], end: pattern.lastIndex }
}

function skip(text: string, at: number, pattern: RegExp): number {
  pattern.lastIndex = at
  pattern.exec(text)
  return Math.max(at, pattern.lastIndex)
}
