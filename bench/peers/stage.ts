/** The server that all of them talk to: it asks for `echo hi` as often as it should, then says that it is done. */
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { clock } from '../measure.ts'
import { protocols } from './protocols.ts'

/** A request for words: times in milliseconds of `clock`. */
export interface Scene {
  at: number
  endAt: number
  prompt: string
}

export interface Stage {
  host: string
  /** Of the run that began last. */
  readonly scenes: readonly Scene[]
  /** A request that could not be answered. */
  readonly failure: unknown
  /** A new run, with so many tool calls. */
  begin(calls: number): void
  close(): void
}

const facts: Record<string, object> = {
  '/api/version': { version: '0.24.0' },
  '/api/ps': { models: [] },
  '/api/tags': { models: [] },
  '/api/show': {
    capabilities: ['completion', 'tools'],
    model_info: { 'general.architecture': 'qwen2', 'qwen2.context_length': 32_768 },
  },
}

export async function openStage(): Promise<Stage> {
  let scenes: Scene[] = []
  let calls = 0
  let failure: unknown
  const server = http.createServer((request, response) => {
    visit(request, response).catch(error => {
      failure = error
      response.destroy()
    })
  })

  async function visit(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const at = clock()
    const url = request.url ?? ''
    const protocol = protocols[url]
    if (!protocol) return answerFact(facts[url], response)
    const body = JSON.parse(await text(request))
    const scene = { at, endAt: Number.NaN, prompt: protocol.prompt(body) }
    scenes.push(scene)
    const id = scenes.length
    response.setHeader('content-type', protocol.type)
    response.end(id <= calls ? protocol.call(protocol.tool(body, id), id) : protocol.words('done'))
    scene.endAt = clock()
  }

  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    host: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get scenes() {
      return scenes
    },
    get failure() {
      return failure
    },
    begin(wanted) {
      scenes = []
      failure = undefined
      calls = wanted
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

function answerFact(fact: object | undefined, response: ServerResponse): void {
  response.statusCode = fact ? 200 : 404
  response.end(JSON.stringify(fact ?? { error: 'not found' }))
}
