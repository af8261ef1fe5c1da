/** One `Action:` with its `Action Input:`, read while it arrives. */

import type { EndReason, WireTool } from '../../protocol/wire.ts'
import { isRecord } from '../../text/record.ts'
import type { Unreadable } from '../dialect.ts'
import { type Found, failed, findTool, matchCall, unknownTool } from '../matching.ts'
import { CallScanner } from '../rescue/call-scanner.ts'
import { readJson, readWholeJson } from '../rescue/lenient-json.ts'
import { readBlock } from '../rescue/read-block.ts'

/** What models write when they mean that there is nothing to do. */
const NO_ACTION = /^(?:none|null|n\/a|no action.*|无|没有)$/i
/** Nobody names a tool in a longer one. */
const MAX_LINE = 300
const NO_INPUT = /^(?:none|null|n\/a|empty|无)?$/i

/** `prose`: the line was no action, only a line of the answer that began with the word. `none`: there is nothing to do. */
export type ActionFound = Found | 'prose' | 'none'

export class Action {
  readonly #tools: readonly WireTool[]
  readonly #scanner: CallScanner
  #scanning = true
  #found: Found | undefined
  #text = ''
  #inputAt: number | undefined

  constructor(tools: readonly WireTool[]) {
    this.#tools = tools
    this.#scanner = new CallScanner({ tools, words: true, knownOnly: false })
  }

  /** The call, as soon as its input is complete. */
  get found(): Found | undefined {
    return this.#found
  }

  /** True inside a string of the input: a label there is part of the string. */
  get inString(): boolean {
    return this.#scanning && this.#scanner.inString
  }

  get hasInput(): boolean {
    return this.#inputAt !== undefined
  }

  /** The label `Action Input:` was read. */
  startInput(): void {
    this.#inputAt ??= this.#text.length
  }

  /** True at the end of the first line, where that says that there is nothing to do. */
  get isNone(): boolean {
    return this.#text.length < 80 && this.#text.trim() !== '' && NO_ACTION.test(this.#name())
  }

  #name(): string {
    const head = this.#text.slice(0, Math.min(this.#inputAt ?? this.#text.length, MAX_LINE)).trim()
    return (head.split('\n')[0] ?? '').replace(/^[*"'`\s]{1,20}/, '').replace(/[*"'`.\s]{1,20}$/, '')
  }

  feed(char: string): void {
    if (this.#found) return
    this.#text += char
    if (!this.#scanning) return
    const step = this.#scanner.feed(char)
    if (step === 'more') return
    this.#scanning = false
    const block = this.#scanner.block
    if (step === 'never' || !block) return
    const found = readBlock(block, this.#text.slice(block.from), this.#tools)
    if (found.calls.length > 0 || found.problem) this.#found = this.#placed(found)
  }

  /** Reads an action whose input was not complete by itself: the next label came, or the reply ended. */
  finish(end: EndReason | 'cut' | 'label'): ActionFound {
    const name = this.#name()
    if (NO_ACTION.test(name)) return 'none'
    const tool = findTool(name, this.#tools)
    if (!tool) return !this.hasInput && !/^\S+$/.test(name) ? 'prose' : failed(unknownTool(name))
    if (end === 'length' || end === 'cut') return failed(CUT)
    const args = readInput(this.#text.slice(this.#inputAt ?? this.#text.length), tool)
    if (!args) return failed(badInput(tool, this.hasInput))
    return this.#placed(matchCall(name, args, this.#tools))
  }

  /** Its own format: nothing around an action is prose. */
  #placed({ calls, ...rest }: Found): Found {
    const from = { from: 'text', text: this.#text.trim(), own: true, before: false, after: false } as const
    return { calls: calls.map(call => ({ ...call, from })), ...rest }
  }
}

const CUT: Unreadable = {
  kind: 'cut',
  detail: 'The reply was cut off inside an action, so the action was not run.',
}

/** A tool that takes nothing needs no input; a tool with one text parameter may be given that text as it is. */
function readInput(text: string, tool: WireTool): Record<string, unknown> | undefined {
  const open = text.trim().replace(/^```\w*\s/, '')
  const input = (open.endsWith('```') ? open.slice(0, -3) : open).trim()
  if (NO_INPUT.test(input) && tool.function.parameters.required.length === 0) return {}
  if (input.startsWith('{')) {
    const json = readJson(input)
    return json.ok && isRecord(json.value) ? json.value : undefined
  }
  const parameter = onlyTextParameter(tool)
  return parameter === undefined || input === '' ? undefined : { [parameter]: unquote(input) }
}

function onlyTextParameter(tool: WireTool): string | undefined {
  const { properties, required } = tool.function.parameters
  const names = Object.keys(properties)
  const candidates = names.length === 1 ? names : required
  const [name = '', ...others] = candidates
  return others.length === 0 && properties[name]?.type === 'string' ? name : undefined
}

function unquote(text: string): string {
  const json = /^["']/.test(text) ? readWholeJson(text) : undefined
  return json?.ok && typeof json.value === 'string' ? json.value : text.replace(/^`([^`]*)`$/, '$1')
}

function badInput(tool: WireTool, given: boolean): Unreadable {
  const wrong = given ? 'is no JSON object' : 'is missing'
  return { kind: 'bad_json', detail: `The Action Input of ${tool.function.name} ${wrong}.` }
}
