import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import type { AgentContext } from '@agentclientprotocol/sdk'
import { type Handlers, Refusal } from '../../src/acp/handlers.ts'
import { linesOf } from '../../src/acp/lines.ts'
import { createUpdates } from '../../src/acp/updates.ts'
import { serve } from '../../src/acp/wire.ts'
import { EN } from '../../src/words/en.ts'

const line = (message: object) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`
const nextTurn = () => new Promise(resolve => setImmediate(resolve))

test('an update leaves in the turn of the event loop in which its piece came', async () => {
  const [input, output] = [new PassThrough(), new PassThrough({ encoding: 'utf8' })]
  let editor: AgentContext | undefined
  const handlers: Partial<Handlers> = {
    initialize: async () => ({ protocolVersion: 1 }),
  }
  const served = serve(
    client => {
      editor = client
      return handlers as Handlers
    },
    { input, output },
  )
  input.write(line({ id: 0, method: 'initialize', params: { protocolVersion: 1 } }))
  await nextTurn()
  await nextTurn()
  assert.match(String(output.read()), /"protocolVersion":1/)
  const { listen } = createUpdates(
    update => void editor?.notify('session/update', { sessionId: 's', update }),
    {
      words: EN,
      base: '/p',
      room: () => undefined,
      showsTerminals: false,
      takesNotices: false,
      takesCompaction: false,
    },
  )
  listen({ type: 'message_start', id: 'm', role: 'assistant' })
  listen({ type: 'message_delta', message_id: 'm', text: 'first' })
  // Before any other event: promises that are kept already may go on, and nothing else.
  await new Promise(resolve => process.nextTick(resolve))
  assert.match(String(output.read()), /"text":"first"/)
  input.end()
  await served.closed
})

test('what a handler refuses bears its number, and what fails by itself is told too', async () => {
  const [input, output] = [new PassThrough(), new PassThrough({ encoding: 'utf8' })]
  const handlers: Partial<Handlers> = {
    initialize: async () => ({ protocolVersion: 1 }),
    async begin() {
      throw new Refusal(-32602, 'not so', { why: 1 })
    },
    async list() {
      throw new Error('a bug')
    },
  }
  const served = serve(() => handlers as Handlers, { input, output })
  input.write(line({ id: 0, method: 'initialize', params: { protocolVersion: 1 } }))
  await nextTurn()
  input.write(line({ id: 1, method: 'session/new', params: { cwd: '/', mcpServers: [] } }))
  input.write(line({ id: 2, method: 'session/list', params: {} }))
  await nextTurn()
  await nextTurn()
  const said = String(output.read())
  assert.match(said, /"id":1,"error":\{"code":-32602,"message":"not so","data":\{"why":1\}/)
  assert.match(said, /"id":2,"error":\{"code":-32603.*a bug/)
  input.end()
  await served.closed
})

test('lines in pieces, in the middle of a character, without an end; and those that are none', async () => {
  const [input, output] = [new PassThrough(), new PassThrough({ encoding: 'utf8' })]
  const { readable } = linesOf(input, output, 40)
  const whole = Buffer.from(`${JSON.stringify({ text: 'žluťoučký' })}\r\n\n`)
  for (const byte of whole) input.write(Buffer.of(byte))
  input.write(`{"text":"${'x'.repeat(100)}"}\nno JSON\n{"last":1}`)
  input.end()
  const read: unknown[] = []
  for await (const message of readable) read.push(message)
  assert.deepEqual(read, [{ text: 'žluťoučký' }, { last: 1 }])
  const wrong = String(output.read()).trim().split('\n')
  assert.deepEqual(
    wrong.map(one => (JSON.parse(one) as { error: { code: number } }).error.code),
    [-32600, -32700],
  )
})
