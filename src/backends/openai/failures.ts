/**
 * Every way in which a server of chat completions refuses: which sentence of the catalogues it is, and the remedy that the
 * loop may try. The patterns are the texts of OpenAI, vLLM, SGLang, llama.cpp's server (in C++ and in Python), LM Studio,
 * Ollama and the routers and vendors that speak like them.
 */
import { RunError } from '../../protocol/errors.ts'
import { fieldsOf, parseRecord } from '../../text/record.ts'
import { told } from '../../words/sayings/told.ts'
import { at, isPage, oneLine, type Place, pageFailure, type RefusalRule } from '../http/failures.ts'
import { errorWords, HttpFailure } from '../http/reply.ts'

interface Refusal {
  /** Undefined: said in the middle of a stream, without a number. */
  status: number | undefined
  words: string
  /** All that was said: words, types, names of fields. */
  all: string
}

const says = (pattern: RegExp) => (it: Refusal) => pattern.test(it.all)
const answers =
  (...statuses: number[]) =>
  (it: Refusal) =>
    it.status !== undefined && statuses.includes(it.status)

const NO_TOOLS =
  /does not support (?:tools|tool[ _]use|function)|enable-auto-tool-choice|tool-call-parser|tools? param(?:eter)? requires|no endpoints found that support tool|requires --jinja/i
const NO_THINKING =
  /does not support (?:thinking|reasoning)|reasoning_effort|enable_thinking.*(?:invalid|not supported)/i
const CONTEXT =
  /context_length_exceeded|maximum context length|exceed(?:s|ed)? (?:the )?(?:model's )?(?:available |maximum )?context|context (?:length|size|window) (?:is )?exceeded|longer than the (?:model's )?(?:context|max)|exceed context window|prompt is too long|input (?:length|tokens) .*exceed|max_model_len|too many tokens/i
const MEMORY =
  /out of memory|cudaMalloc failed|(?:failed|unable) to allocate|requires more (?:system |GPU )?memory/i
const UNPAID =
  /insufficient_quota|insufficient (?:balance|credits?|funds)|billing|exceeded your current quota|arrearage|payment/i
const NO_MODEL =
  /model_not_found|(?:the )?model [`'"]?[^ ]+[`'"]? (?:does not exist|is not found|not found)|no such model|invalid model|unknown model|not a valid model/i
const CALL =
  /failed to parse (?:JSON|tool|input)|error parsing tool call|tool_use_failed|unexpected end of JSON|invalid (?:tool call|function) arguments/i

/** The first rule that fits decides. */
const RULES: readonly RefusalRule<Refusal>[] = [
  { when: answers(401, 407), told: 'no_server.no_key' },
  { when: it => answers(402)(it) || (answers(403, 429)(it) && says(UNPAID)(it)), told: 'no_server.unpaid' },
  { when: says(NO_TOOLS), told: 'no_tools.refused', remedy: 'no_tools' },
  { when: says(NO_MODEL), told: 'no_model.unknown' },
  { when: says(CONTEXT), told: 'context.full' },
  { when: says(NO_THINKING), told: 'stream.no_thinking', remedy: 'no_thinking' },
  { when: says(MEMORY), told: 'memory.full' },
  { when: says(CALL), told: 'stream.call_unread', remedy: 'malformed_call' },
  { when: answers(403), told: 'no_server.no_key' },
  { when: answers(404, 405), told: 'no_server.no_chat' },
  { when: answers(413), told: 'context.too_large' },
  { when: it => answers(429)(it) || says(/rate.?limit/i)(it), told: 'busy.rate' },
  { when: it => answers(503, 529)(it) || says(/overloaded|server busy|at capacity/i)(it), told: 'busy.busy' },
  { when: answers(502, 504, 520, 522, 524), told: 'busy.gateway' },
  { when: () => true, told: 'stream.unknown' },
]

/** An answer with an error status. */
export function httpFailure(failure: HttpFailure, place: Place): RunError {
  const { status, message: body } = failure
  if (isPage(body)) return pageFailure(status, body, place, failure)
  return refusal({ status, words: wordsOf(body), all: body }, place, failure)
}

/** An error in a stream whose status was 200 already; it may name the one that it would have been. */
export function errorEventFailure(error: unknown, place: Place): RunError {
  const { code, status } = fieldsOf(error)
  const number = [code, status].map(Number).find(one => one >= 400 && one < 600)
  return refusal({ status: number, words: wordsOf(error), all: JSON.stringify(error) ?? '' }, place)
}

function refusal(it: Refusal, place: Place, cause?: HttpFailure): RunError {
  const { told: key, remedy } = RULES.find(({ when }) => when(it))!
  const facts = { ...at(place), status: it.status, words: oneLine(it.words), model: place.model }
  return new RunError(told(key, facts), { remedy, cause })
}

/** Python servers say `detail`, a text or a list of what is wrong with which field. */
function wordsOf(error: unknown): string {
  const { detail } = fieldsOf(typeof error === 'string' ? parseRecord(error) : error)
  if (Array.isArray(detail))
    return (detail as unknown[]).map(one => String(fieldsOf(one).msg ?? '')).join(', ')
  return errorWords(detail ?? error)
}

/** Something answered in JSON or text, but not as such a server does. */
export function strangerFailure(words: string, place: Place): RunError {
  return new RunError(told('no_server.stranger', { ...at(place), words: oneLine(words) }))
}

/** Asking again later changes nothing. */
export const isFinal = (error: unknown): boolean =>
  error instanceof RunError && error.facts?.case === 'unpaid'

/** The same answer without what must never be written down. */
export function withoutSecrets(failure: HttpFailure, hide: (text: string) => string): HttpFailure {
  return new HttpFailure(failure.status, hide(failure.message), failure.retryAfter)
}
