/**
 * An editor that talks to the built program: the protocol package's own client in the test's process. Every message of
 * gopi's is held against the protocol's JSON schema.
 */
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import {
  type ClientCapabilities,
  type ClientContext,
  type CreateElicitationRequest,
  type CreateElicitationResponse,
  client,
  type NewSessionResponse,
  ndJsonStream,
  type RequestPermissionRequest,
  type SessionUpdate,
} from '@agentclientprotocol/sdk'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv'
import { type Ended, type Program, patience, type Started } from './program.ts'

const { $defs } = withoutFormats(
  createRequire(import.meta.url)('@agentclientprotocol/sdk/schema/v1/schema.json'),
) as { $defs: Record<string, Record<string, unknown>> }

/** Formats such as uint32 are no business of a schema's checker. */
function withoutFormats(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutFormats)
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([key, one]) => key !== 'format' || typeof one !== 'string')
  return Object.fromEntries(kept.map(([key, one]) => [key, withoutFormats(one)]))
}

const validator = new AjvJsonSchemaValidator()
const checks = new Map<string, ReturnType<typeof validator.getValidator>>()

/** What is wrong with a value that should be one of the protocol's. */
export function problemOf(name: string, value: unknown): string | undefined {
  const check = checks.get(name) ?? validator.getValidator({ $ref: `#/$defs/${name}`, $defs })
  checks.set(name, check)
  const result = check(value)
  return result.valid ? undefined : result.errorMessage
}

const named = (method: string, kind: 'Request' | 'Response' | 'Notification') =>
  Object.entries($defs).find(([name, one]) => one['x-method'] === method && name.endsWith(kind))?.[0]

/** → the id of an option; undefined: the person turns away. A promise: they think about it. */
export type Answer = (asked: RequestPermissionRequest) => string | undefined | Promise<string | undefined>

export interface EditorOptions {
  args?: readonly string[]
  env?: NodeJS.ProcessEnv
  capabilities?: ClientCapabilities
  /** Default: the first option. */
  answer?: Answer
  /** Open files, by path: what the editor has of them. */
  buffers?: Map<string, string>
  /** What becomes of a text that is written. Default: it stays as it is. */
  kept?(text: string): string
  elicit?(asked: CreateElicitationRequest): CreateElicitationResponse
  version?: number
}

export interface Editor {
  agent: ClientContext
  started: Started
  updates: { sessionId: string; update: SessionUpdate }[]
  asked: RequestPermissionRequest[]
  /** Methods of gopi's requests to the editor, with their paths. */
  calls: string[]
  /** Text of the answer so far. */
  text(kind?: SessionUpdate['sessionUpdate']): string
  begin(cwd: string): Promise<NewSessionResponse>
  say(sessionId: string, text: string): Promise<string>
  /** Resolves when an update has come that the test is happy with. */
  seen(matches: (update: SessionUpdate) => boolean): Promise<SessionUpdate>
  /** Writes bytes as they are. */
  raw(text: string): void
  /** The editor goes, and gopi with it. Throws where a message of gopi's was none of the protocol's. */
  end(): Promise<Ended>
}

export async function openEditor(program: Program, options: EditorOptions = {}): Promise<Editor> {
  const { answer = asked => asked.options[0]?.optionId, buffers, elicit, kept = text => text } = options
  const started = program.start(['acp', ...(options.args ?? [])], {
    stdin: 'open',
    ...(options.env && { env: options.env }),
  })
  const { child } = started
  const updates: Editor['updates'] = []
  const asked: RequestPermissionRequest[] = []
  const calls: string[] = []
  const waiting = new Set<() => void>()
  const sent = new Map<unknown, string>()

  const input = new ReadableStream<Uint8Array>({
    start(controller) {
      const encoder = new TextEncoder()
      child.stdout.on('data', (piece: string) => controller.enqueue(encoder.encode(piece)))
      child.stdout.once('close', () => controller.close())
    },
  })
  const output = new WritableStream<Uint8Array>({
    write(bytes) {
      const text = Buffer.from(bytes).toString()
      const { id, method } = JSON.parse(text) as { id?: unknown; method?: string }
      if (method !== undefined) sent.set(id, method)
      child.stdin.write(text)
    },
  })
  const app = client({ name: 'test' })
    .onNotification('session/update', ({ params }) => {
      updates.push(params)
      for (const look of waiting) look()
    })
    .onRequest('session/request_permission', async ({ params }) => {
      asked.push(params)
      const optionId = await answer(params)
      return {
        outcome: optionId === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId },
      }
    })
    .onRequest('elicitation/create', ({ params }) => elicit?.(params) ?? { action: 'cancel' })
    .onRequest('fs/read_text_file', ({ params: { path } }) => {
      calls.push(`read ${path}`)
      const content = buffers?.get(path)
      if (content === undefined) throw new Error(`${path} is not open`)
      return { content }
    })
    .onRequest('fs/write_text_file', ({ params: { path, content } }) => {
      calls.push(`write ${path}`)
      buffers?.set(path, kept(content))
      return {}
    })
  app
    .onRequest('terminal/create', ({ params: { command, args = [], cwd } }) => {
      calls.push(`run ${[command, ...args].join(' ')} in ${cwd}`)
      return { terminalId: 'its-terminal' }
    })
    .onRequest('terminal/wait_for_exit', () => ({ exitCode: 3 }))
    .onRequest('terminal/kill', () => ({}))
    .onRequest('terminal/release', () => {
      calls.push('release')
      return {}
    })
  const { agent } = app.connect(ndJsonStream(output, input))
  const { version = 1, capabilities = {} } = options
  await agent.request('initialize', {
    ...{ protocolVersion: version, clientCapabilities: capabilities },
    clientInfo: { name: 'test', version: '1' },
  })
  return {
    ...{ agent, started, updates, asked, calls },
    text: (kind = 'agent_message_chunk') =>
      updates
        .map(({ update }) =>
          update.sessionUpdate === kind && 'content' in update && isText(update.content)
            ? update.content.text
            : '',
        )
        .join(''),
    begin: cwd => agent.request('session/new', { cwd, mcpServers: [] }),
    async say(sessionId, text) {
      const { stopReason } = await agent.request('session/prompt', {
        sessionId,
        prompt: [{ type: 'text', text }],
      })
      return stopReason
    },
    seen: matches =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = updates.find(({ update }) => matches(update))
          if (!found) return
          waiting.delete(look)
          clearTimeout(timer)
          resolve(found.update)
        }
        const timer = setTimeout(
          () => reject(new Error(`it never came: ${started.stdout}\n${started.stderr}`)),
          patience,
        )
        waiting.add(look)
        look()
      }),
    raw: text => void child.stdin.write(text),
    async end() {
      child.stdin.end()
      const ended = await started.ended
      for (const line of started.stdout.split('\n').filter(one => one !== '')) {
        const problem = problemIn(JSON.parse(line) as Message, sent)
        assert.equal(problem, undefined, line)
      }
      return ended
    },
  }
}

const isText = (content: unknown): content is { text: string } =>
  typeof content === 'object' && content !== null && 'text' in content

interface Message {
  jsonrpc: string
  id?: unknown
  method?: string
  params?: unknown
  result?: unknown
  error?: unknown
}

function problemIn(message: Message, sent: ReadonlyMap<unknown, string>): string | undefined {
  const { jsonrpc, id, method, params, result, error } = message
  if (jsonrpc !== '2.0') return 'it is no JSON-RPC'
  if (error !== undefined) return problemOf('Error', error)
  const kind = method === undefined ? 'Response' : id === undefined ? 'Notification' : 'Request'
  const of = method ?? sent.get(id)
  if (of === undefined) return 'it answers nothing'
  const name = named(of, kind)
  return name === undefined ? `the protocol has no ${kind} ${of}` : problemOf(name, method ? params : result)
}
