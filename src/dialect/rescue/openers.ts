/** What a call written as text can begin with, and where each of these counts as a beginning. */
import type { WireTool } from '../../protocol/wire.ts'

/**
 * `marker`: nobody writes it but to call. `action`: ReAct's line. `element`: a tag with a tool's name. `bare`: a bracket that may be JSON or a list of
 * Python calls. `fence`: a code block. `function`: a tool's name with a parenthesis, as the whole reply.
 */
export type OpenerKind = 'marker' | 'action' | 'element' | 'bare' | 'fence' | 'function'

/** What stands before: the reply's start, a line's start, the end of a sentence, a quotation mark. */
export interface Place {
  replyStart: boolean
  lineStart: boolean
  sentenceStart: boolean
  quoted: boolean
}

const bars = (marker: string) => [marker, marker.replaceAll('｜', '|')]

/** Markers with which the models' templates begin a call. */
export const CALL_MARKERS: readonly string[] = [
  ...['<tool_call>', '<tool_calls>', '<tools>', '<tool>', '<function_call>', '<function_calls>'], // qwen, hermes, olmo
  ...['<tool_use>', '<toolcall>', '<tool-call>', '<tool_code>', '<use_tool>'],
  ...['<function=', '<function name=', '<invoke name=', '<minimax:tool_call>', '<seed:tool_call>'], // qwen3-coder, llama3
  ...['[TOOL_CALLS]', '[TOOL_CALL]', '[tool_call]', '[tool_calls]', '[tool]', '[TOOL_REQUEST]'], // mistral, LM Studio
  ...['<|tool_call|>', '<|tool_call>', '<|tool_calls|>', '<|tool_call_start|>', '<start_function_call>'], // granite, gemma, lfm2
  ...['<|python_tag|>', '<|tool_calls_section_begin|>', '<|tool_call_begin|>', '<|start|>'], // llama3, kimi, gpt-oss
  ...bars('<｜tool▁calls▁begin｜>'),
  ...bars('<｜tool▁call▁begin｜>'), // deepseek
]
/** A marker in quotes or backticks is talked about, not used. */
const MARKERS: readonly string[] = [...CALL_MARKERS, '<|channel|>']
const LINE_MARKERS: readonly string[] = ['functools[', 'commentary to=', 'assistant to=', 'to=functions.']
const ACTIONS: readonly string[] = ['Action', '**Action', '动作', '行动', '**动作', '**行动'].flatMap(
  label => [`${label}:`, `${label}：`],
)

const lower = (texts: readonly string[]) => texts.map(text => text.toLowerCase())
/** In whatever case: none differs from another by case alone. */
const OPENERS: readonly [OpenerKind, 'anywhere' | 'line', readonly string[]][] = [
  ['marker', 'anywhere', lower(MARKERS)],
  ['marker', 'line', lower(LINE_MARKERS)],
  ['action', 'line', lower(ACTIONS)],
  ['fence', 'line', ['```']],
]
/** Everything but a tool's name begins with one of these: all other text passes without a look. */
const FIRST_CHARACTERS = new Set([...OPENERS.flatMap(([, , openers]) => openers), '{'].map(text => text[0]))

/** What `text` is at this place; `maybe` while more text could still make it an opener. */
export function matchOpener(
  text: string,
  place: Place,
  tools: readonly WireTool[],
): OpenerKind | 'maybe' | undefined {
  const written = text.toLowerCase()
  const first = written[0] ?? ''
  if (!FIRST_CHARACTERS.has(first) && !place.replyStart) return undefined
  const candidates: [OpenerKind, readonly string[]][] = []
  for (const [kind, where, openers] of OPENERS) {
    if (where === 'line' ? place.lineStart : !place.quoted) candidates.push([kind, openers])
  }
  if (place.lineStart && first === '<') candidates.push(['element', namesOf(tools).flatMap(elementOpeners)])
  if (place.replyStart) candidates.push(['function', namesOf(tools).map(name => `${name}(`)])
  for (const [kind, openers] of candidates) if (openers.includes(written)) return kind
  if (candidates.some(([, openers]) => openers.some(opener => opener.startsWith(written)))) return 'maybe'
  const bare = first === '{' ? place.lineStart || place.sentenceStart : first === '[' && place.lineStart
  return bare ? 'bare' : undefined
}

const namesOf = (tools: readonly WireTool[]) => tools.map(tool => tool.function.name.toLowerCase())
const elementOpeners = (name: string) => [`<${name}>`, `<${name} `]
