/** A second kind of server that can do the least: it answers from a file and says nothing of load, cache or time. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Backend, ChatRequest, ModelEvent } from '../../src/backends/backend.ts'
import { calledBy } from '../../src/backends/backends.ts'
import { knownModels } from '../../src/cli/known-models.ts'
import { defaults } from '../../src/config/config.ts'
import { RunError } from '../../src/protocol/errors.ts'
import type { Piece } from '../../src/protocol/wire.ts'
import { footerLine } from '../../src/tui/footer.ts'
import { modelItems } from '../../src/tui/list/items.ts'
import { type Status, statusAfter } from '../../src/tui/status.ts'
import { EN } from '../../src/words/en.ts'
import { openHouse } from '../support/house.ts'
import { lineText } from '../tui/app/states.ts'

/** One reply a line: a list of pieces. */
function fileBackend(file: string): { backend: Backend; requests: ChatRequest[] } {
  const requests: ChatRequest[] = []
  const backend: Backend = {
    host: `file://${file}`,
    async *chat(request, { signal }): AsyncGenerator<ModelEvent> {
      signal.throwIfAborted()
      const line = readFileSync(file, 'utf8').trim().split('\n')[requests.push(request) - 1]
      if (line === undefined) throw new RunError('stream', 'The file has no more replies.')
      for (const piece of JSON.parse(line) as Piece[]) yield piece
      yield { type: 'end', reason: 'stop' }
    },
    facts: async model => {
      if (model !== 'written') throw new RunError('no_model', `The file is no ${model}.`)
      return { capabilities: ['tools'], trained_context: undefined }
    },
    models: async () => [{ name: 'written' }],
  }
  return { backend, requests }
}

const piece = (text: string): Piece => ({ type: 'text', text })
const read = (file: string): Piece => ({ type: 'call', name: 'read', arguments: { path: file } })

async function openWithFile(t: TestContext, replies: Piece[][], called?: string) {
  const files = { 'a.txt': 'seven\n', replies: replies.map(reply => JSON.stringify(reply)).join('\n') }
  const before = await openHouse(t, { files })
  await before.session.close()
  const made = fileBackend(path.join(before.cwd, 'replies'))
  const backend = called === undefined ? made.backend : calledBy(called, made.backend)
  const model = called === undefined ? 'written' : `${called}/written`
  const house = await openHouse(t, { before, backend, prewarm: 'type', config: { ollama: { model } } })
  return { ...house, ...made, backend }
}

test('a whole session on a server that can do the least', { timeout: 20_000 }, async t => {
  const replies = [[], [read('a.txt')], [piece('It says '), piece('seven.')], [piece('Yes.')]]
  const { session, requests, events, journal, server } = await openWithFile(t, replies)
  await session.open()
  session.draft(`a long draft ${'word '.repeat(400)}`)
  const result = await session.prompt('What is in a.txt?')
  assert.deepEqual([result.reason, result.text, result.turns], ['done', 'It says seven.', 2])
  assert.match(String(requests[2]?.messages.at(-1)?.content), /seven/)
  assert.equal((await session.prompt('Sure?')).text, 'Yes.')
  assert.equal(server.chats.length, 0)

  // What nobody tells is neither kept nor said.
  const kept = journal()
  assert.deepEqual(
    kept.filter(({ type }) => type === 'notice' || type === 'error'),
    [],
  )
  for (const entry of kept) assert.ok(!('usage' in entry), JSON.stringify(entry))
  assert.ok(!events.some(event => event.type === 'phase' && event.phase === 'loading'))
  assert.ok(requests.every(({ context }) => context === 32_768))
  let status: Status = {
    ...{ directory: '~/x', model: '', dialect: '', mode: 'yolo', limit: 0 },
    ...{ phase: { name: 'idle', since: 0 }, running: false, warnings: [] },
  }
  for (const event of events) status = statusAfter(status, event, 0)
  const footer = lineText(footerLine(status, 100, { words: EN, showTokens: true })).trim()
  assert.equal(footer, 'yolo · written native · ~/x')
})

test('its failures and its models are told as any other’s', { timeout: 20_000 }, async t => {
  const { session, backend, events } = await openWithFile(t, [[piece('Once.')]])
  assert.equal((await session.prompt('Say it.')).text, 'Once.')
  const { reason, error } = await session.prompt('Again.')
  assert.deepEqual([reason, error?.code], ['error', 'stream'])
  assert.ok(events.some(event => event.type === 'error'))
  const models = await knownModels({ backend, config: defaults, misses: new Set() })
  assert.deepEqual(models, [{ name: 'written', capabilities: ['tools'] }])
  assert.deepEqual(modelItems(models, EN)[0], { id: 'written', label: 'written', detail: 'tools' })
})

test('a model that is missing there is one that is missing', async t => {
  const { session } = await openWithFile(t, [])
  const named = await openHouse(t, {
    backend: fileBackend('none').backend,
    config: { ollama: { model: 'other' } },
  })
  assert.equal((await named.session.prompt('Hello.')).error?.code, 'no_model')
  const any = await openHouse(t, {
    ...{ backend: fileBackend('none').backend, modelNamed: false },
    config: { ollama: { model: 'other' } },
  })
  await any.session.prompt('Hello.')
  assert.equal(any.session.model, 'written')
  assert.ok(
    any.events.some(
      event => event.type === 'notice' && event.message === 'other is not installed; using written.',
    ),
  )
  await session.close()
})

test('the models of a named provider go by its name outside, and by their own at the server', async t => {
  const { session, requests, backend } = await openWithFile(t, [[piece('Here.')]], 'lab')
  assert.equal((await session.prompt('Where?')).text, 'Here.')
  assert.deepEqual([session.model, requests[0]?.model], ['lab/written', 'written'])
  assert.deepEqual(await backend.models(), [{ name: 'lab/written' }])
  await assert.rejects(backend.facts('written'), { code: 'no_model' })
})
