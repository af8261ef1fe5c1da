import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { PassThrough } from 'node:stream'
import { it } from 'node:test'
import { type ServeOptions, serveDemo } from '../../src/demo/serve.ts'
import { RunError } from '../../src/protocol/errors.ts'
import { REPORTS_EN } from '../../src/words/reports-en.ts'
import { REPORTS_ZH } from '../../src/words/reports-zh.ts'
import type { DemoServer } from '../support/demo/server.ts'
import { chat, system, user } from './client.ts'

const quick: ServeOptions = { port: 0, prefill: 1e9, decode: 1e9, load: 0 }

/** Serves for as long as `use` takes. */
async function serving(
  options: ServeOptions,
  use: (lines: AsyncIterator<string>) => Promise<void>,
  words = REPORTS_EN.demo,
): Promise<void> {
  const stdout = new PassThrough()
  const stop = new AbortController()
  const served = serveDemo(options, { stdout, signal: stop.signal, words })
  const used = use(createInterface({ input: stdout })[Symbol.asyncIterator]()).finally(() => stop.abort())
  await Promise.all([served, used])
}

it('gopi demo names its address and says what it is, then a line for each request says what was cached and read', () =>
  serving(quick, async lines => {
    const next = async () => (await lines.next()).value as string
    const first = await next()
    assert.match(first, /demo \(a script, no language model\)/)
    const host = /http:\/\/127\.0\.0\.1:\d+/.exec(first)?.[0] ?? ''
    assert.match(await next(), /OLLAMA_HOST=http/)

    const version = await (await fetch(`${host}/api/version`)).json()
    assert.deepEqual(version, { version: '0.24.0-gopi-demo' })
    assert.match(await next(), /^GET \/api\/version 200: \d+\.\d\d s$/)

    const server = { host } as DemoServer
    const messages = [system('You are gopi. '.repeat(400)), user('hello')]
    assert.match((await chat(server, { messages, model: 'any-name:7b' })).text, /no language model/)
    const cold = await next()
    assert.match(
      cold,
      /^POST \/api\/chat 200: model loaded; [\d,]+ prompt tokens, 0 cached, [\d,]+ read; \d+ generated/,
    )
    await chat(server, { messages, model: 'any-name:7b' })
    assert.match(await next(), /: ([\d,]+) prompt tokens, [\d,]+ cached, 1 read;/)

    const show = await fetch(`${host}/api/show`, { method: 'POST', body: '{"model":"any"}' })
    const facts = (await show.json()) as { template: string; details: { family: string } }
    assert.match(facts.template, /no language model/)
    assert.equal(facts.details.family, 'gopi-demo')
  }))

it('what it prints is in the person’s language', () =>
  serving(
    quick,
    async lines => {
      const next = async () => (await lines.next()).value as string
      const first = await next()
      assert.match(first, /^gopi 的演示（脚本，不是语言模型）按 Ollama 的方式在 http/)
      assert.match(await next(), /^试试：OLLAMA_HOST=http/)
      const host = /http:\/\/127\.0\.0\.1:\d+/.exec(first)?.[0] ?? ''
      await chat({ host } as DemoServer, { messages: [user('hello')], model: 'any-name:7b' })
      assert.match(
        await next(),
        /^POST \/api\/chat 200：模型已加载；提示词 [\d,]+ 个 token，缓存 0，读取 [\d,]+；生成 \d+；\d+\.\d\d 秒$/,
      )
    },
    REPORTS_ZH.demo,
  ))

it('a port that was asked for and is taken is a sentence with what to do', async () => {
  const other = createServer()
  other.listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as { port: number }
  const { signal } = new AbortController()
  const options = { stdout: new PassThrough(), signal, words: REPORTS_EN.demo }
  await assert.rejects(serveDemo({ ...quick, port }, options), error => {
    assert.ok(error instanceof RunError)
    assert.match(error.message, new RegExp(`cannot listen on port ${port}: it is taken; name another one`))
    return true
  })
  other.close()
  await once(other, 'close')
})

it('without a wish the demo takes another port when the usual one is taken, also by another demo', () =>
  serving({ prefill: 1e9, decode: 1e9, load: 0 }, async first => {
    const one = (await first.next()).value
    await serving({ prefill: 1e9, decode: 1e9, load: 0 }, async second => {
      assert.match((await second.next()).value, /http:\/\/127\.0\.0\.1:\d+/)
      assert.notEqual((await second.next()).value, one)
    })
  }))
