/**
 * Every way in which an Ollama server refuses: which sentence of the catalogues it is, with the code that decides the
 * exit code, and the remedy that the loop may try by itself.
 * The patterns are the texts of Ollama (server/routes.go, llm/, model/parsers/ of 0.24 and 0.33), llama-server, Node.
 */
import { RunError } from '../../protocol/errors.ts'
import { told } from '../../words/sayings/told.ts'
import {
  isPage,
  type ModelPlace,
  oneLine,
  type Place,
  pageFailure,
  type RefusalRule,
} from '../http/failures.ts'
import { errorWords, type HttpFailure, signinAddress } from '../http/reply.ts'

/** The model is not there; `nearest` are installed names like it. */
export function noModelFailure(place: ModelPlace, nearest: readonly string[], cause: unknown): RunError {
  return new RunError(told('no_model.missing', { ...place, nearest }), { cause })
}

/** Something answered in JSON or text, but not as Ollama does. */
export function strangerFailure(words: string, { host }: Place): RunError {
  return new RunError(told('no_server.stranger', { host, words: oneLine(words) }))
}

/** An answer with an error status. */
export function httpFailure(failure: HttpFailure, place: Place): RunError {
  const { status, message: body } = failure
  if (isPage(body)) return pageFailure(status, body, place, failure)
  return refusal({ status, words: errorWords(body), signin: signinAddress(body), place }, failure)
}

/** An error line in a stream whose status was 200 already: what would have been a 500. */
export function errorLineFailure(error: unknown, place: Place): RunError {
  return refusal({ status: undefined, words: errorWords(error), signin: undefined, place }, undefined)
}

/** What a download means by the words that ended it (server/download.go and images.go of 0.24, Go's network errors). */
const PULL_RULES: readonly RefusalRule<string>[] = [
  { when: words => /manifest: file does not exist/.test(words), told: 'no_model.no_such_model' },
  { when: words => /no space left on device|not enough space|disk full/i.test(words), told: 'disk.full' },
  { when: words => /manifest: 412|newer version of Ollama/.test(words), told: 'no_model.newer_ollama' },
  { when: words => /digest mismatch/.test(words), told: 'stream.damaged' },
  {
    when: words =>
      /max retries exceeded|dial tcp|no such host|i\/o timeout|TLS handshake|tls: |connection re|manifest: 5\d\d|EOF/.test(
        words,
      ),
    told: 'busy.no_library',
  },
]

/** The sentence about a download that failed says what keeps it from going on. */
export function pullFailure(error: RunError, place: ModelPlace): RunError {
  const words = error.facts?.words
  const rule = typeof words === 'string' ? PULL_RULES.find(({ when }) => when(words)) : undefined
  if (!rule || typeof words !== 'string') return error
  return new RunError(told(rule.told, { ...place, status: undefined, words, address: undefined }), {
    cause: error.cause,
  })
}

interface Refusal {
  /** Undefined: said in the middle of a stream. */
  status: number | undefined
  words: string
  signin: string | undefined
  place: Place
}

const says = (pattern: RegExp) => (it: Refusal) => pattern.test(it.words)
const answers = (status: number) => (it: Refusal) => it.status === status
const isServerError = ({ status = 500 }: Refusal) => status >= 500

const CONTEXT_WORDS =
  /exceed(?:s|ed)? the (?:available |maximum )?context|longer than the context|context (?:length|size|window) (?:is )?exceeded/i
const MEMORY_WORDS =
  /requires more (?:system |GPU )?memory|out of memory|cudaMalloc failed|(?:failed|unable) to allocate|(?:cannot|can't) allocate|(?:not enough|insufficient) (?:\w+ )?memory|memory layout cannot be allocated|resource limitations/i
const DEATH_WORDS =
  /runner (?:process )?has (?:unexpectedly stopped|terminated)|error was encountered while running the model|llama-server .*(?:terminated|exited|crashed)/i
const CALL_WORDS =
  /failed to parse (?:JSON|tool|input)|error parsing tool call|XML syntax error|does not match the expected|invalid character .* (?:looking for|in string|after)|unexpected end of JSON/i

/** The first rule that fits decides. A runner's death may quote anything, so it comes before the malformed calls. */
const RULES: readonly RefusalRule<Refusal>[] = [
  { when: says(/does not support tools/i), told: 'no_tools.refused', remedy: 'no_tools' },
  {
    when: says(/does not support thinking|think value .*not supported/i),
    told: 'stream.no_thinking',
    remedy: 'no_thinking',
  },
  { when: says(/does not support (?:chat|completion)/i), told: 'no_model.no_chat' },
  { when: says(/invalid model name/i), told: 'no_model.no_name' },
  { when: it => it.status === 404 && says(/model .*not found/i)(it), told: 'no_model.not_found' },
  { when: says(CONTEXT_WORDS), told: 'context.full' },
  { when: says(MEMORY_WORDS), told: 'memory.full' },
  { when: says(DEATH_WORDS), told: 'stream.runner_died' },
  {
    when: it => isServerError(it) && says(CALL_WORDS)(it),
    told: 'stream.call_unread',
    remedy: 'malformed_call',
  },
  { when: says(/cloud is disabled/i), told: 'no_model.no_cloud' },
  { when: answers(401), told: 'no_server.signin' },
  { when: it => it.status === 403 && it.words === '', told: 'no_server.local_names' },
  { when: answers(403), told: 'no_model.not_open' },
  { when: answers(404), told: 'no_server.not_ollama' },
  {
    when: it => it.status === 503 || it.status === 429 || says(/server busy|maximum pending requests/i)(it),
    told: 'busy.busy',
  },
  { when: it => it.status === 502 || it.status === 504, told: 'busy.gateway' },
  { when: () => true, told: 'stream.unknown' },
]

function refusal(it: Refusal, cause: HttpFailure | undefined): RunError {
  const { told: key, remedy } = RULES.find(({ when }) => when(it))!
  const { host, model } = it.place
  const facts = { host, status: it.status, words: oneLine(it.words), model, address: it.signin }
  return new RunError(told(key, facts), { remedy, cause })
}
