/** An Ollama without models that can get some: what a download says is the test's. */
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'

export interface Library {
  host: string
  /** The names that were asked for. */
  asked: string[]
  /** Resolves when the client has left a download. */
  left: Promise<void>
}

/** `pull`: writes what it likes, and ends the answer; true: the model is there from now on. */
export async function startLibrary(
  t: TestContext,
  pull: (say: (line: object) => void, answer: ServerResponse) => Promise<boolean> | boolean,
): Promise<Library> {
  const there = new Set<string>()
  const asked: string[] = []
  let leave: () => void = () => {}
  const left = new Promise<void>(resolve => {
    leave = resolve
  })
  const server = createServer(async (request, answer) => {
    let body = ''
    for await (const piece of request) body += piece
    const { name, model = name }: { name?: string; model?: string } = body === '' ? {} : JSON.parse(body)
    const json = (value: object, status = 200) =>
      answer.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    if (request.url === '/api/version') return json({ version: '0.24.0' })
    if (request.url === '/api/tags') return json({ models: [...there].map(name => ({ name, size: 1 })) })
    if (request.url === '/api/ps') return json({ models: [] })
    if (request.url === '/api/show')
      return there.has(model ?? '')
        ? json({ capabilities: ['completion', 'tools'], model_info: {} })
        : json({ error: `model '${model}' not found` }, 404)
    asked.push(model ?? '')
    answer.on('close', () => answer.writableFinished || leave())
    answer.writeHead(200, { 'content-type': 'application/x-ndjson' })
    if (await pull(line => answer.write(`${JSON.stringify(line)}\n`), answer)) there.add(model ?? '')
    answer.end()
    return undefined
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { host: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, left }
}
