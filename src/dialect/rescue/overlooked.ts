/**
 * The last look at a reply without a call: attempts to call a known tool in a form whose meaning is not certain. They
 * are never run; the model is told, so that no attempt ends a run in silence.
 */
import type { WireTool } from '../../protocol/wire.ts'
import type { Unreadable } from '../dialect.ts'
import { findTool } from '../matching.ts'
import { isExample } from './example.ts'
import { interpretJson } from './interpret.ts'
import { readWholeJson } from './lenient-json.ts'

/** A call in an ordinary programming language. */
const CODE_CALL =
  /^(?:await\s+|print\s*\(\s*)?(?:(?:default_api|functions?|tools?)\.)?([\p{L}_][\p{L}\p{N}_]*)\s*\(/u
const ACTION_LINE =
  /^(?:[*_#>\s]{0,6})(?:action|动作|行动)[*_]{0,2}\s?[:：][*_]{0,2}\s*[`"']?([\w.-]{1,60})[`"']?\s*$/i
const TAG_LINE = /^\s{0,8}<(\/?)([\p{L}_][\p{L}\p{N}_:-]{0,60})(?=[\s>/])[^<]{0,300}>/u
const MARKED = /^(?:tool[_-]?call|tool[_-]?use|tool|function[_-]?call|function|invoke|call)s?$/i
const FENCE = /^\s{0,8}(`{3,}|~{3,})/
/** What is only an answer that happens to be long is not searched further. */
const MAX_LINES = 2000

const ONLY_FENCE = /^```[a-z_]{0,20}\s*(?=[{[])/i
/** A longer block is a document. */
const MAX_BLOCK = 4000

/** A reply that is one block and nothing else, with a call of a tool that is not there: such a block is shown as it comes. */
function unknownIn(text: string, tools: readonly WireTool[]): Unreadable | undefined {
  const whole = text.trim()
  const start = whole.length > MAX_BLOCK ? undefined : ONLY_FENCE.exec(whole)?.[0].length
  if (start === undefined || !whole.endsWith('```')) return undefined
  const json = readWholeJson(whole.slice(start, -3))
  const problem = json.ok ? interpretJson(json.value, tools).problem : undefined
  return problem?.kind === 'unknown_tool' ? problem : undefined
}

interface Attempt {
  name: string
  start: number
  end: number
}

/** What is to be said to the model of a text that was read as an answer; undefined: it holds no attempt. */
export function overlooked(text: string, tools: readonly WireTool[]): Unreadable | undefined {
  const unknown = unknownIn(text, tools)
  if (unknown) return unknown
  const found = attempts(text, tools).find(place => !isExample(text, place))
  if (!found) return undefined
  const detail = `It holds a call of ${found.name} in a form that is not run.`
  return { kind: 'no_format', detail }
}

function attempts(text: string, tools: readonly WireTool[]): Attempt[] {
  const found: Attempt[] = []
  const add = (name: string | undefined, start: number, end: number) => {
    const tool = name === undefined ? undefined : findTool(name, tools)
    if (tool) found.push({ name: tool.function.name, start, end })
  }
  add(codeCall(text), 0, text.length)
  let at = 0
  let fence: { ticks: string; start: number; from: number } | undefined
  let marked = false
  for (const line of text.split('\n', MAX_LINES)) {
    const next = Math.min(text.length, at + line.length + 1)
    const ticks = FENCE.exec(line)?.[1]
    if (fence) {
      if (ticks !== undefined && line.trim() === fence.ticks) {
        add(codeCall(text.slice(fence.from, at)), fence.start, next)
        fence = undefined
      }
    } else if (ticks !== undefined) fence = { ticks, start: at, from: next }
    else {
      add(ACTION_LINE.exec(line)?.[1], at, next)
      const [whole = '', closing, tag] = TAG_LINE.exec(line) ?? []
      if (closing === '' && tag !== undefined) {
        if (/\/>$/.test(whole) || line.includes(`</${tag}>`)) add(tag, at, next)
        marked = MARKED.test(tag)
      }
      if (marked) add(/(?:^|>)\s*([\w.-]{1,60})(?=[\s(<]|$)/.exec(line)?.[1], at, next)
      if (closing === '/') marked = false
    }
    at = next
  }
  if (fence) add(codeCall(text.slice(fence.from)), fence.start, text.length)
  return found
}

/** The name of the function that a text calls and does nothing else. */
function codeCall(text: string): string | undefined {
  const code = text.trim()
  return /\)\s*;?$/.test(code.slice(-20)) ? CODE_CALL.exec(code)?.[1] : undefined
}
