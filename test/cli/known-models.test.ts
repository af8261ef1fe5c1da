import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { openProvider } from '../../src/assembly/provider.ts'
import { knownModels } from '../../src/cli/known-models.ts'
import { type Config, defaults } from '../../src/config/config.ts'
import { script } from '../support/demo/reply.ts'
import { startServer } from '../support/demo/server.ts'

test('the models of all providers are listed, and who was silent is asked no more', async t => {
  const demo = await startServer({ model: script([]) })
  t.after(() => demo.close())
  let connections = 0
  const silent = createServer(() => connections++)
  await new Promise<void>(resolve => silent.listen(0, '127.0.0.1', resolve))
  t.after(() => silent.close())
  const { port } = silent.address() as AddressInfo
  const lab = { type: 'openai' as const, base_url: `${demo.host}/v1`, models: { big: { context: 9000 } } }
  const quiet = { type: 'openai' as const, base_url: `http://127.0.0.1:${port}/v1` }
  const config = { ...defaults, ollama: { ...defaults.ollama, host: demo.host, model: 'lab/big' } }
  const backend = await openProvider(config, { name: 'lab', provider: lab })
  t.after(() => backend.close?.())
  const misses = new Set<string>()
  const list = async (providers: Config['providers'], patience: number) =>
    (await knownModels({ backend, config: { ...config, providers }, misses, patience })).map(
      ({ name, context }) => [name, context],
    )
  const own = [
    ['lab/gopi-demo:latest', undefined],
    ['lab/big', 9000],
  ]
  const answering = { lab, locked: { ...lab, api_key: '${NO_SUCH_KEY_HERE}' } }
  assert.deepEqual(await list(answering, 60_000), [...own, ['gopi-demo:latest', 32_768]])

  // Whether the other one answers in so short a time is nobody's concern here.
  assert.deepEqual((await list({ lab, quiet }, 50)).slice(0, 2), own)
  assert.ok(misses.has('quiet'))
  const before = connections
  assert.deepEqual((await list({ lab, quiet }, 50)).slice(0, 2), own)
  assert.equal(connections, before)
})
