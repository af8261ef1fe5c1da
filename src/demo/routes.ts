/** The endpoints, with gin's answers to everything that is none. */
import type { ServerResponse } from 'node:http'
import { messageOf } from '../text/message-of.ts'
import { answerChat } from './chat.ts'
import type { ChatRoom } from './exchange.ts'
import { goTime } from './go.ts'
import { isLocalName } from './hosts.ts'
import type { LoggedRequest } from './log.ts'
import { details, digest, type ModelList, showAnswer, tagsEntry } from './models.ts'
import { HttpError, isObject, parseJson } from './request.ts'
import { sendJson } from './stream.ts'

/** What all endpoints share. */
export interface House extends ChatRoom {
  models: ModelList
  version: string
}

export interface Visit {
  response: ServerResponse
  log: LoggedRequest
  /** Fires when the client has gone or the server closes. */
  signal: AbortSignal
}

type Handler = (house: House, visit: Visit) => void | Promise<void>

const ROUTES: Record<string, Record<string, Handler>> = {
  '/': { GET: hello, HEAD: hello },
  '/api/version': { GET: version, HEAD: version },
  '/api/tags': { GET: tags, HEAD: tags },
  '/api/ps': { GET: ps },
  '/api/show': { POST: show },
  '/api/chat': { POST: answerChat },
}

/** Answers one request whose body has arrived. Never throws: an error is an answer too. */
export async function answer(house: House, visit: Visit): Promise<void> {
  const { log, response } = visit
  if (!isLocalName(log.headers.host)) return void response.writeHead(403, { 'content-length': 0 }).end()
  const methods = ROUTES[log.path]
  const handler = methods?.[log.method]
  if (!methods) return plain(response, 404, '404 page not found')
  if (!handler) {
    response.setHeader('allow', Object.keys(methods).join(', '))
    return plain(response, 405, '405 method not allowed')
  }
  try {
    await handler(house, visit)
  } catch (error) {
    if (response.headersSent || response.destroyed) return void response.destroy()
    const status = error instanceof HttpError ? error.status : 500
    const message = messageOf(error)
    sendJson(
      response,
      status,
      { error: message },
      { charset: !(error instanceof HttpError && error.streamed) },
    )
  }
}

function hello(_house: House, { response }: Visit): void {
  plain(response, 200, 'Ollama is running', 'text/plain; charset=utf-8')
}

function version(house: House, { response }: Visit): void {
  sendJson(response, 200, { version: house.version })
}

function tags(house: House, { response }: Visit): void {
  sendJson(response, 200, { models: house.models.list().map(tagsEntry) })
}

function ps(house: House, { response }: Visit): void {
  const models = house.runners.list().map(({ model, context, expiresAt }) => ({
    name: model.short,
    model: model.short,
    size: model.size,
    digest: digest(model),
    details: details(model),
    expires_at: goTime(expiresAt),
    size_vram: model.size,
    context_length: context,
  }))
  sendJson(response, 200, { models })
}

function show(house: House, { response, log }: Visit): void {
  const body = parseJson(log.text)
  const name = body.model ?? body.name
  if (typeof name !== 'string' || name === '') throw new HttpError(400, 'model is required')
  const model = house.models.find(name)
  if (!model) throw new HttpError(404, `model '${name}' not found`)
  sendJson(response, 200, showAnswer(model))
}

function plain(response: ServerResponse, status: number, text: string, type = 'text/plain'): void {
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(text) }).end(text)
}

/** A chat request that asks for words: no load, no unload. */
export function asksForWords(log: LoggedRequest): boolean {
  return (
    log.path === '/api/chat' &&
    isObject(log.body) &&
    Array.isArray(log.body.messages) &&
    log.body.messages.length > 0
  )
}
