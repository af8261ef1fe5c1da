import type { ChatRoom, Exchange } from './exchange.ts'
import { generate } from './generate.ts'
import { findViolations } from './invariants.ts'
import { type DemoModelInfo, parseName } from './models.ts'
import { type ChatBody, checkOptions, HttpError, isObject, parseChat, parseJson } from './request.ts'
import { collectingSink } from './stream.ts'

/** Throws `HttpError` for what is answered with one; returns without an answer when the client has gone. */
export async function answerChat(room: ChatRoom, exchange: Exchange): Promise<void> {
  const { response, log, signal } = exchange
  const body = parseChat(parseJson(log.text))
  const model = findModel(room, body.model)
  const empty = body.messages.length === 0
  if (empty && body.keepAlive === 0) {
    room.runners.unload(model)
    return collectingSink(response, body.model).done('unload')
  }
  const think = checkAbilities(model, body)
  checkOptions(body.options)
  const arrived = performance.now()
  const hold = await room.runners.hold(model, { options: body.options, keepAlive: body.keepAlive, signal })
  if (!hold) return
  log.loaded = hold.loaded
  try {
    if (empty) return collectingSink(response, body.model).done('load')
    const found = findViolations(body.messages)
    room.violations.push(...found.map(what => `request ${log.index}, ${what}`))
    await generate(room, { ...exchange, body, think, runner: hold.runner, arrived })
  } finally {
    hold.release()
  }
}

function findModel(room: ChatRoom, name: string): DemoModelInfo {
  if (!parseName(name)) throw new HttpError(400, 'model is required')
  const model = room.models.find(name)
  if (!model) throw new HttpError(404, `model '${name}' not found`)
  return model
}

/** Whether the reply is thought about first. Throws `HttpError` for what the model cannot do. */
function checkAbilities(model: DemoModelInfo, body: ChatBody): boolean {
  const can = (ability: string) => model.capabilities.includes(ability)
  if (body.think && !can('thinking')) throw new HttpError(400, `"${body.model}" does not support thinking`)
  if (!can('completion')) throw new HttpError(400, `"${body.model}" does not support chat`)
  if (body.tools.length > 0 && !can('tools')) throw new HttpError(400, `${model.full} does not support tools`)
  if (body.format !== undefined && body.format !== '' && body.format !== 'json' && !isObject(body.format)) {
    const words = 'expected "json" or a valid JSON Schema object'
    throw new HttpError(500, `invalid format: ${JSON.stringify(body.format)}; ${words}`)
  }
  return Boolean(body.think ?? can('thinking'))
}
