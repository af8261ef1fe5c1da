import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { describe, it } from 'node:test'
import { addressFailure, connectionFailure, retryNotice } from '../../src/backends/http/failures.ts'
import { errorWords, HttpFailure } from '../../src/backends/http/reply.ts'
import {
  errorLineFailure,
  httpFailure,
  noModelFailure,
  strangerFailure,
} from '../../src/backends/ollama/failures.ts'
import { createOllama } from '../../src/backends/ollama/ollama.ts'
import { toldDuration } from '../../src/words/sayings/duration.ts'
import { assertSentence } from './asking.ts'

const PLACE = { host: 'http://box:11434', model: 'qwen3' }

describe('a connection that fails', () => {
  const rows: [code: string, stage: 'connecting' | 'waiting' | 'reading', kind: string, words: RegExp][] = [
    [
      'ECONNREFUSED',
      'connecting',
      'no_server',
      /^No Ollama answers at http:\/\/box:11434 .*ollama serve.*download.*gopi --demo/,
    ],
    [
      'ENOTFOUND',
      'connecting',
      'no_server',
      /^The name in http:\/\/box:11434 leads to no address \(ENOTFOUND\): check --host/,
    ],
    ['EAI_AGAIN', 'connecting', 'no_server', /leads to no address \(EAI_AGAIN\)/],
    [
      'EHOSTUNREACH',
      'connecting',
      'no_server',
      /No connection to .* could be made \(EHOSTUNREACH\): check the network/,
    ],
    ['ENETUNREACH', 'connecting', 'no_server', /could be made \(ENETUNREACH\)/],
    ['ETIMEDOUT', 'connecting', 'no_server', /could be made \(ETIMEDOUT\)/],
    ['ECONNRESET', 'connecting', 'no_server', /could be made \(ECONNRESET\)/],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'connecting', 'no_server', /No secure connection .*NODE_EXTRA_CA_CERTS/],
    ['CERT_HAS_EXPIRED', 'connecting', 'no_server', /No secure connection/],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'connecting', 'no_server', /No secure connection/],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'connecting', 'no_server', /No secure connection/],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'connecting', 'no_server', /use http:\/\/ if it speaks no TLS/],
    ['EPROTO', 'connecting', 'no_server', /No secure connection/],
    ['HPE_INVALID_CONSTANT', 'waiting', 'no_server', /does not speak HTTP/],
    [
      'ECONNRESET',
      'waiting',
      'stream',
      /broke before it answered \(ECONNRESET\): look whether Ollama still runs/,
    ],
    ['EPIPE', 'waiting', 'stream', /broke before it answered/],
    ['ECONNRESET', 'reading', 'stream', /broke in the middle of the answer/],
    ['ETIMEDOUT', 'reading', 'stream', /broke in the middle of the answer \(ETIMEDOUT\)/],
    ['HPE_INVALID_CHUNK_SIZE', 'reading', 'stream', /broke in the middle of the answer/],
  ]
  for (const [code, stage, kind, words] of rows) {
    it(`with ${code} while ${stage} says so`, () => {
      const cause = Object.assign(new Error('low words'), { code })
      const error = connectionFailure(cause, stage, PLACE)
      assertSentence(error)
      assert.match(error.message, words)
      assert.deepEqual([error.code, error.cause], [kind, cause])
    })
  }

  it('without a code is told by its words', () => {
    assert.match(connectionFailure(new Error('odd'), 'connecting', PLACE).message, /could be made \(odd\)/)
  })

  it('in a TLS handshake with a server that has none is told as such', { timeout: 10_000 }, async t => {
    const plain = createServer(socket => socket.on('error', () => {}).end('HTTP/1.1 400 Bad Request\r\n\r\n'))
    t.after(() => plain.close())
    await once(plain.listen(0, '127.0.0.1'), 'listening')
    const { port } = plain.address() as AddressInfo
    const model = createOllama({ host: `https://127.0.0.1:${port}`, timeout: 5000 })
    const error: unknown = await model.version().catch((error: unknown) => error)
    assertSentence(error)
    assert.match(error.message, /No secure connection to https:/)
  })
})

/** Ollama's and llama-server's own texts. */
const LLAMA_SERVER =
  '{"error":{"code":400,"message":"request (5000 tokens) exceeds the available context size (4096 tokens), try increasing it","type":"exceed_context_size_error","n_prompt_tokens":5000,"n_ctx":4096}}'

const ANSWERS: [status: number, error: string, code: string, remedy: string | undefined, words: RegExp][] = [
  [
    400,
    'registry.ollama.ai/library/qwen3:latest does not support tools',
    'no_tools',
    'no_tools',
    /"qwen3" takes no tools .*--tool-calling react or json/,
  ],
  [400, '"qwen3" does not support thinking', 'stream', 'no_thinking', /--think off/],
  [400, 'think value "max" is not supported for this model', 'stream', 'no_thinking', /--think off/],
  [
    400,
    '"nomic" does not support chat',
    'no_model',
    undefined,
    /is no model for conversations; choose another with --model/,
  ],
  [400, 'invalid model name', 'no_model', undefined, /choose another/],
  [404, "model 'qwen3' not found", 'no_model', undefined, /ollama pull qwen3/],
  [404, 'model "qwen3" not found, try pulling it first', 'no_model', undefined, /ollama pull qwen3/],
  [
    400,
    'the input length exceeds the context length',
    'context',
    undefined,
    /no longer fits into the context of "qwen3"; compact it/,
  ],
  [
    400,
    'the prompt is longer than the context length currently available for this model',
    'context',
    undefined,
    /raise context\.max_tokens/,
  ],
  [400, LLAMA_SERVER, 'context', undefined, /"request \(5000 tokens\) exceeds the available context size/],
  [500, LLAMA_SERVER, 'context', undefined, /compact it/],
  [
    500,
    'model requires more system memory (9.1 GiB) than is available (4.2 GiB)',
    'memory',
    undefined,
    /does not fit into the memory; .*smaller model/,
  ],
  [500, 'cudaMalloc failed: out of memory', 'memory', undefined, /does not fit/],
  [
    500,
    'llama runner process has terminated: error loading model: unable to allocate CUDA0 buffer',
    'memory',
    undefined,
    /does not fit/,
  ],
  [500, 'memory layout cannot be allocated', 'memory', undefined, /does not fit/],
  [
    500,
    'model failed to load, this may be due to resource limitations or an internal error, check ollama server logs for details',
    'memory',
    undefined,
    /does not fit/,
  ],
  [
    500,
    'model runner has unexpectedly stopped, this may be due to resource limitations or an internal error',
    'memory',
    undefined,
    /does not fit/,
  ],
  [
    500,
    'llama runner process has terminated with exit code -1',
    'stream',
    undefined,
    /process that runs "qwen3" died; ask again/,
  ],
  [
    500,
    'an error was encountered while running the model: unexpected EOF',
    'stream',
    undefined,
    /died; ask again/,
  ],
  [
    500,
    "failed to parse JSON: invalid character 'x' after object key:value pair",
    'stream',
    'malformed_call',
    /a tool call that Ollama could not read; ask again/,
  ],
  [
    500,
    'error parsing tool call: raw=\'{"a":\', err=unexpected end of JSON input',
    'stream',
    'malformed_call',
    /could not read/,
  ],
  [
    500,
    'XML syntax error on line 3: element <parameter> closed by </function>',
    'stream',
    'malformed_call',
    /could not read/,
  ],
  [
    500,
    'The model produced output that does not match the expected peg-native format',
    'stream',
    'malformed_call',
    /could not read/,
  ],
  [
    400,
    "invalid character 'x' looking for beginning of value",
    'stream',
    undefined,
    /400: "invalid character/,
  ],
  [401, 'unauthorized', 'no_server', undefined, /sign in with "ollama signin", set OLLAMA_API_KEY/],
  [
    403,
    'ollama cloud is disabled: remote model is not available',
    'no_model',
    undefined,
    /choose a local model/,
  ],
  [403, 'this model requires a subscription', 'no_model', undefined, /check your account/],
  [429, 'too many requests', 'busy', undefined, /too much to do; wait a little/],
  [502, 'error connecting to ollama.com', 'busy', undefined, /cannot reach it; wait a little/],
  [
    503,
    'server busy, please try again.  maximum pending requests exceeded',
    'busy',
    undefined,
    /too much to do/,
  ],
  [504, '', 'busy', undefined, /cannot reach it/],
  [
    500,
    'something new',
    'stream',
    undefined,
    /500: "something new"\): ask again, and if it happens again look into its log/,
  ],
  [418, 'tea', 'stream', undefined, /418: "tea"/],
]

describe('an answer with an error', () => {
  for (const [status, words, code, remedy, sentence] of ANSWERS) {
    it(`${status} ${words.slice(0, 70)} is ${code}${remedy === undefined ? '' : `, which ${remedy} mends`}`, () => {
      const failure = new HttpFailure(status, JSON.stringify({ error: words }))
      const error = httpFailure(failure, PLACE)
      assertSentence(error)
      assert.match(error.message, sentence)
      assert.match(error.message, /^Ollama at http:\/\/box:11434 answered with an error \(\d{3}/)
      assert.deepEqual([error.code, error.remedy, error.cause], [code, remedy, failure])
    })
  }

  it('in the middle of a stream means what it would have meant before', () => {
    for (const [status, words, code, remedy] of ANSWERS) {
      if (status !== 500) continue
      const error = errorLineFailure(words, PLACE)
      assertSentence(error)
      assert.deepEqual([words, error.code, error.remedy], [words, code, remedy])
    }
  })

  it('names the page where Ollama wants the person to sign in', () => {
    const body = '{"error":"unauthorized","signin_url":"https://ollama.com/connect?name=box"}'
    const { message } = httpFailure(new HttpFailure(401, body), PLACE)
    assert.match(message, /sign in with "ollama signin" or at https:\/\/ollama\.com\/connect\?name=box\.$/)
  })

  it('403 without a word comes from a server that answers to local names only', () => {
    const { code, message } = httpFailure(new HttpFailure(403, ''), PLACE)
    assert.equal(code, 'no_server')
    assert.match(message, /\(403\): it answers to local names only; use its IP address/)
  })

  it('404 in plain text comes from something that is not Ollama', () => {
    const { code, message } = httpFailure(new HttpFailure(404, '404 page not found'), PLACE)
    assert.equal(code, 'no_server')
    assert.match(message, /this is not Ollama's interface; check --host/)
  })

  it('that is a page is told by its title, with any status', () => {
    const page = '\n<!doctype html><html><head><title>\n  502 Bad\n Gateway</title></head></html>'
    for (const status of [400, 404, 502]) {
      const error = httpFailure(new HttpFailure(status, page), PLACE)
      assertSentence(error)
      assert.match(error.message, new RegExp(`answered ${status} with a web page \\("502 Bad Gateway"\\)`))
    }
    assert.match(httpFailure(new HttpFailure(404, '<p>hi'), PLACE).message, /with a web page instead of JSON/)
  })

  it('keeps foreign words on one line, bounded and harmless', () => {
    const words = `a\n\tb\x1b[31m${'x'.repeat(9000)}`
    const { message } = httpFailure(new HttpFailure(500, words), PLACE)
    assert.match(message, /\(500: "a b\ufffd\[31mx{200,}…"\)/)
    assert.ok(message.length < 600)
  })
})

describe('the words of an error are found however they are wrapped:', () => {
  const rows: [error: unknown, words: string][] = [
    ['plain', 'plain'],
    ['{"error":"one"}', 'one'],
    ['{"error":"{\\"error\\":{\\"message\\":\\"two\\"}}"}', 'two'],
    [{ message: 'three' }, 'three'],
    [{ error: { code: 5 } }, '{"code":5}'],
    ['{"detail":"Not Found"}', '{"detail":"Not Found"}'],
    ['{broken', '{broken'],
    ['42', '42'],
    [undefined, ''],
    [null, ''],
    [7, '7'],
    [['a'], '["a"]'],
  ]
  for (const [error, words] of rows) {
    it(JSON.stringify(error) ?? 'nothing', () => assert.equal(errorWords(error), words))
  }

  it('and nobody is made to unwrap them for ever', () => {
    let deep: unknown = 'end'
    for (let depth = 0; depth < 50; depth++) deep = { error: deep }
    assert.match(errorWords(deep), /^\{"error":/)
  })
})

describe('other sentences', () => {
  it('name what was found and what to do', () => {
    for (const error of [
      addressFailure({ host: 'http://a b:1' }),
      strangerFailure('{"hello":"world"}', PLACE),
      noModelFailure(PLACE, [], undefined),
      noModelFailure(PLACE, ['a:1', 'b:2'], undefined),
    ]) {
      assertSentence(error)
    }
    const failure = new HttpFailure(503, '<html>no</html>')
    assert.equal(
      retryNotice(failure, 1000, PLACE).message,
      'Ollama at http://box:11434 cannot answer now (503); asking again in 1 s.',
    )
  })

  it('tell durations as people read them', () => {
    assert.deepEqual([0, 50, 999, 1000, 1550, 120_000].map(toldDuration), [
      '0 ms',
      '50 ms',
      '999 ms',
      '1 s',
      '1.6 s',
      '120 s',
    ])
  })

  it('are there for an address that is none, before anything is sent', () => {
    for (const host of ['http://a b', 'http://x]', 'http://me%zz:x@box']) {
      assert.throws(
        () => createOllama({ host, timeout: 1 }),
        error => {
          assertSentence(error)
          return error.code === 'no_server' && /is no address of a server: check --host/.test(error.message)
        },
      )
    }
    assert.equal(createOllama({ host: 'box/%', timeout: 1 }).host, 'http://box:11434/%')
  })
})
