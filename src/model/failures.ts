/**
 * Every way in which a model server can fail, as one sentence for the person: what was expected, what came, what to
 * do; with the code that decides the exit code, and the remedy that the loop may try by itself.
 * The patterns are the texts of Ollama (server/routes.go, llm/, model/parsers/ of 0.24 and 0.33), llama-server, Node.
 */
import { type ErrorCode, type Remedy, RunError } from '../protocol/errors.ts'
import { errorWords, type HttpFailure, signinAddress } from './reply.ts'

/** Where it happened: the server's address as people are told it, and the model where one was asked for. */
export interface Place {
  host: string
  model?: string
}

export interface ModelPlace extends Place {
  model: string
}

/** How far a request had come. */
export type Stage = 'connecting' | 'waiting' | 'reading'

const START =
  'start it with "ollama serve", install it from https://ollama.com/download, or try gopi without it: gopi --demo'
const CHECK_HOST = 'check --host, ollama.host or OLLAMA_HOST'
const TLS_CODES = /CERT|SSL|TLS|EPROTO|UNABLE_TO_(?:GET|VERIFY)/

/** The connection could not be made, or broke. `cause` is what Node threw. */
export function connectionFailure(cause: unknown, stage: Stage, { host }: Place): RunError {
  const why = (cause as NodeJS.ErrnoException).code ?? String((cause as Error).message)
  const fail = (code: ErrorCode, what: string, remedy: string) =>
    new RunError(code, `${what} (${why}): ${remedy}.`, { cause })
  if (why === 'ECONNREFUSED') return fail('no_server', `No Ollama answers at ${host}`, START)
  if (why === 'ENOTFOUND' || why === 'EAI_AGAIN') {
    return fail('no_server', `The name in ${host} leads to no address`, `${CHECK_HOST}, and the network`)
  }
  if (TLS_CODES.test(why)) {
    const remedy = 'use http:// if it speaks no TLS, or name its certificate authority in NODE_EXTRA_CA_CERTS'
    return fail('no_server', `No secure connection to ${host} could be made`, remedy)
  }
  if (why.startsWith('HPE_') && stage !== 'reading') {
    return fail('no_server', `What listens at ${host} does not speak HTTP`, CHECK_HOST)
  }
  if (stage === 'connecting') {
    return fail('no_server', `No connection to ${host} could be made`, `check the network, or ${START}`)
  }
  const when = stage === 'waiting' ? 'before it answered' : 'in the middle of the answer'
  const remedy = 'look whether Ollama still runs (its log says why), then ask again'
  return fail('stream', `The connection to Ollama at ${host} broke ${when}`, remedy)
}

/** Nothing came within `ollama.timeout` (ms). */
export function timeoutFailure(timeout: number, stage: Stage, { host }: Place): RunError {
  const what = stage === 'connecting' ? 'could not be reached' : 'took the connection but did not answer'
  const remedy = `${CHECK_HOST}, restart Ollama, or raise ollama.timeout`
  return new RunError('no_server', `Ollama at ${host} ${what} within ${toldDuration(timeout)}: ${remedy}.`)
}

/** The address itself is unusable. */
export function addressFailure({ host }: Place): RunError {
  const message = `${quoted(host)} is no address of a server: ${CHECK_HOST}, for example http://localhost:11434.`
  return new RunError('no_server', message)
}

/** A redirect is not followed: it would hand the whole conversation to whoever is named. */
export function redirectFailure(status: number, target: string | undefined, { host }: Place): RunError {
  const where = target === undefined ? 'elsewhere' : `to ${quoted(target)}`
  const message = `${host} redirects ${where} (${status}), which gopi does not follow: ${CHECK_HOST}.`
  return new RunError('no_server', message)
}

/** A web page instead of JSON: a proxy, a login page, another program. */
export function pageFailure(status: number, page: string, { host }: Place, cause?: HttpFailure): RunError {
  const title = /<title[^>]*>\s*([^<]*)/i.exec(page)?.[1]?.trim()
  const named = title ? ` (${quoted(title)})` : ''
  const message = `${host} answered ${status} with a web page${named} instead of JSON: another program or a proxy stands there; ${CHECK_HOST}.`
  return new RunError(status >= 500 ? 'stream' : 'no_server', message, { cause })
}

const STREAM_FAULTS = {
  empty: () => 'answered with nothing where JSON was expected',
  unfinished: () => 'ended its answer without the final record',
  cut_line: () => 'broke its answer off in the middle of a line',
  no_json: (line: string) => `sent ${quoted(line)} where a JSON object was expected`,
  too_long: (bound: string) => `sent a line of more than ${bound} without an end`,
  encoded: (encoding: string) => `answered in the encoding ${quoted(encoding)}, which was not asked for`,
  wrong_kind: (detail: string) => `sent an answer that cannot be read (${detail})`,
  gone: (silence: string) => `sent nothing for ${silence} and no longer has the model loaded`,
}

/** The bytes of an answer are not what the protocol promises. `detail` is what the sentence shows of them. */
export function streamFailure(fault: keyof typeof STREAM_FAULTS, { host }: Place, detail = ''): RunError {
  const what = STREAM_FAULTS[fault](detail)
  return new RunError(
    'stream',
    `Ollama at ${host} ${what}: ask again, and if it happens again look into its log.`,
  )
}

/** A tool call that came in a shape that nobody can run: the model is asked again. */
export function malformedCallFailure(detail: string, { host }: Place): RunError {
  const message = `The model at ${host} wrote a tool call that cannot be read (${detail}): ask again.`
  return new RunError('stream', message, { remedy: 'malformed_call' })
}

/** The model is not there; `nearest` are installed names like it. */
export function noModelFailure(
  { host, model }: ModelPlace,
  nearest: readonly string[],
  cause: unknown,
): RunError {
  const choice =
    nearest.length === 0 ? '' : `, or choose another with --model (installed: ${nearest.join(', ')})`
  const message = `Ollama at ${host} has no model "${model}": get it with "ollama pull ${model}"${choice}.`
  return new RunError('no_model', message, { cause })
}

/** Something answered in JSON or text, but not as Ollama does. */
export function strangerFailure(words: string, { host }: Place): RunError {
  const message = `What listens at ${host} does not answer as Ollama does (${quoted(words)}): ${CHECK_HOST}.`
  return new RunError('no_server', message)
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

interface Refusal {
  /** Undefined: said in the middle of a stream. */
  status: number | undefined
  words: string
  signin: string | undefined
  place: Place
}

interface Rule {
  when(refusal: Refusal): boolean
  code: ErrorCode
  remedy?: Remedy
  /** What it means and what to do; the server and its words come before. */
  advice(refusal: Refusal): string
}

const says = (pattern: RegExp) => (it: Refusal) => pattern.test(it.words)
const answers = (status: number) => (it: Refusal) => it.status === status
const isServerError = ({ status = 500 }: Refusal) => status >= 500
const named = ({ place }: Refusal) => (place.model === undefined ? 'the model' : `"${place.model}"`)

const CONTEXT_WORDS =
  /exceed(?:s|ed)? the (?:available |maximum )?context|longer than the context|context (?:length|size|window) (?:is )?exceeded/i
const MEMORY_WORDS =
  /requires more (?:system |GPU )?memory|out of memory|cudaMalloc failed|(?:failed|unable) to allocate|(?:cannot|can't) allocate|(?:not enough|insufficient) (?:\w+ )?memory|memory layout cannot be allocated|resource limitations/i
const DEATH_WORDS =
  /runner (?:process )?has (?:unexpectedly stopped|terminated)|error was encountered while running the model|llama-server .*(?:terminated|exited|crashed)/i
const CALL_WORDS =
  /failed to parse (?:JSON|tool|input)|error parsing tool call|XML syntax error|does not match the expected|invalid character .* (?:looking for|in string|after)|unexpected end of JSON/i

/** The first rule that fits decides. A runner's death may quote anything, so it comes before the malformed calls. */
const RULES: readonly Rule[] = [
  {
    when: says(/does not support tools/i),
    code: 'no_tools',
    remedy: 'no_tools',
    advice: it =>
      `${named(it)} takes no tools from Ollama; use --tool-calling react or json, or another model`,
  },
  {
    when: says(/does not support thinking|think value .*not supported/i),
    code: 'stream',
    remedy: 'no_thinking',
    advice: it => `${named(it)} cannot think on request; use --think off`,
  },
  {
    when: says(/does not support (?:chat|completion)|invalid model name/i),
    code: 'no_model',
    advice: it => `${named(it)} is no model for conversations; choose another with --model`,
  },
  {
    when: it => it.status === 404 && says(/model .*not found/i)(it),
    code: 'no_model',
    advice: it => `get it with "ollama pull ${it.place.model ?? 'NAME'}", or choose another with --model`,
  },
  {
    when: says(CONTEXT_WORDS),
    code: 'context',
    advice: it =>
      `the conversation no longer fits into the context of ${named(it)}; compact it, start a new session, or raise context.max_tokens`,
  },
  {
    when: says(MEMORY_WORDS),
    code: 'memory',
    advice: it =>
      `${named(it)} does not fit into the memory; close other programs, lower context.max_tokens, or choose a smaller model`,
  },
  {
    when: says(DEATH_WORDS),
    code: 'stream',
    advice: it =>
      `the process that runs ${named(it)} died; ask again (Ollama starts it anew), and if it dies again look into Ollama's log`,
  },
  {
    when: it => isServerError(it) && says(CALL_WORDS)(it),
    code: 'stream',
    remedy: 'malformed_call',
    advice: it => `${named(it)} wrote a tool call that Ollama could not read; ask again`,
  },
  {
    when: says(/cloud is disabled/i),
    code: 'no_model',
    advice: it =>
      `${named(it)} runs in Ollama's cloud; choose a local model, or start Ollama without OLLAMA_NO_CLOUD`,
  },
  {
    when: answers(401),
    code: 'no_server',
    advice: ({ signin }) =>
      signin === undefined
        ? 'sign in with "ollama signin", set OLLAMA_API_KEY, or put user and password into ollama.host'
        : `sign in with "ollama signin" or at ${signin}`,
  },
  {
    when: it => it.status === 403 && it.words === '',
    code: 'no_server',
    advice: () =>
      'it answers to local names only; use its IP address, or let it listen with OLLAMA_HOST=0.0.0.0',
  },
  {
    when: answers(403),
    code: 'no_model',
    advice: it => `${named(it)} is not open to you; check your account, or choose another with --model`,
  },
  {
    when: answers(404),
    code: 'no_server',
    advice: () => `this is not Ollama's interface; ${CHECK_HOST}`,
  },
  {
    when: it => it.status === 503 || it.status === 429 || says(/server busy|maximum pending requests/i)(it),
    code: 'busy',
    advice: () => 'it has too much to do; wait a little and ask again',
  },
  {
    when: it => it.status === 502 || it.status === 504,
    code: 'busy',
    advice: () => 'something between gopi and the model cannot reach it; wait a little and ask again',
  },
  { when: () => true, code: 'stream', advice: () => 'ask again, and if it happens again look into its log' },
]

function refusal(it: Refusal, cause: HttpFailure | undefined): RunError {
  const { code, remedy, advice } = RULES.find(({ when }) => when(it))!
  const message = `Ollama at ${it.place.host} answered with an error (${said(it)}): ${advice(it)}.`
  return new RunError(code, message, remedy === undefined ? { cause } : { remedy, cause })
}

function said({ status, words }: { status: number | undefined; words: string }): string {
  return [status, words === '' ? undefined : quoted(words)].filter(part => part !== undefined).join(': ')
}

/** A retry that the person is told about; `wait` in ms. */
export function retryNotice(failure: HttpFailure, wait: number, { host }: Place): string {
  const what = said({
    status: failure.status,
    words: isPage(failure.message) ? '' : errorWords(failure.message),
  })
  return `Ollama at ${host} cannot answer now (${what}); asking again in ${toldDuration(wait)}.`
}

/** Nothing came for a while (ms). `isLoaded`: what /api/ps says of the model; undefined when it says nothing. */
export function silenceNotice(
  silence: number,
  isLoaded: boolean | undefined,
  { host, model }: Place,
): string {
  const loaded = isLoaded
    ? `"${model}" is loaded there, so it is still reading the prompt or writing a tool call`
    : `"${model}" is not loaded there, so it is still being loaded or waits for room`
  const why = isLoaded === undefined ? 'and it does not say what it has loaded' : loaded
  return `Nothing has come from ${host} for ${toldDuration(silence)}; ${why}: keep waiting, or interrupt.`
}

/** The server's version is too old to be told not to truncate. */
export function oldVersionSentence(version: string): string {
  return `Ollama ${version} cuts a conversation that is too long without a word: update it to 0.12.6 or newer (https://ollama.com/download).`
}

/** True when an answer is a web page. */
export function isPage(body: string): boolean {
  return /^\s*</.test(body)
}

/** A duration in ms as people read it. */
export function toldDuration(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${Math.round(ms / 100) / 10} s`
}

/** Foreign text inside a sentence: one line, bounded, in quotes. */
function quoted(text: string): string {
  const line = text
    .replace(/\s+/g, ' ')
    .replace(/[\x00-\x1f\x7f-\x9f]/g, '\ufffd')
    .trim()
  return `"${line.length > 300 ? `${line.slice(0, 300)}…` : line}"`
}
