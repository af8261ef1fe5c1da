/**
 * A reply out of its chunks, read with distrust: the protocol has one description and many dialects. Calls come in pieces,
 * several at once, in any order; each is passed on as soon as it is known to be whole, in the order in which they began.
 */
import type { EndReason, Metrics, Piece } from '../../protocol/wire.ts'
import { fieldsOf, isRecord } from '../../text/record.ts'

/** A field of the wrong kind; `malformedCall` when a tool call is at fault, which the model can mend. */
export class ChunkError extends Error {
  readonly malformedCall: boolean
  constructor(message: string, malformedCall = false) {
    super(message)
    this.malformedCall = malformedCall
  }
}

interface OpenCall {
  id: string
  name: string
  arguments: string
}

type Figures = Pick<Metrics, 'prompt_tokens' | 'completion_tokens' | 'cached_tokens'>

/** What the server told of its times; milliseconds. */
interface Times {
  prefill_ms: number
  decode_ms: number
}

export class Reply {
  /** In the order in which they began. */
  #calls: OpenCall[] = []
  #passed = 0
  /** The call that each of the server's numbers means now. */
  #open = new Map<number, OpenCall>()
  #last: OpenCall | undefined
  #figures: Figures | undefined
  #times: Times | undefined
  /** The server has said how it ended; its figures may follow. */
  reason: EndReason | undefined

  /** The pieces that a chunk, or a whole answer, brings. Throws `ChunkError`. */
  push(chunk: Record<string, unknown>): Piece[] {
    this.#count(chunk)
    const choices = chunk.choices ?? []
    if (!Array.isArray(choices)) throw new ChunkError(`choices is ${kind(choices)}, not a list`)
    const [choice] = choices as unknown[]
    if (choice === undefined) return []
    if (!isRecord(choice)) throw new ChunkError(`a choice is ${kind(choice)}, not an object`)
    const delta = choice.delta ?? choice.message ?? {}
    if (!isRecord(delta)) throw new ChunkError(`delta is ${kind(delta)}, not an object`)
    const pieces: Piece[] = []
    const thinking = text(delta, 'reasoning_content') || text(delta, 'reasoning')
    if (thinking !== '') pieces.push({ type: 'thinking', text: thinking })
    const said = content(delta.content)
    if (said !== '') pieces.push({ type: 'text', text: said })
    pieces.push(...this.#takeCalls(delta))
    const { finish_reason: reason } = choice
    if (typeof reason === 'string' && reason !== '') this.reason = reason === 'length' ? 'length' : 'stop'
    return pieces
  }

  /** Nothing follows: the calls that were held back. A reply that was cut has no half calls. Throws `ChunkError`. */
  finish(): Piece[] {
    return this.#whole(this.reason === 'length')
  }

  /** undefined where the server gives no figures. Times that it does not tell are ours, in milliseconds. */
  metrics(ours: Times): Metrics | undefined {
    if (!this.#figures) return undefined
    const times = this.#times ?? ours
    return { ...this.#figures, load_ms: 0, ...times, total_ms: times.prefill_ms + times.decode_ms }
  }

  /** Some servers send running figures with every chunk: the last ones hold. */
  #count({ usage, timings }: Record<string, unknown>): void {
    const times = fieldsOf(timings)
    if (isCount(times.prompt_ms) && isCount(times.predicted_ms))
      this.#times = { prefill_ms: times.prompt_ms, decode_ms: times.predicted_ms }
    if (!isRecord(usage)) return
    const { prompt_tokens, completion_tokens } = usage
    if (!isCount(prompt_tokens) || !isCount(completion_tokens)) return
    const told = [
      fieldsOf(usage.prompt_tokens_details).cached_tokens,
      usage.prompt_cache_hit_tokens,
      times.cache_n,
    ].find(isCount)
    this.#figures = {
      prompt_tokens,
      completion_tokens,
      ...(told !== undefined && { cached_tokens: Math.min(told, prompt_tokens) }),
    }
  }

  #takeCalls({ tool_calls: value, function_call }: Record<string, unknown>): Piece[] {
    const calls = value ?? (isRecord(function_call) ? [{ index: 0, function: function_call }] : [])
    if (!Array.isArray(calls)) throw new ChunkError(`tool_calls is ${kind(calls)}, not a list`)
    const pieces: Piece[] = []
    for (const piece of calls as unknown[]) {
      if (!isRecord(piece)) throw new ChunkError(`a tool call is ${kind(piece)}, not an object`, true)
      const { name, arguments: given } = fieldsOf(piece.function)
      const call = this.#callOf(piece, { isNamed: isText(name) })
      if (isText(piece.id) && call.id === '') call.id = piece.id
      // Some send the name with every piece, and nobody sends it in halves.
      if (isText(name)) call.name = name
      if (typeof given === 'string') call.arguments += given
      else if (given !== undefined && given !== null) call.arguments = JSON.stringify(given)
      // Another call has begun: those before it are usually whole.
      if (this.#last !== undefined && call !== this.#last) pieces.push(...this.#whole(true))
      this.#last = call
    }
    return pieces
  }

  /**
   * The call that a piece belongs to, by its number, else by its id. Some servers number every call 0 and others
   * make up a new id for every piece, so that only a name with another id is another call.
   */
  #callOf({ index, id }: Record<string, unknown>, { isNamed }: { isNamed: boolean }): OpenCall {
    const number = isCount(index) ? index : undefined
    const known =
      number !== undefined
        ? this.#open.get(number)
        : (this.#calls.find(call => call.id !== '' && call.id === id) ??
          (isText(id) ? undefined : this.#last))
    const isOther = known !== undefined && isNamed && isText(id) && known.id !== '' && known.id !== id
    if (known && !isOther) return known
    if (this.#calls.length >= MOST_CALLS) throw new ChunkError(`more than ${MOST_CALLS} tool calls`)
    const call = { id: '', name: '', arguments: '' }
    this.#calls.push(call)
    if (number !== undefined) this.#open.set(number, call)
    return call
  }

  /** The calls that were not passed on; with `patient` only up to the last one, or the first that is not whole. */
  #whole(patient: boolean): Piece[] {
    const pieces: Piece[] = []
    const end = this.#calls.length - (patient && this.reason === undefined ? 1 : 0)
    for (; this.#passed < end; this.#passed++) {
      try {
        pieces.push(pieceOf(this.#calls[this.#passed]!))
      } catch (error) {
        if (patient && error instanceof ChunkError) break
        throw error
      }
    }
    return pieces
  }
}

/** More calls in one reply are no reply but an attack on the memory. */
const MOST_CALLS = 1000

function pieceOf({ id, name, arguments: given }: OpenCall): Piece {
  if (name === '') throw new ChunkError('a tool call has no name', true)
  let value: unknown
  try {
    value = given.trim() === '' ? {} : JSON.parse(given)
    // Some write the object as a text within the text.
    if (typeof value === 'string') value = JSON.parse(value)
  } catch {
    throw new ChunkError(`the arguments of the tool call "${name}" are no JSON`, true)
  }
  if (!isRecord(value))
    throw new ChunkError(`the arguments of the tool call "${name}" are ${kind(value)}, not an object`, true)
  return { type: 'call', name, arguments: value, ...(id !== '' && { id }) }
}

/** A text, or its parts. */
function content(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return value
  if (!Array.isArray(value)) throw new ChunkError(`content is ${kind(value)}, not a text`)
  return (value as unknown[]).map(part => String(fieldsOf(part).text ?? '')).join('')
}

function text(delta: Record<string, unknown>, field: string): string {
  const value = delta[field] ?? ''
  if (typeof value !== 'string') throw new ChunkError(`${field} is ${kind(value)}, not a text`)
  return value
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
const isCount = (value: unknown): value is number => typeof value === 'number' && value >= 0

function kind(value: unknown): string {
  if (value === null || value === undefined) return 'missing'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
