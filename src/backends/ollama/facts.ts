/** The small endpoints' answers, read with distrust: fields are missing in old servers and in imitations. */
import type { Told } from '../../protocol/sayings.ts'
import { typingSlips } from '../../text/nearest.ts'
import { fieldsOf, isRecord } from '../../text/record.ts'
import { told } from '../../words/sayings/told.ts'
import type { ModelFacts } from '../backend.ts'

/** A model that is loaded now. */
export interface LoadedModel {
  name: string
  /** Context length in tokens that the runner was started with. */
  context_length: number | undefined
  size: number
  /** Bytes of it on the GPU, where the server tells. */
  size_vram: number | undefined
  digest: string | undefined
  /** When the server will unload it if nobody asks: later than our own requests explain, another client has asked. */
  expires_at: string | undefined
}

export interface InstalledModel {
  name: string
  /** Bytes on disk. */
  size: number
  digest: string
  parameter_size: string | undefined
}

/** /api/show. It does not tell the digest: `/api/tags` and `/api/ps` do. */
export function readFacts(answer: unknown): ModelFacts {
  const show = fieldsOf(answer)
  const info = fieldsOf(show.model_info)
  const capabilities = Array.isArray(show.capabilities) ? show.capabilities.filter(isText) : []
  const trained = info[`${String(info['general.architecture'])}.context_length`]
  return { capabilities, trained_context: positive(trained) }
}

/**
 * What each token of context takes in memory (bytes), from /api/show: a key and a value of 16 bits in every layer. undefined: the
 * server does not tell enough.
 */
export function readTokenBytes(answer: unknown): number | undefined {
  const info = fieldsOf(fieldsOf(answer).model_info)
  const of = (name: string) => positive(info[`${String(info['general.architecture'])}.${name}`])
  const layers = of('block_count')
  const heads = of('attention.head_count')
  const width = of('embedding_length')
  const size = width !== undefined && heads !== undefined ? width / heads : undefined
  const key = of('attention.key_length') ?? size
  const value = of('attention.value_length') ?? size
  const pairs = of('attention.head_count_kv') ?? heads
  if (layers === undefined || pairs === undefined || key === undefined || value === undefined)
    return undefined
  return layers * pairs * (key + value) * 2
}

/** /api/ps. `context_length` is told since 0.10. */
export function readLoaded(answer: unknown): LoadedModel[] {
  return readModels(answer).map(({ name, context_length, size, size_vram, digest, expires_at }) => ({
    name: String(name),
    context_length: positive(context_length),
    size: positive(size) ?? 0,
    size_vram: typeof size_vram === 'number' ? size_vram : undefined,
    digest: isText(digest) ? digest : undefined,
    expires_at: isText(expires_at) ? expires_at : undefined,
  }))
}

/** /api/tags. */
export function readInstalled(answer: unknown): InstalledModel[] {
  return readModels(answer).map(({ name, size, digest, details }) => ({
    name: String(name),
    size: positive(size) ?? 0,
    digest: isText(digest) ? digest : '',
    parameter_size: isRecord(details) && isText(details.parameter_size) ? details.parameter_size : undefined,
  }))
}

/** /api/version; undefined: whatever answered, it is not Ollama. */
export function readVersion(answer: unknown): string | undefined {
  return isRecord(answer) && isText(answer.version) ? answer.version : undefined
}

/** The first version that knows `truncate`. */
const KNOWS_TRUNCATE = [0, 12, 6] as const

/**
 * What is to be said where a server of this version would cut a long conversation silently. Development builds call themselves 0.0.0 and
 * are taken to be new, and so is what cannot be read.
 */
export function versionProblem(version: string): Told | undefined {
  const numbers = /^v?(\d+)\.(\d+)\.(\d+)/.exec(version)?.slice(1).map(Number)
  if (numbers === undefined || numbers.every(number => number === 0)) return undefined
  const place = numbers.findIndex((number, index) => number !== KNOWS_TRUNCATE[index])
  const isOlder = place !== -1 && numbers[place]! < KNOWS_TRUNCATE[place]!
  return isOlder ? told('server_version.truncates', { version }) : undefined
}

/** True when two names mean the same model: the tag may be left out, and so may Ollama's own registry. */
export function isSameModel(one: string, other: string): boolean {
  return fullName(one) === fullName(other)
}

function fullName(name: string): string {
  const short = name.toLowerCase().replace(/^(?:registry\.ollama\.ai\/)?(?:library\/)?/, '')
  return short.slice(short.lastIndexOf('/') + 1).includes(':') ? short : `${short}:latest`
}

/** At most three of the installed names, the likeliest slips of `wanted` first. */
export function nearestNames(wanted: string, installed: readonly string[]): string[] {
  const slips = (name: string) => typingSlips(fullName(wanted), fullName(name))
  return [...installed].sort((a, b) => slips(a) - slips(b)).slice(0, 3)
}

function readModels(answer: unknown): Record<string, unknown>[] {
  const models = isRecord(answer) && Array.isArray(answer.models) ? answer.models : []
  return models.filter(isRecord).filter(({ name }) => isText(name))
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function positive(value: unknown): number | undefined {
  return typeof value === 'number' && value > 0 ? value : undefined
}
