import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type DemoServer, startServer } from '../../src/demo/server.ts'
import { type Recorded, readRecordings, recordedModel, recordedModels } from './recorded.ts'

const recordings = readRecordings()
let server: DemoServer

before(async () => {
  server = await startServer({ model: recordedModel, models: recordedModels, version: '0.0.0' })
})
after(() => server.close())

async function replay(recorded: Recorded): Promise<{ status: number; type: string | null; lines: string[] }> {
  const { path, request } = recorded
  const response = await fetch(server.host + path, {
    method: request === undefined ? 'GET' : 'POST',
    ...(request === undefined
      ? {}
      : { body: typeof request === 'string' ? request : JSON.stringify(request) }),
  })
  const text = await response.text()
  const lines = text.split('\n').filter(line => line !== '')
  return { status: response.status, type: response.headers.get('content-type'), lines }
}

/** Keys in their order, and the types of the values; lists by their first element. */
function shape(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? [] : [shape(value[0])]
  if (typeof value !== 'object' || value === null) return typeof value
  return Object.entries(value).map(([key, inner]) => [key, key === 'model_info' ? 'info' : shape(inner)])
}

/** What must be equal to the letter: everything but times, ids, digests, sizes and token counts of the prompt. */
function content(line: string): unknown {
  const { error, done, done_reason, message, eval_count, model } = JSON.parse(line)
  const calls = message?.tool_calls?.map((call: { function: unknown }) => call.function)
  return {
    error,
    done,
    done_reason,
    eval_count,
    model,
    message: message && { ...message, tool_calls: calls },
  }
}

describe('a recorded exchange is answered as the real server did', () => {
  for (const [name, recorded] of Object.entries(recordings)) {
    it(name, async () => {
      const wanted = recorded.lines.map(({ line }) => line)
      const got = await replay(recorded)
      assert.equal(got.status, recorded.status)
      assert.equal(got.type, recorded.type)
      if (name === 'ps')
        wanted[0] = JSON.stringify({ models: JSON.parse(wanted[0] ?? '').models.slice(0, 1) })
      assert.deepEqual(
        got.lines.map(line => shape(JSON.parse(line))),
        wanted.map(line => shape(JSON.parse(line))),
      )
      // A model without a user message said something that depends on its weights.
      if (recorded.path === '/api/chat' && name !== 'prewarm') {
        assert.deepEqual(got.lines.map(content), wanted.map(content))
      }
    })
  }

  it('covers every kind of line there is', () => {
    const kinds = new Set(
      Object.values(recordings).map(({ path, status, type }) => `${path} ${status} ${type}`),
    )
    assert.equal(Object.keys(recordings).length, 33)
    assert.equal(kinds.size, 10)
  })
})

it('what show, tags and ps say of a model agrees with what was recorded of it', async () => {
  for (const name of ['show', 'show-no-tools', 'show-thinking']) {
    const wanted = JSON.parse(recordings[name]?.lines[0]?.line ?? '')
    const got = JSON.parse((await replay(recordings[name]!)).lines[0] ?? '')
    assert.deepEqual(got.capabilities, wanted.capabilities)
    assert.equal(got.parameters, wanted.parameters)
    assert.equal(got.model_info['general.architecture'], 'qwen2')
    assert.equal(got.model_info['qwen2.context_length'], wanted.model_info['qwen2.context_length'])
  }
  const names = (line: string) => JSON.parse(line).models.map((model: { name: string }) => model.name)
  assert.deepEqual(
    names((await replay(recordings.tags!)).lines[0] ?? ''),
    names(recordings.tags?.lines[0]?.line ?? ''),
  )
})

it('every line has a time as Go writes it', async () => {
  const { lines } = await replay(recordings.text!)
  assert.ok(lines.length > 1)
  for (const line of lines)
    assert.match(JSON.parse(line).created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{0,8}[1-9])?Z$/)
})
