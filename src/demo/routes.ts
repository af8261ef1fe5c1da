/** The endpoints, with gin's answers to everything that is none. */

import type { ServerResponse } from 'node:http'
import { messageOf } from '../text/message-of.ts'
import { answerChat } from './chat.ts'
import type { DemoRoom, Exchange } from './exchange.ts'
import { goTime } from './go.ts'
import { isLocalName } from './hosts.ts'
import { details, digest, parseName, showAnswer, tagsEntry } from './models.ts'
import { answerCompletion, listModels } from './openai.ts'
import { HttpError, parseJson } from './request.ts'
import { sendJson } from './stream.ts'

type Handler = (room: DemoRoom, exchange: Exchange) => void | Promise<void>

const ROUTES: Record<string, Record<string, Handler>> = {
  '/': { GET: hello, HEAD: hello },
  '/api/version': { GET: version, HEAD: version },
  '/api/tags': { GET: tags, HEAD: tags },
  '/api/ps': { GET: ps },
  '/api/show': { POST: show },
  '/api/chat': { POST: answerChat },
  '/v1/models': { GET: listModels },
  '/v1/chat/completions': { POST: answerCompletion },
}

/** Answers one request whose body has arrived. Never throws: an error is an answer too. */
export async function answer(room: DemoRoom, exchange: Exchange): Promise<void> {
  const { log, response } = exchange
  if (!isLocalName(log.headers.host)) return void response.writeHead(403, { 'content-length': 0 }).end()
  const methods = ROUTES[log.path]
  const handler = methods?.[log.method]
  if (!methods) return plain(response, 404, '404 page not found')
  if (!handler) {
    response.setHeader('allow', Object.keys(methods).join(', '))
    return plain(response, 405, '405 method not allowed')
  }
  try {
    await handler(room, exchange)
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

function hello(_room: DemoRoom, { response }: Exchange): void {
  plain(response, 200, 'Ollama is running', 'text/plain; charset=utf-8')
}

function version(room: DemoRoom, { response }: Exchange): void {
  sendJson(response, 200, { version: room.version })
}

function tags(room: DemoRoom, { response }: Exchange): void {
  sendJson(response, 200, { models: room.models.list().map(tagsEntry) })
}

function ps(room: DemoRoom, { response }: Exchange): void {
  const models = room.runners.list().map(({ model, context, expiresAt }) => ({
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

function show(room: DemoRoom, { response, log }: Exchange): void {
  const body = parseJson(log.text, 'ShowRequest')
  const name = body.model ?? body.name
  if (typeof name !== 'string' || name === '') throw new HttpError(400, 'model is required')
  if (!parseName(name)) throw new HttpError(400, 'invalid model name')
  const model = room.models.find(name)
  if (!model) throw new HttpError(404, `model '${name}' not found`)
  sendJson(response, 200, showAnswer(model))
}

function plain(response: ServerResponse, status: number, text: string, type = 'text/plain'): void {
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(text) }).end(text)
}
