import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { openProvider } from '../../src/assembly/provider.ts'
import { knownModels } from '../../src/cli/known-models.ts'
import { defaults } from '../../src/config/config.ts'
import { script } from '../support/demo/reply.ts'
import { startServer } from '../support/demo/server.ts'

test('the models of all providers are listed, and who was silent twice is asked no more', async t => {
  const demo = await startServer({ model: script([]) })
  t.after(() => demo.close())
  let connections = 0
  const silent = createServer(() => connections++)
  await new Promise<void>(resolve => silent.listen(0, '127.0.0.1', resolve))
  t.after(() => silent.close())
  const { port } = silent.address() as AddressInfo
  const lab = { type: 'openai' as const, base_url: `${demo.host}/v1`, models: { big: { context: 9000 } } }
  const config = {
    ...defaults,
    ollama: { ...defaults.ollama, host: demo.host, model: 'lab/big' },
    providers: {
      lab,
      quiet: { type: 'openai' as const, base_url: `http://127.0.0.1:${port}/v1` },
      locked: { ...lab, api_key: '${NO_SUCH_KEY_HERE}' },
    },
  }
  const backend = await openProvider(config, { name: 'lab', provider: lab })
  t.after(() => backend.close?.())
  const misses = new Map<string, number>()
  const list = async () =>
    (await knownModels({ backend, config, misses })).map(({ name, context }) => [name, context])
  const all = [
    ['lab/gopi-demo:latest', undefined],
    ['lab/big', 9000],
    ['gopi-demo:latest', 32_768],
  ]
  assert.deepEqual(await list(), all)
  assert.deepEqual(await list(), all)
  assert.ok(connections > 0)
  const before = connections
  assert.deepEqual(await list(), all)
  assert.equal(connections, before)
})
