/**
 * The demo server for tests and benches: with a script for a model, strict about what it is sent, and it remembers all
 * requests.
 *
 *     const held = gate()
 *     const server = await startServer({
 *       model: script([
 *         { text: 'I look.', calls: [{ name: 'bash', arguments: { command: 'ls' } }] },  // a call in its own chunk
 *         ['Two ', { gate: held }, 'files.'],                    // steps in order: chunks, a gate, another chunk
 *         request => `You sent ${request.messages.length} messages.`,        // looks at what the model was sent
 *         { failure: { status: 503, error: 'server busy, please try again.  maximum pending requests exceeded' } },
 *         ['half of', { cut: true }],             // also { error: text }, { hang: true }, { line: 'garbage\n' }
 *         { text: 'and no final record', end: 'no-done' },
 *       ]),
 *       models: [{ name: 'plain', capabilities: ['completion'] }],    // omitted: every name, with tools
 *     })
 *     … talk to server.host …
 *     await held.reached; held.open()                // the stream stands here until the test lets it go on
 *     server.chats[0]                                // LoggedRequest: body, prompt, cached, read, aborted, …
 *     await (await server.chat(1)).ended             // waits until the second chat request arrives, then until it is over
 *     assert.deepEqual(server.violations, [])        // broken histories, a script that ran out
 *     await server.close()
 *
 * A string of text is cut into tokens, a list of texts is sent as it is; each piece is one token and one chunk.
 */
import type * as log from '../../../src/demo/log.ts'
import * as demo from '../../../src/demo/server.ts'
import { isRecord } from '../../../src/text/record.ts'
import { findViolations } from './invariants.ts'
import { listModels, type ModelSpec } from './models.ts'
import { type DemoModel, playing } from './reply.ts'
import { checkAbilities, checkBody, checkOptions } from './strict.ts'

export interface ServerOptions extends Omit<demo.ServerOptions, 'model' | 'models' | 'check' | 'observe'> {
  model: DemoModel
  /** Default: every name is a model, with `capabilities`. */
  models?: readonly (string | ModelSpec)[]
}

export interface LoggedRequest extends log.LoggedRequest {
  /** Resolves when all is over. */
  ended: Promise<void>
}

export interface DemoServer extends demo.DemoServer {
  /** Every request in order of arrival, and those of them that are chats with messages. */
  readonly requests: readonly LoggedRequest[]
  readonly chats: readonly LoggedRequest[]
  /** The chat request with this index (0-based), as soon as it has arrived. */
  chat(index: number): Promise<LoggedRequest>
  /** Broken rules of the histories that were sent. */
  readonly violations: readonly string[]
}

export async function startServer({ model, models, ...options }: ServerOptions): Promise<DemoServer> {
  const requests: LoggedRequest[] = []
  const chats: LoggedRequest[] = []
  const violations: string[] = []
  const arrivals: (() => void)[] = []
  const ends = new Map<log.LoggedRequest, () => void>()
  const indexOf = (log: log.LoggedRequest) => (requests as log.LoggedRequest[]).indexOf(log)
  const violate = (log: log.LoggedRequest, what: string) =>
    void violations.push(`request ${indexOf(log)}, ${what}`)

  const server = await demo.startServer({
    ...options,
    ...(models && { models: listModels(models, options.capabilities) }),
    model: playing(model, violate),
    check: {
      body: checkBody,
      chat(body, model, log) {
        checkAbilities(model, body)
        checkOptions(body.options)
        if (body.messages.length > 0) for (const what of findViolations(body.messages)) violate(log, what)
      },
    },
    observe(log, when) {
      if (when === 'come') {
        const ended = new Promise<void>(resolve => ends.set(log, resolve))
        requests.push(Object.assign(log, { ended }))
      } else if (when === 'read') {
        const request = requests[indexOf(log)]
        if (request && asksForWords(request)) chats.push(request)
        for (const arrived of arrivals.splice(0)) arrived()
      } else ends.get(log)?.()
    },
  })
  return {
    ...server,
    requests,
    chats,
    violations,
    async chat(index) {
      while (!chats[index]) await new Promise<void>(resolve => arrivals.push(resolve))
      return chats[index]
    },
  }
}

/** A chat request that asks for words: no load, no unload. */
function asksForWords({ path, body }: LoggedRequest): boolean {
  const isChat = path === '/api/chat' || path === '/v1/chat/completions'
  return isChat && isRecord(body) && Array.isArray(body.messages) && body.messages.length > 0
}
