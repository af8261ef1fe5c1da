/**
 * The `Backend` of an Ollama server, on the `ollama` package: one light client per request, each on a connection
 * of its own, so that one request can be cancelled at any time without touching the others.
 */

import { RunError } from '../../protocol/errors.ts'
import type { Memory } from '../../protocol/memory.ts'
import { shownHost } from '../address.ts'
import type {
  Asking,
  Backend,
  ChatRequest,
  ListedModel,
  ModelEvent,
  ModelFacts,
  Pulling,
} from '../backend.ts'
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
import { DEFAULT_RETRY, planRetries, type RetryOptions, sleep } from '../http/retry.ts'
import { watchSilence } from '../http/silence.ts'
import { createTransport } from '../http/transport.ts'
import { chatBody } from './chat-body.ts'
import { type Chunk, ChunkError, readChunk } from './chunk.ts'
import {
  type InstalledModel,
  isSameModel,
  type LoadedModel,
  nearestNames,
  readFacts,
  readInstalled,
  readLoaded,
  readTokenBytes,
  readVersion,
} from './facts.ts'
import { httpFailure, noModelFailure, pullFailure, strangerFailure } from './failures.ts'
import { fetchOn } from './fetch.ts'
import { resolveHost } from './host.ts'
import { type Acquaintance, meet, versionWarnings } from './meet.ts'
import { contextTruth } from './truth.ts'

export interface OllamaOptions extends ClientOptions {
  /** The server's address; what it leaves out follows Ollama's rules for OLLAMA_HOST. */
  host: string
}

/** How long (ms) a question may take whose answer only makes a sentence better. */
const ASIDE = 3000

const refusal = { http: httpFailure, stranger: strangerFailure }
const NO_RETRY: RetryOptions = { refused: [], busy: [] }

interface AskOptions {
  signal?: AbortSignal | undefined
  place?: Place
  deadline?: number
  retry?: RetryOptions
}

/** Makes the client; nothing is sent before the first request. Throws `RunError` when `host` is no address. */
export function createOllama(options: OllamaOptions): Required<Omit<Backend, 'places'>> {
  const {
    timeout,
    memory = NOTHING,
    retry = DEFAULT_RETRY,
    lineBound: bound = LINE_BOUND,
    wait = sleep,
  } = options
  const address = resolveHost(options.host)
  const host = shownHost(address)
  if (!isAddress(address)) throw addressFailure({ host })
  const transport = createTransport(timeout)
  /** A server that does not answer small questions must not hold up the end. */
  const life = new AbortController()

  let library: Promise<typeof import('ollama/browser')> | undefined
  async function clientOn(connection: Connection, body?: string) {
    library ??= import('ollama/browser')
    const { Ollama } = await library
    return new Ollama({ host: address, fetch: fetchOn(connection, body) })
  }
  type Client = Awaited<ReturnType<typeof clientOn>>

  async function* chat(
    request: ChatRequest,
    { signal }: { signal: AbortSignal },
  ): AsyncGenerator<ModelEvent> {
    const place = { host, model: request.model }
    const plan = planRetries(retry, place)
    const body = chatBody(request)
    for (;;) {
      signal.throwIfAborted()
      const connection = createConnection(transport, { signal, place, bound, timeout, refusal })
      const { activity, close: fail } = connection
      let failure: unknown
      try {
        const isLoaded = (signal: AbortSignal) => look(request.model, signal)
        return yield* watchSilence(answer(connection, body, place), {
          place,
          timeout,
          activity,
          isLoaded,
          fail,
        })
      } catch (error) {
        failure = error
      } finally {
        connection.close()
      }
      signal.throwIfAborted()
      const again = plan(failure)
      if (again === undefined) throw await withNames(failure, place, signal)
      if (again.notice !== undefined) yield { type: 'notice', ...again.notice }
      await wait(again.wait, signal)
    }
  }

  /** The request's body is the connection's affair: the package would write all of it out anew. */
  async function* answer(
    connection: Connection,
    body: string,
    place: ModelPlace,
  ): AsyncGenerator<ModelEvent> {
    const client = await clientOn(connection, body)
    for await (const line of await client.chat({ model: place.model, stream: true })) {
      const { pieces, end } = readLine(line, place)
      for (const piece of pieces) yield piece
      if (end === undefined) continue
      connection.release()
      yield { type: 'end', ...end }
      return
    }
  }

  /** Asks a small endpoint; again only while the connection is refused. */
  async function ask(question: (client: Client) => Promise<unknown>, options: AskOptions): Promise<unknown> {
    const { signal, place = { host }, deadline = timeout, retry: retries = retry } = options
    const plan = planRetries({ ...retries, busy: [] }, place)
    for (;;) {
      signal?.throwIfAborted()
      const connection = createConnection(transport, { signal, place, bound, timeout, deadline, refusal })
      try {
        const answer = await question(await clientOn(connection))
        connection.release()
        return answer
      } catch (error) {
        signal?.throwIfAborted()
        const again = plan(error)
        if (again === undefined) throw error
        await wait(again.wait, signal)
      } finally {
        connection.close()
      }
    }
  }

  async function facts(model: string, { signal = life.signal }: Asking = {}): Promise<ModelFacts> {
    const place = { host, model }
    try {
      return readFacts(await ask(client => client.show({ model }), { signal, place }))
    } catch (error) {
      throw await withNames(error, place, signal)
    }
  }

  async function loaded(options: AskOptions = { signal: life.signal }): Promise<LoadedModel[]> {
    return readLoaded(await ask(client => client.ps(), options))
  }

  /** A quick look while a request is silent: its answer only explains the silence. */
  const look = async (model: string, signal: AbortSignal) =>
    (await loaded({ signal, deadline: ASIDE, retry: NO_RETRY })).some(({ name }) => isSameModel(name, model))

  async function installed({ signal = life.signal }: Asking = {}): Promise<InstalledModel[]> {
    return readInstalled(await ask(client => client.list(), { signal }))
  }

  async function models(options: Asking & { loaded?: boolean } = {}): Promise<ListedModel[]> {
    const [all, running] = await Promise.all([
      installed(options),
      options.loaded ? loaded().catch(() => []) : [],
    ])
    return all.map(({ name, size, parameter_size }) => ({
      name,
      size,
      ...(parameter_size !== undefined && { parameters: parameter_size }),
      ...(options.loaded && { isLoaded: running.some(model => model.name === name) }),
    }))
  }

  /** Whoever asks for the version wants to know whether somebody is there now: nothing is tried again. */
  async function version({ signal = life.signal }: Asking = {}): Promise<string> {
    const answer = await ask(client => client.version(), { signal, retry: NO_RETRY })
    const version = readVersion(answer)
    if (version === undefined) throw strangerFailure(JSON.stringify(answer), { host })
    return version
  }

  /** The sentence about a model that is not installed names the installed ones that are most like it. */
  async function withNames(error: unknown, place: ModelPlace, signal: AbortSignal | undefined) {
    const isMissing =
      error instanceof RunError &&
      error.code === 'no_model' &&
      error.cause instanceof HttpFailure &&
      error.cause.status === 404
    if (!isMissing) return error
    const list = ask(client => client.list(), { signal, deadline: ASIDE, retry: NO_RETRY })
    const names = readInstalled(await list.catch(() => undefined)).map(({ name }) => name)
    signal?.throwIfAborted()
    return noModelFailure(place, nearestNames(place.model, names), error.cause)
  }

  /** Nothing may come for long: the registry is asked, a checksum is made. */
  async function* pull(model: string, { signal }: { signal: AbortSignal }): AsyncGenerator<Pulling> {
    const place = { host, model }
    const connection = createConnection(transport, { signal, place, bound, timeout, refusal })
    try {
      const client = await clientOn(connection)
      for await (const { status, total, completed } of await client.pull({ model, stream: true })) {
        yield { status, ...(total > 0 && { total, completed: completed ?? 0 }) }
      }
      connection.release()
    } catch (error) {
      signal.throwIfAborted()
      throw error instanceof RunError ? pullFailure(error, place) : error
    } finally {
      connection.close()
    }
  }

  const server: Acquaintance = { host, memory, facts, loaded, installed, version }
  return {
    host,
    chat,
    facts,
    models,
    version,
    meet: (model, wishes) => meet(server, model, wishes),
    warnings: () => versionWarnings(server),
    async state(model) {
      const runner = (await loaded()).find(({ name }) => isSameModel(name, model))
      if (!runner) return undefined
      const { context_length: context, expires_at: mark, size, size_vram: gpu } = runner
      return { context, mark, size, ...(gpu !== undefined && { gpu }) }
    },
    tokenBytes: async model =>
      readTokenBytes(
        await ask(client => client.show({ model }), { place: { host, model }, signal: life.signal }),
      ),
    pull,
    shortfall: async (model, context) => contextTruth({ model, context }, await loaded()),
    close() {
      life.abort('user')
      transport.close()
    },
  }
}

const NOTHING: Memory = { recall: () => undefined, keep() {} }

function isAddress(address: string): boolean {
  try {
    const { username, password } = new URL(address)
    // Node decodes them for the Authorization header, and throws at a stray percent sign.
    return decodeURIComponent(username + password) !== undefined
  } catch {
    return false
  }
}

function readLine(line: unknown, place: Place): Chunk {
  try {
    return readChunk(line as Record<string, unknown>)
  } catch (error) {
    if (!(error instanceof ChunkError)) throw error
    const { message, malformedCall } = error
    throw malformedCall ? malformedCallFailure(message, place) : streamFailure('wrong_kind', place, message)
  }
}
