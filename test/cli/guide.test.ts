import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Desk } from '../../src/cli/desk.ts'
import { guide } from '../../src/cli/guide.ts'
import { loadConfig } from '../../src/config/load.ts'
import { holds, setValues } from '../../src/config/set-values.ts'
import { EN } from '../../src/words/en.ts'
import { SETUP_EN } from '../../src/words/setup-en.ts'
import { script } from '../support/demo/reply.ts'
import { startServer } from '../support/demo/server.ts'
import { temporary } from '../support/program.ts'

/** A person who presses these keys, and what was said and offered. */
function person(keys: (string | undefined)[]): Desk & { said: string[] } {
  const said: string[] = []
  return {
    said,
    say: sentence => void said.push(sentence),
    async choose(choices) {
      for (const { key, text } of choices) said.push(`${key} ${text}`)
      return keys.shift()
    },
    key: async () => keys.shift() ?? '',
    progress() {},
    interruptible: work => work(new AbortController().signal),
  }
}

async function guided(
  t: TestContext,
  { keys, models, config = '', host }: { keys: string[]; models: string[]; config?: string; host?: string },
) {
  const home = temporary(t, 'gopi-home-')
  writeFileSync(path.join(home, 'config.yaml'), config, { mode: 0o600 })
  const server = await startServer({ model: script([]), models })
  t.after(() => server.close())
  const env = { PATH: '/nowhere', OLLAMA_HOST: host ?? server.host }
  const loaded = await loadConfig({ home, cwd: home, env, flags: {}, trusted: false })
  const desk = person(keys)
  const { outcome } = await guide({ loaded, home, cwd: home, env, desk, words: EN, setup: SETUP_EN })
  return { outcome, said: desk.said.join('\n') }
}

test('what is there is used and said, without a question; another in place of a default that is not', async t => {
  const there = await guided(t, { keys: [], models: ['qwen2.5-coder:7b'] })
  assert.deepEqual(there.outcome, { type: 'ready', model: 'qwen2.5-coder:7b', isChosen: false })
  const other = await guided(t, { keys: [], models: ['llama3:8b', 'qwen3:8b'] })
  assert.deepEqual(other.outcome, { type: 'ready', model: 'qwen3:8b', isChosen: false })
  assert.match(other.said, /qwen2\.5-coder:7b is not installed; using qwen3:8b\.\ngopi uses qwen3:8b at http/)
})

test('a model that was named and is not there: get it, choose an installed one, the demo, or leave', async t => {
  const config = 'ollama: { model: mine }\n'
  const models = ['llama3:8b', 'qwen3:8b']
  const chosen = await guided(t, { keys: ['2'], models, config })
  assert.deepEqual(chosen.outcome, { type: 'ready', model: 'qwen3:8b', isChosen: true })
  assert.match(chosen.said, /p get mine\n1 use llama3:8b\n2 use qwen3:8b\nd try the demo.*\nq leave it/)
  assert.deepEqual((await guided(t, { keys: ['d'], models, config })).outcome, { type: 'demo' })
  assert.deepEqual((await guided(t, { keys: ['q'], models, config })).outcome, { type: 'left' })
})

test('without a server and without Ollama on PATH only the demo is offered', async t => {
  const { outcome, said } = await guided(t, { keys: ['d'], models: [], host: 'http://127.0.0.1:9' })
  assert.deepEqual(outcome, { type: 'demo' })
  assert.match(
    said,
    /^No Ollama answers at http:\/\/127\.0\.0\.1:9.*\nd try the demo, without a model\nq leave it$/,
  )
})

test('what was chosen is written into config.yaml, and everything else in it stays', t => {
  const file = path.join(temporary(t, 'gopi-home-'), 'config.yaml')
  writeFileSync(file, '# mine\nollama:\n  host: a # here\n')
  assert.equal(setValues(file, [[['ollama', 'model'], 'qwen3:8b']]), undefined)
  assert.equal(readFileSync(file, 'utf8'), '# mine\nollama:\n  host: a # here\n  model: "qwen3:8b"\n')
  writeFileSync(file, 'mcp: {}\n')
  assert.equal(setValues(file, [[['mcp', 'a'], { command: 'x' }]]), undefined)
  assert.equal(readFileSync(file, 'utf8'), 'mcp:\n  a:\n    command: "x"\n')
  assert.deepEqual([holds(file, ['mcp', 'a']), holds(file, ['mcp', 'b'])], [true, false])
  writeFileSync(file, 'mcp: {a: {command: x}}\n')
  assert.deepEqual([holds(file, ['mcp', 'a']), holds(file, ['mcp', 'b'])], [true, false])
  writeFileSync(file, 'ollama: [')
  assert.match(setValues(file, [[['ollama', 'model'], 'x']])?.message ?? '', /config\.yaml/)
})
