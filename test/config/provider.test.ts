import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { defaults } from '../../src/config/config.ts'
import { loadConfig, mergeConfig } from '../../src/config/load.ts'
import { chosenProvider } from '../../src/config/provider.ts'
import { checkConfig, said } from '../../src/config/schema.ts'

const lab = { type: 'ollama', host: 'http://box:11434' } as const

test('a model of a configured provider is named with it, every other name is Ollama’s', () => {
  const rows: [named: string, providers: Record<string, typeof lab>, provider: string, model: string][] = [
    ['qwen3:8b', { lab }, 'ollama', 'qwen3:8b'],
    ['lab/qwen3:8b', { lab }, 'lab', 'lab/qwen3:8b'],
    ['lab/user/m:1b', { lab }, 'lab', 'lab/user/m:1b'],
    ['ollama/qwen3:8b', { lab }, 'ollama', 'qwen3:8b'],
    ['user/model', { lab }, 'ollama', 'user/model'],
    ['lab/qwen3:8b', {}, 'ollama', 'lab/qwen3:8b'],
    ['hf.co/user/model:Q4', { lab }, 'ollama', 'hf.co/user/model:Q4'],
    ['lab/', { lab }, 'ollama', 'lab/'],
    ['/lab', { lab }, 'ollama', '/lab'],
    ['constructor/x', { lab }, 'ollama', 'constructor/x'],
  ]
  for (const [named, providers, name, model] of rows) {
    const chosen = chosenProvider({ ollama: { ...defaults.ollama, model: named }, providers })
    assert.deepEqual([chosen.name, chosen.model], [name, model], named)
    assert.deepEqual(chosen.provider, name === 'lab' ? lab : { ...lab, host: defaults.ollama.host })
  }
})

test('what is wrong with a provider is one sentence with its path', () => {
  const rows: [providers: unknown, sentences: string[]][] = [
    [[], ['providers: expected a mapping (name: server); came an empty list']],
    [{ lab: 'x' }, ['providers.lab: expected a mapping (type: ollama, host: ADDRESS); came "x"']],
    [{ lab: {} }, ['providers.lab.type: expected ollama, openai or pool; came nothing']],
    [{ lab: { type: 'ollama' } }, [anAddress('nothing')]],
    [{ lab: { type: 'ollama', host: ' ' } }, [anAddress('" "')]],
    [
      { lab: { type: 'vllm', host: 'a' } },
      ['providers.lab.type: expected ollama, openai or pool; came "vllm"'],
    ],
    [
      { lab: { type: 'openai', base_url: ' ', api_key: 5, headers: { 'a b': 'c' }, timeout: 3 } },
      [
        'providers.lab.base_url: expected an address such as https://lab.example/v1; came " "',
        'providers.lab.api_key: expected a key, best the name of an environment variable, written as $NAME in braces; came 5',
        'providers.lab.headers.a b: expected the name of a header such as X-Session-ID; came "a b"',
        'providers.lab.timeout: expected a duration such as 120s (a whole number and ms, s, m or h; at most 596h); came 3',
      ],
    ],
    [
      {
        lab: { type: 'openai', base_url: 'http://x/v1', models: { m: { context: 0, price: { input: 1 } } } },
      },
      [
        'providers.lab.models.m.context: expected a whole number of tokens from 1; came 0',
        'providers.lab.models.m.price.output: expected a mapping (input: PRICE, output: PRICE, cached: PRICE) of a million tokens; came nothing',
      ],
    ],
    [
      { all: { type: 'pool', of: ['lab'] } },
      ['providers.all.of: expected a list of at least two providers; came a list'],
    ],
    [{ lab: { ...lab, hots: 'x' } }, ['providers.lab.hots: unknown key; did you mean host?']],
    [{ lab: { ...lab, model: 'x' } }, ['providers.lab.model: unknown key; known here: type, host']],
    [{ 'a/b': lab }, [aName('"a/b"', 'a/b')]],
    [{ ollama: lab }, [aName('"ollama"', 'ollama')]],
  ]
  for (const [providers, sentences] of rows) {
    const checked = checkConfig({ providers })
    const problems = 'problems' in checked ? checked.problems.map(problem => said(problem).slice(2)) : []
    assert.deepEqual(problems, sentences, JSON.stringify(providers))
  }
})

const anAddress = (came: string) =>
  `providers.lab.host: expected an address such as http://localhost:11434; came ${came}`
const aName = (came: string, name: string) =>
  `providers.${name}: expected a name of letters, digits, dots, - and _, and not ollama, whose address is ollama.host; came ${came}`

test('what the sandbox reaches is widened by no folder that is not trusted', async t => {
  const home = mkdtempSync(path.join(tmpdir(), 'gopi-'))
  t.after(() => rmSync(home, { recursive: true }))
  const cwd = path.join(home, 'project')
  mkdirSync(path.join(cwd, '.gopi'), { recursive: true })
  writeFileSync(path.join(home, 'config.yaml'), 'sandbox: { network: [example.com] }\n')
  writeFileSync(path.join(cwd, '.gopi/config.yaml'), 'sandbox: { network: ["*"] }\n')
  const untrusted = await loadConfig({ home, cwd, env: {}, trusted: false })
  assert.deepEqual(untrusted.config.sandbox, { network: ['example.com'] })
  assert.match(untrusted.notices.map(({ message }) => message).join(), /sandbox is left out/)
  const trusted = await loadConfig({ home, cwd, env: {}, trusted: true })
  assert.deepEqual(trusted.config.sandbox, { network: ['*'] })
})

test('providers of several files are joined, and an untrusted project sets none', async t => {
  const home = mkdtempSync(path.join(tmpdir(), 'gopi-'))
  t.after(() => rmSync(home, { recursive: true }))
  const cwd = path.join(home, 'project')
  mkdirSync(path.join(cwd, '.gopi'), { recursive: true })
  writeFileSync(path.join(home, 'config.yaml'), 'providers: { lab: { type: ollama, host: a } }\n')
  writeFileSync(path.join(cwd, '.gopi/config.yaml'), 'providers: { desk: { type: ollama, host: b } }\n')
  const untrusted = await loadConfig({ home, cwd, env: {}, trusted: false })
  assert.deepEqual(Object.keys(untrusted.config.providers), ['lab'])
  assert.match(
    untrusted.notices.map(({ message }) => message).join(),
    /providers is left out, because this folder is not trusted/,
  )
  const trusted = await loadConfig({ home, cwd, env: {}, trusted: true })
  assert.deepEqual(Object.keys(trusted.config.providers), ['lab', 'desk'])
  assert.deepEqual((await mergeConfig({ providers: { lab } })).providers, { lab })
})
