import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { type TestContext, test } from 'node:test'
import type { ReadStream, WriteStream } from 'node:tty'
import { createOllama } from '../../src/backends/ollama/ollama.ts'
import { openDesk } from '../../src/cli/desk.ts'
import { paceOf } from '../../src/cli/pace.ts'
import { pull } from '../../src/cli/pull.ts'
import { EN } from '../../src/words/en.ts'
import { SETUP_EN } from '../../src/words/setup-en.ts'
import { type Library, startLibrary } from '../support/library-server.ts'

const DIGEST = 'pulling 747b2849f41d'

/** Gets `m` at a terminal that types `keys` once something is shown of the download. */
async function got(t: TestContext, library: Library, keys?: string): Promise<string> {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const modes: boolean[] = []
  const setRawMode = (raw: boolean) => modes.push(raw)
  const desk = openDesk(
    Object.assign(input, { setRawMode }) as unknown as ReadStream,
    Object.assign(output, { columns: 100 }) as unknown as WriteStream,
  )
  const backend = createOllama({ host: library.host, timeout: 5000 })
  t.after(() => backend.close())
  let shown = ''
  output.on('data', bytes => {
    shown += bytes
    if (keys !== undefined && /%/.test(String(bytes))) input.write(keys)
  })
  await pull(backend, 'm', { desk, words: EN, setup: SETUP_EN })
  await new Promise(resolve => setImmediate(resolve))
  assert.deepEqual(modes, [true, false], 'the terminal is given back')
  assert.equal(input.isPaused(), true)
  return shown.replaceAll('\r\x1b[K', '\n')
}

test('a download is shown part by part, and ends without a key', async t => {
  const library = await startLibrary(t, say => {
    say({ status: 'pulling manifest' })
    say({ status: DIGEST, digest: 'sha256:7', total: 4096 })
    say({ status: DIGEST, digest: 'sha256:7', total: 4096, completed: 1024 })
    say({ status: 'verifying sha256 digest' })
    say({ status: 'success' })
    return true
  })
  const shown = await got(t, library)
  assert.match(
    shown,
    /pulling manifest\n░+ 0 % {2}0 bytes of 4 KB\n█{5}░{15} 25 % {2}1 KB of 4 KB\nverifying/,
  )
  assert.doesNotMatch(shown, /Stopped|error/)
  assert.deepEqual(library.asked, ['m'])
})

test('Ctrl+C, also twice at once, stops a download and closes its connection', async t => {
  const library = await startLibrary(t, (say, answer) => {
    say({ status: DIGEST, digest: 'sha256:7', total: 4096, completed: 1024 })
    return new Promise(resolve => answer.on('close', () => resolve(false)))
  })
  assert.match(await got(t, library, '\x03\x03'), /25 %.*\n+Stopped; what has come stays\.\n$/)
  await library.left
})

const FAILURES: [words: string, said: RegExp][] = [
  ['pull model manifest: file does not exist', /can get no model "m": there is none of that name.*library/],
  ['invalid model name', /"m" is no name of a model, as qwen3:8b is one; choose another with --model\./],
  ['write /models/blobs/sha256-7-partial: no space left on device', /there is no room for "m"/],
  [
    'pull model manifest: 412: The model you are attempting to pull requires a newer version of Ollama.',
    /needs a newer Ollama/,
  ],
  ['digest mismatch, file must be downloaded again: want sha256:7, got sha256:8', /get it once more/],
  [
    'max retries exceeded: Get "https://x/": dial tcp 1.2.3.4:443: connect: connection refused',
    /check the network/,
  ],
  ['pull model manifest: Get "https://x/v2/": dial tcp: lookup x: no such host', /HTTPS_PROXY/],
  [
    'pull model manifest: Get "https://x/": tls: failed to verify certificate: x509: signed by unknown authority',
    /check the network/,
  ],
  ['pull model manifest: 500: out of order', /check the network/],
]

for (const [words, said] of FAILURES) {
  test(`a download that ends with "${words}" says what to do`, async t => {
    const library = await startLibrary(t, say => {
      say({ status: 'pulling manifest' })
      say({ error: words })
      return false
    })
    const shown = await got(t, library)
    assert.match(shown.replaceAll(/\s+/g, ' '), said)
    assert.doesNotMatch(shown, /Stopped|ask again/)
  })
}

test('a server that goes away in the middle of a download is told as such', async t => {
  const library = await startLibrary(t, async (say, answer) => {
    say({ status: DIGEST, digest: 'sha256:7', total: 4096, completed: 1024 })
    await new Promise(resolve => setImmediate(resolve))
    answer.destroy()
    return false
  })
  assert.match(await got(t, library), /broke in the middle of the answer/)
})

test('the speed is that of the last seconds, begins anew with each part, and is 0 when nothing comes', () => {
  const pace = paceOf()
  const step = (completed: number, status = DIGEST) => ({ status, total: 1e6, completed })
  assert.equal(pace(step(500_000), 0), undefined)
  assert.equal(pace(step(500_100), 100), undefined)
  assert.equal(pace(step(501_000), 1000), 1000)
  // As fast as can be, and then as slow.
  pace(step(900_000), 2000)
  for (let second = 3; second <= 10; second++) pace(step(900_000 + second), second * 1000)
  assert.equal(pace(step(900_011), 11_000), 1)
  assert.equal(pace(step(900_011), 16_000), 0)
  assert.equal(pace(step(10, 'pulling another'), 17_000), undefined)
  assert.equal(pace(step(10, 'pulling another'), 18_000), undefined)
  assert.equal(pace(step(5, 'pulling another'), 20_000), 0)
})
