/** What Ollama's decoder refuses, and in which words: a client that is tested sends nothing of the kind. */
import { goDuration, goKind } from '../../../src/demo/go.ts'
import type { DemoModelInfo } from '../../../src/demo/models.ts'
import { type ChatBody, HttpError, parseJson } from '../../../src/demo/request.ts'
import { messageOf } from '../../../src/text/message-of.ts'
import { isRecord } from '../../../src/text/record.ts'

type Json = Record<string, unknown>

const KINDS: Record<string, { go: string; fits: (value: unknown) => boolean }> = {
  string: { go: 'string', fits: value => typeof value === 'string' },
  bool: { go: 'bool', fits: value => typeof value === 'boolean' },
  messages: { go: '[]api.Message', fits: Array.isArray },
  tools: { go: 'api.Tools', fits: Array.isArray },
  options: { go: 'map[string]interface {}', fits: isRecord },
}

const FIELDS: Record<string, keyof typeof KINDS> = {
  model: 'string',
  messages: 'messages',
  stream: 'bool',
  tools: 'tools',
  truncate: 'bool',
  shift: 'bool',
  options: 'options',
}

const INTEGERS = new Set([
  'num_ctx',
  'num_batch',
  'num_gpu',
  'main_gpu',
  'num_thread',
  'num_keep',
  'num_predict',
  'seed',
  'top_k',
  'repeat_last_n',
])

/** Checks a chat body. Throws `HttpError` 400 in the words of Go's decoder. */
export function checkBody(text: string): void {
  const body = parseJson(text)
  for (const [field, kind] of Object.entries(FIELDS)) {
    const value = body[field]
    if (value !== undefined && value !== null) check(value, kind, `ChatRequest.${field}`)
  }
  for (const message of (body.messages ?? []) as unknown[]) checkMessage(message)
  checkThink(body.think)
  checkKeepAlive(body.keep_alive)
}

/** Options of a wrong type are found only when the model is scheduled. Throws `HttpError` 500, as Ollama does. */
export function checkOptions(options: Json): void {
  for (const [key, value] of Object.entries(options)) {
    if (INTEGERS.has(key) && typeof value !== 'number')
      throw new HttpError(500, `option "${key}" must be of type integer`)
    if (key === 'stop' && !Array.isArray(value))
      throw new HttpError(500, 'option "stop" must be of type array')
  }
}

/** Throws `HttpError` for what the model cannot do. */
export function checkAbilities(model: DemoModelInfo, body: ChatBody): void {
  const can = (ability: string) => model.capabilities.includes(ability)
  if (body.think && !can('thinking')) throw new HttpError(400, `"${body.model}" does not support thinking`)
  if (!can('completion')) throw new HttpError(400, `"${body.model}" does not support chat`)
  if (body.tools.length > 0 && !can('tools')) throw new HttpError(400, `${model.full} does not support tools`)
  if (body.format !== undefined && body.format !== '' && body.format !== 'json' && !isRecord(body.format)) {
    const words = 'expected "json" or a valid JSON Schema object'
    const given = JSON.stringify(JSON.stringify(body.format))
    throw new HttpError(500, `invalid format: ${given}; ${words}`, { streamed: true })
  }
}

function checkMessage(message: unknown): void {
  if (!isRecord(message)) {
    throw new HttpError(
      400,
      `json: cannot unmarshal ${goKind(message)} into Go struct field ChatRequest.messages of type api.Message`,
    )
  }
  for (const field of ['role', 'content', 'thinking', 'tool_name', 'tool_call_id']) {
    const value = message[field]
    if (value !== undefined && value !== null) check(value, 'string', `ChatRequest.messages.${field}`)
  }
  const calls = message.tool_calls
  if (Array.isArray(calls)) {
    for (const call of calls) {
      const args = isRecord(call) && isRecord(call.function) ? call.function.arguments : undefined
      if (!isRecord(args))
        throw new HttpError(400, "Value looks like object, but can't find closing '}' symbol")
    }
  }
}

function checkThink(think: unknown): void {
  if (think === undefined || think === null) return
  if (typeof think === 'boolean') return
  if (typeof think === 'string' && ['high', 'medium', 'low', 'max'].includes(think)) return
  if (typeof think === 'string') {
    const words = '(must be "high", "medium", "low", "max", true, or false)'
    throw new HttpError(400, `invalid think value: ${JSON.stringify(think)} ${words}`)
  }
  throw new HttpError(
    400,
    'think must be a boolean or string ("high", "medium", "low", "max", true, or false)',
  )
}

function checkKeepAlive(value: unknown): void {
  if (value === undefined || value === null) return
  if (typeof value !== 'string' && typeof value !== 'number')
    throw new HttpError(400, `Unsupported type: '${goKind(value)}'`)
  try {
    goDuration(value)
  } catch (error) {
    throw new HttpError(400, messageOf(error))
  }
}

function check(value: unknown, kind: keyof typeof KINDS, field: string): void {
  const wanted = KINDS[kind]!
  if (wanted.fits(value)) return
  throw new HttpError(
    400,
    `json: cannot unmarshal ${goKind(value)} into Go struct field ${field} of type ${wanted.go}`,
  )
}
