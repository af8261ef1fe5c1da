/**
 * What can go wrong between gopi and any server that speaks HTTP, as a sentence of the catalogues with the code that decides
 * the exit code. What a server refuses by itself is its kind's affair.
 */
import { type Remedy, RunError } from '../../protocol/errors.ts'
import type { Told } from '../../protocol/sayings.ts'
import { messageOf } from '../../text/message-of.ts'
import { isOutOfFiles, ownFailure } from '../../words/own-failure.ts'
import type { Sayings } from '../../words/sayings/en.ts'
import type { Refused } from '../../words/sayings/en-backend.ts'
import { told } from '../../words/sayings/told.ts'
import { errorWords, type HttpFailure } from './reply.ts'

/** Where it happened: the server's address as people are told it, and the model where one was asked for. */
export interface Place {
  host: string
  model?: string
  /** The provider's name, where it is another kind of server than Ollama: sentences speak of what configures it. */
  provider?: string
}

export interface ModelPlace extends Place {
  model: string
}

/** One way in which a kind of server refuses: the sentence that says so, and what the loop may try by itself. */
export interface RefusalRule<Refusal> {
  when(refusal: Refusal): boolean
  told: RefusalKey
  remedy?: Remedy
}

type RefusalKey = {
  [Key in keyof Sayings]: Sayings[Key] extends Refused ? Exclude<Key, 'retry'> : never
}[keyof Sayings]

/** How far a request had come. */
export type Stage = 'connecting' | 'waiting' | 'reading'

const TLS_CODES = /CERT|SSL|TLS|EPROTO|UNABLE_TO_(?:GET|VERIFY)/

/** What every sentence about a server is told of it. */
export const at = ({ host, provider }: Place): { host: string; provider?: string } =>
  provider === undefined ? { host } : { host, provider }

/** The connection could not be made, or broke. `cause` is what Node threw. */
export function connectionFailure(cause: unknown, stage: Stage, place: Place): RunError {
  if (isOutOfFiles(cause)) return ownFailure(cause)
  const why = (cause as NodeJS.ErrnoException).code ?? String((cause as Error).message)
  return new RunError(told(brokenBy(why, stage), { ...at(place), why: oneLine(why) }), { cause })
}

function brokenBy(why: string, stage: Stage) {
  if (why === 'ECONNREFUSED') return 'no_server.refused'
  if (why === 'ENOTFOUND' || why === 'EAI_AGAIN') return 'no_server.no_such_name'
  if (TLS_CODES.test(why)) return 'no_server.no_tls'
  if (why.startsWith('HPE_') && stage !== 'reading') return 'no_server.no_http'
  if (stage === 'connecting') return 'no_server.unreachable'
  return stage === 'waiting' ? 'stream.broke_waiting' : 'stream.broke_reading'
}

/** The file of `ca` cannot be read; `cause` is what Node threw. */
export function certificatesFailure(cause: unknown, place: Place): RunError {
  const why = oneLine(messageOf(cause))
  return new RunError(told('no_server.no_certificates', { ...at(place), why }), { cause })
}

/** Nothing came within `ollama.timeout` (ms). */
export function timeoutFailure(timeout: number, stage: Stage, place: Place): RunError {
  const key = stage === 'connecting' ? 'no_server.connect_timeout' : 'no_server.answer_timeout'
  return new RunError(told(key, { ...at(place), timeout }))
}

/** The address itself is unusable. */
export function addressFailure(place: Place): RunError {
  return new RunError(told('no_server.no_address', { ...at(place), host: oneLine(place.host) }))
}

/** A redirect is not followed: it would hand the whole conversation to whoever is named. */
export function redirectFailure(status: number, to: string | undefined, place: Place): RunError {
  return new RunError(
    told('no_server.redirect', { ...at(place), status, target: to === undefined ? to : oneLine(to) }),
  )
}

/** A web page instead of JSON: a proxy, a login page, another program. */
export function pageFailure(status: number, page: string, place: Place, cause?: HttpFailure): RunError {
  const title = /<title[^>]*>\s*([^<]*)/i.exec(page)?.[1]?.trim()
  const facts = { ...at(place), status, title: title ? oneLine(title) : undefined }
  return new RunError(told(status >= 500 ? 'stream.page' : 'no_server.page', facts), { cause })
}

type Fault = 'empty' | 'unfinished' | 'cut_line' | 'no_json' | 'too_long' | 'encoded' | 'wrong_kind' | 'gone'

/** The bytes of an answer are not what the protocol promises. `detail` is what the sentence shows of them. */
export function streamFailure(fault: Fault, place: Place, detail: string | number = ''): RunError {
  const shown = typeof detail === 'string' ? oneLine(detail) : detail
  return new RunError(told(`stream.${fault}`, { ...at(place), detail: shown }))
}

/** A tool call that came in a shape that nobody can run: the model is asked again. */
export function malformedCallFailure(detail: string, place: Place): RunError {
  return new RunError(told('stream.unreadable_call', { ...at(place), detail }), { remedy: 'malformed_call' })
}

/** A retry that the person is told about; `wait` in ms. */
export function retryNotice({ status, message }: HttpFailure, wait: number, place: Place): Told {
  const words = isPage(message) ? '' : oneLine(errorWords(message))
  return told('retry', { ...at(place), status, words, model: place.model, wait })
}

/** Nothing came for a while (ms). `isLoaded`: what the server says of the model; undefined when it says nothing. */
export function silenceNotice(silence: number, isLoaded: boolean | undefined, place: ModelPlace): Told {
  const state = isLoaded === undefined ? 'untold' : isLoaded ? 'loaded' : 'not_loaded'
  return told(`silence.${state}`, { ...place, silence })
}

/** True when an answer is a web page. */
export function isPage(body: string): boolean {
  return /^\s*</.test(body)
}

/** Foreign words as a fact: one line, bounded, harmless. */
export function oneLine(text: string): string {
  const line = text
    .replace(/\s+/g, ' ')
    .replace(/[\x00-\x1f\x7f-\x9f]/g, '\ufffd')
    .trim()
  return line.length > 300 ? `${line.slice(0, 300)}…` : line
}
