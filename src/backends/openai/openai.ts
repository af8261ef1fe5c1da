/**
 * The `Backend` of a server that speaks chat completions as OpenAI does: vLLM, SGLang, llama.cpp's server, LM Studio,
 * routers before them, vendors. Every request has a connection of its own, so that it can be cancelled at any time.
 */
import { RunError } from '../../protocol/errors.ts'
import type { OpenAiProvider } from '../../protocol/provider.ts'
import type { Piece } from '../../protocol/wire.ts'
import { fieldsOf } from '../../text/record.ts'
import { told } from '../../words/sayings/told.ts'
import { shownHost } from '../address.ts'
import type { Asking, Backend, ChatRequest, ModelEvent, ModelFacts } from '../backend.ts'
import { type Connection, createConnection } from '../http/connection.ts'
import {
  addressFailure,
  type ModelPlace,
  malformedCallFailure,
  type Place,
  streamFailure,
} from '../http/failures.ts'
import { LINE_BOUND } from '../http/lines.ts'
import type { ClientOptions } from '../http/options.ts'
import { HttpFailure } from '../http/reply.ts'
import { DEFAULT_RETRY, planRetries, sleep } from '../http/retry.ts'
import { watchSilence } from '../http/silence.ts'
import { createTransport } from '../http/transport.ts'
import { chatBody, SPARE, type Spare } from './chat-body.ts'
import { events } from './events.ts'
import { readModels, readSlotContext, type ServedModel } from './facts.ts'
import { errorEventFailure, httpFailure, isFinal, strangerFailure, withoutSecrets } from './failures.ts'
import { ChunkError, Reply } from './reply.ts'

export interface OpenAiOptions extends ClientOptions, Omit<OpenAiProvider, 'type' | 'timeout'> {
  /** The provider's name in the configuration. */
  name: string
}

/** How long (ms) figures may take to follow the end of a reply. */
const GRACE = 1000

/** Makes the client; nothing is sent before the first request. Throws `RunError` when `base_url` is no address. */
export function createOpenAi(options: OpenAiOptions): Backend {
  const { name, api_key, timeout, memory, models: known = {}, retry = DEFAULT_RETRY, wait = sleep } = options
  const { lineBound: bound = LINE_BOUND } = options
  const base = options.base_url.replace(/\/+$/, '')
  const host = shownHost(base)
  const here: Place = { host, provider: name }
  if (!/^https?:\/\//i.test(base) || !URL.canParse(base)) throw addressFailure(here)
  const transport = createTransport(timeout, options)
  const life = new AbortController()
  const hide = hider([api_key, ...Object.values(options.headers ?? {})])
  const refusal = {
    http: (failure: HttpFailure, place: Place) => httpFailure(withoutSecrets(failure, hide), place),
    stranger: (words: string, place: Place) => strangerFailure(hide(words), place),
  }

  function headers(conversation?: string): Record<string, string> {
    const { conversation_header } = options
    return {
      ...(api_key && { Authorization: `Bearer ${api_key}` }),
      ...(conversation_header && conversation !== undefined && { [conversation_header]: conversation }),
      ...options.headers,
    }
  }

  const spares = (model: string) => `${host} ${model} refuses`
  /** What each model's server has refused by name. */
  const refused = new Map<string, Set<Spare>>()
  function refusedBy(model: string): Set<Spare> {
    const before = refused.get(model)
    if (before) return before
    const { fields } = fieldsOf(memory?.recall(spares(model)))
    const made = new Set(Array.isArray(fields) ? SPARE.filter(field => fields.includes(field)) : [])
    refused.set(model, made)
    return made
  }

  async function* chat(
    request: ChatRequest,
    { signal }: { signal: AbortSignal },
  ): AsyncGenerator<ModelEvent> {
    const { model } = request
    const place = { ...here, model }
    const plan = planRetries(retry, place)
    const without = refusedBy(model)
    for (;;) {
      signal.throwIfAborted()
      const body = chatBody(request, without)
      const connection = createConnection(transport, { signal, place, bound, timeout, refusal })
      const { activity, close: fail } = connection
      let failure: unknown
      try {
        const answered = answer(connection, { body, conversation: request.conversation, place })
        return yield* watchSilence(answered, { place, timeout, activity, fail })
      } catch (error) {
        failure = error
      } finally {
        connection.close()
      }
      signal.throwIfAborted()
      const spared = isThought(failure, request) ? undefined : spareField(failure, body)
      if (spared !== undefined) {
        without.add(spared)
        memory?.keep(spares(model), { fields: [...without] })
        continue
      }
      const again = isFinal(failure) ? undefined : plan(failure)
      if (again === undefined) throw failure
      if (again.notice !== undefined) yield { type: 'notice', ...again.notice }
      await wait(again.wait, signal)
    }
  }

  async function* answer(
    connection: Connection,
    { body, conversation, place }: { body: string; conversation: string | undefined; place: ModelPlace },
  ): AsyncGenerator<ModelEvent> {
    const sent = performance.now()
    const response = await connection.open({
      url: `${base}/chat/completions`,
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Accept: 'text/event-stream',
        ...headers(conversation),
      },
      body,
    })
    const reply = new Reply()
    let first: number | undefined
    const read = (chunk: Record<string, unknown>): Piece[] => {
      if (chunk.error !== undefined && chunk.error !== null)
        throw errorEventFailure(hidden(chunk.error), place)
      if (chunk.object === 'error') throw errorEventFailure(hidden(chunk), place)
      const pieces = understood(() => reply.push(chunk), place)
      if (pieces.length > 0) first ??= performance.now()
      return pieces
    }
    if (/^application\/json\b/i.test(response.headers['content-type'] ?? '')) {
      // It does not stream, or says so wrongly: a whole answer is one chunk.
      yield* read(await connection.json(response))
      reply.reason ??= 'stop'
    } else {
      const chunks = events(response, connection.reading)
      for (;;) {
        const next = await (reply.reason === undefined ? chunks.next() : soon(chunks.next()))
        if (next === undefined) break
        if (next.done) {
          if (!next.value && reply.reason === undefined) throw streamFailure('unfinished', place)
          break
        }
        yield* read(next.value)
      }
    }
    connection.release()
    yield* understood(() => reply.finish(), place)
    const begun = first ?? performance.now()
    const metrics = reply.metrics({ prefill_ms: begun - sent, decode_ms: performance.now() - begun })
    yield { type: 'end', reason: reply.reason ?? 'stop', ...(metrics && { metrics }) }
  }

  const hidden = (error: unknown): unknown => JSON.parse(hide(JSON.stringify(error)))

  /** Asks a small endpoint; again only while the connection is refused. */
  async function ask(url: string, { signal = life.signal }: Asking): Promise<Record<string, unknown>> {
    const plan = planRetries({ ...retry, busy: [] }, here)
    for (;;) {
      signal.throwIfAborted()
      const connection = createConnection(transport, {
        ...{ signal, place: here, bound, timeout, deadline: timeout, refusal },
      })
      try {
        const answer = await connection.json(await connection.open({ url, headers: headers() }))
        connection.release()
        return answer
      } catch (error) {
        signal.throwIfAborted()
        const again = plan(error)
        if (again === undefined) throw error
        await wait(again.wait, signal)
      } finally {
        connection.close()
      }
    }
  }

  async function served(options: Asking = {}): Promise<ServedModel[]> {
    const answer = await ask(`${base}/models`, options)
    const models = readModels(answer)
    if (models === undefined) throw strangerFailure(hide(JSON.stringify(answer)), here)
    return models
  }

  /** Asked once for all that it tells of single models. */
  let list: Promise<ServedModel[]> | undefined
  const lengths = new Map<string, Promise<number | undefined>>()
  function contextOf(model: string, options: Asking = {}): Promise<number | undefined> {
    const configured = Object.hasOwn(known, model) ? known[model]?.context : undefined
    if (configured !== undefined) return Promise.resolve(configured)
    const before = lengths.get(model)
    if (before) return before
    const asked = toldContext(model, options)
    lengths.set(model, asked)
    asked.catch(() => lengths.delete(model))
    return asked
  }

  async function toldContext(model: string, options: Asking): Promise<number | undefined> {
    list ??= served(options)
    const models = await list.catch(error => {
      list = undefined
      throw error
    })
    const found = models.find(({ name }) => name === model) ?? (models.length === 1 ? models[0] : undefined)
    if (!found?.isLlama) return found?.context
    // What the slots have counts, which may be less than the model could.
    const props = await ask(`${base.replace(/\/v\d+$/, '')}/props`, options).catch(() => undefined)
    return readSlotContext(props) ?? found.context
  }

  return {
    host,
    chat,
    async facts(model, options): Promise<ModelFacts> {
      return { capabilities: [], trained_context: await contextOf(model, options) }
    },
    async models(options) {
      list = served(options)
      const listed = await list
      const others = Object.keys(known).filter(one => !listed.some(({ name }) => name === one))
      return [...listed.map(({ name }) => name), ...others].map(name => ({ name }))
    },
    async shortfall(model, context) {
      const has = await contextOf(model)
      return has === undefined ? told('context.untold', { model, provider: name, used: context }) : undefined
    },
    close() {
      life.abort('user')
      transport.close()
    },
  }
}

/** Waits for what should follow at once; undefined: it does not. */
function soon<Value>(value: Promise<Value>): Promise<Value | undefined> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, GRACE, undefined)
    // The reply is whole: how its connection ends changes nothing.
    value
      .then(resolve, error => (isAbort(error) ? reject(error) : resolve(undefined)))
      .finally(() => clearTimeout(timer))
  })
}

const isAbort = (error: unknown): boolean => !(error instanceof RunError)

/** Thinking was wanted and is refused: that is for the person to know. */
const isThought = (failure: unknown, { think }: ChatRequest): boolean =>
  think !== false && failure instanceof RunError && failure.remedy === 'no_thinking'

/** The field that a server has refused by its name, if the request can do without. */
function spareField(failure: unknown, body: string): Spare | undefined {
  const { cause } = failure as { cause?: unknown }
  if (!(cause instanceof HttpFailure) || ![400, 415, 422, 500, 501].includes(cause.status)) return undefined
  return SPARE.find(field => cause.message.includes(field) && body.includes(`"${field}"`))
}

function understood(read: () => Piece[], place: Place): Piece[] {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof ChunkError)) throw error
    const { message, malformedCall } = error
    throw malformedCall ? malformedCallFailure(message, place) : streamFailure('wrong_kind', place, message)
  }
}

/** Replaces what must never be shown: servers repeat keys in what they complain about. */
function hider(secrets: readonly (string | undefined)[]): (text: string) => string {
  const all = secrets.flatMap(secret =>
    secret === undefined ? [] : [secret, secret.replace(/^Bearer /i, '')],
  )
  const long = all.filter(secret => secret.length >= 6)
  return text => long.reduce((shown, secret) => shown.replaceAll(secret, '•••'), text)
}
