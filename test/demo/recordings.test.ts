import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type DemoServer, startServer } from '../support/demo/server.ts'
import { content, readRecordings, recordedModel, recordedModels, replay, shape } from './recorded.ts'

const recordings = readRecordings()
let server: DemoServer

before(async () => {
  server = await startServer({ model: recordedModel, models: recordedModels, version: '0.0.0' })
})
after(() => server.close())

describe('a recorded exchange is answered as the real server did', () => {
  for (const [name, recorded] of Object.entries(recordings)) {
    it(name, async () => {
      const wanted = recorded.lines.map(({ line }) => line)
      const got = await replay(server.host, recorded)
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
    const got = JSON.parse((await replay(server.host, recordings[name]!)).lines[0] ?? '')
    assert.deepEqual(got.capabilities, wanted.capabilities)
    assert.equal(got.parameters, wanted.parameters)
    assert.equal(got.model_info['general.architecture'], 'qwen2')
    assert.equal(got.model_info['qwen2.context_length'], wanted.model_info['qwen2.context_length'])
  }
  const names = (line: string) => JSON.parse(line).models.map((model: { name: string }) => model.name)
  assert.deepEqual(
    names((await replay(server.host, recordings.tags!)).lines[0] ?? ''),
    names(recordings.tags?.lines[0]?.line ?? ''),
  )
})

it('every line has a time as Go writes it', async () => {
  const { lines } = await replay(server.host, recordings.text!)
  assert.ok(lines.length > 1)
  for (const line of lines)
    assert.match(JSON.parse(line).created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{0,8}[1-9])?Z$/)
})
