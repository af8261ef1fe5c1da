/**
 * The `ChatModel` for an Ollama server, on the `ollama` package: one light client per request, each on a connection
 * of its own, so that one request can be cancelled at any time without touching the others.
 */
import { RunError } from '../protocol/errors.ts'
import { chatBody } from './chat-body.ts'
import { type Chunk, ChunkError, readChunk } from './chunk.ts'
import { type Connection, createConnection } from './connection.ts'
import { nearestNames, readFacts, readInstalled, readLoaded, readVersion } from './facts.ts'
import {
  addressFailure,
  type ModelPlace,
  malformedCallFailure,
  noModelFailure,
  type Place,
  strangerFailure,
  streamFailure,
} from './failures.ts'
import { resolveHost, shownHost } from './host.ts'
import { LINE_BOUND } from './lines.ts'
import type { ChatModel, ChatRequest, InstalledModel, LoadedModel, ModelEvent, ModelFacts } from './model.ts'
import { HttpFailure } from './reply.ts'
import { DEFAULT_RETRY, planRetries, type RetryOptions, sleep } from './retry.ts'
import { watchSilence } from './silence.ts'
import { createTransport } from './transport.ts'

export interface OllamaOptions {
  /** The server's address; what it leaves out follows Ollama's rules for OLLAMA_HOST. */
  host: string
  /** ms for connecting and for the small endpoints. A chat request is never cut: after this long a notice says so. */
  timeout: number
  retry?: RetryOptions
  /** Longest line of an answer in bytes. */
  lineBound?: number
  /** How a wait between two attempts is spent: rejects with the signal's reason when it fires. */
  wait?: (ms: number, signal: AbortSignal | undefined) => Promise<void>
}

/** How long (ms) a question may take whose answer only makes a sentence better. */
const ASIDE = 3000

const NO_RETRY: RetryOptions = { refused: [], busy: [] }

interface AskOptions {
  signal?: AbortSignal | undefined
  place?: Place
  deadline?: number
  retry?: RetryOptions
}

/** Makes the client; nothing is sent before the first request. Throws `RunError` when `host` is no address. */
export function createOllama(options: OllamaOptions): ChatModel {
  const { timeout, retry = DEFAULT_RETRY, lineBound: bound = LINE_BOUND, wait = sleep } = options
  const address = resolveHost(options.host)
  const host = shownHost(address)
  if (!isAddress(address)) throw addressFailure({ host })
  const transport = createTransport(timeout)

  let library: Promise<typeof import('ollama/browser')> | undefined
  async function clientOn({ fetch }: Connection) {
    library ??= import('ollama/browser')
    const { Ollama } = await library
    return new Ollama({ host: address, fetch })
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
      const connection = createConnection(transport, { signal, place, bound, timeout, body })
      const { activity, close: fail } = connection
      let failure: unknown
      try {
        const watched = { place, timeout, activity, loaded: look, fail }
        return yield* watchSilence(answer(connection, place), watched)
      } catch (error) {
        failure = error
      } finally {
        connection.close()
      }
      signal.throwIfAborted()
      const again = plan(failure)
      if (again === undefined) throw await withNames(failure, place, signal)
      if (again.notice !== undefined) yield { type: 'notice', code: 'retry', message: again.notice }
      await wait(again.wait, signal)
    }
  }

  /** The request's body is the connection's affair: the package would write all of it out anew. */
  async function* answer(connection: Connection, place: ModelPlace): AsyncGenerator<ModelEvent> {
    const client = await clientOn(connection)
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
      const connection = createConnection(transport, { signal, place, bound, timeout, deadline })
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

  async function facts(model: string, { signal }: { signal?: AbortSignal } = {}): Promise<ModelFacts> {
    const place = { host, model }
    try {
      return readFacts(await ask(client => client.show({ model }), { signal, place }))
    } catch (error) {
      throw await withNames(error, place, signal)
    }
  }

  async function loaded({ signal }: { signal?: AbortSignal } = {}): Promise<LoadedModel[]> {
    return readLoaded(await ask(client => client.ps(), { signal }))
  }

  /** A quick look beside a request that is silent: its answer only explains the silence. */
  async function look(signal: AbortSignal): Promise<LoadedModel[]> {
    return readLoaded(await ask(client => client.ps(), { signal, deadline: ASIDE, retry: NO_RETRY }))
  }

  async function installed({ signal }: { signal?: AbortSignal } = {}): Promise<InstalledModel[]> {
    return readInstalled(await ask(client => client.list(), { signal }))
  }

  /** Whoever asks for the version wants to know whether somebody is there now: nothing is tried again. */
  async function version({ signal }: { signal?: AbortSignal } = {}): Promise<string> {
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

  return { host, chat, facts, loaded, installed, version }
}

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
