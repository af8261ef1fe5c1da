import type { Checks, DemoRoom, Exchange } from './exchange.ts'
import { generate } from './generate.ts'
import { type DemoModelInfo, parseName } from './models.ts'
import { type ChatBody, HttpError, parseChat, parseJson } from './request.ts'
import { collectingSink, type ReplySink, streamingSink } from './stream.ts'

/** Throws `HttpError` for what is answered with one; returns without an answer when the client has gone. */
export async function answerChat(room: DemoRoom, exchange: Exchange): Promise<void> {
  const { response, log } = exchange
  room.check?.body(log.text)
  const body = parseChat(parseJson(log.text))
  const sink = (body.stream ? streamingSink : collectingSink)(response, body.model)
  await chatWith(room, exchange, body, sink, room.check)
}

/** The same for whoever has read the body, and writes the answer, in words of its own. */
export async function chatWith(
  room: DemoRoom,
  exchange: Exchange,
  body: ChatBody,
  sink: ReplySink,
  check?: Checks,
): Promise<void> {
  const { response, log, signal } = exchange
  const model = findModel(room, body.model)
  const empty = body.messages.length === 0
  if (empty && body.keepAlive === 0) {
    room.runners.unload(model)
    return collectingSink(response, body.model).done('unload')
  }
  check?.chat(body, model, log)
  const think = Boolean(body.think ?? model.capabilities.includes('thinking'))
  const arrived = performance.now()
  const hold = await room.runners.hold(model, { options: body.options, keepAlive: body.keepAlive, signal })
  if (!hold) return
  log.loaded = hold.loaded
  try {
    if (empty) return collectingSink(response, body.model).done('load')
    await generate(room, { ...exchange, body, sink, think, runner: hold.runner, arrived })
  } finally {
    hold.release()
  }
}

function findModel(room: DemoRoom, name: string): DemoModelInfo {
  if (name === '') throw new HttpError(400, 'model is required')
  if (!parseName(name)) throw new HttpError(400, 'invalid model name')
  const model = room.models.find(name)
  if (!model) throw new HttpError(404, `model '${name}' not found`)
  return model
}
