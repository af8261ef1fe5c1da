/**
 * What the `ollama` package takes for fetch and its Response. The package prints to the console when bytes surprise it,
 * knows nothing of aborts before the first token and hides errors' details; so it is only ever shown what it
 * understands: a good status and whole lines of valid JSON.
 */
import type { Connection } from '../http/connection.ts'
import { LineBody } from './body.ts'

interface FetchInit {
  method?: string
  headers: Record<string, string>
  body?: string
}

/** `body`: what is sent in place of the body that the package writes. */
export function fetchOn({ open, reading, json }: Connection, body: string | undefined): typeof fetch {
  async function send(url: string, init: FetchInit) {
    const answer = await open({ url, ...init, body: body ?? init.body })
    return {
      ok: true,
      body: { getReader: () => readerOf(new LineBody(answer, reading)) },
      json: () => json(answer),
    }
  }
  // The package calls nothing of a Response but what `send` returns.
  return send as unknown as typeof fetch
}

function readerOf(lines: LineBody) {
  return { read: () => lines.read(), releaseLock() {} }
}
