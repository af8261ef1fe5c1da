import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { type CollectedOutput, Output } from '../../src/shell/output.ts'
import { SpillRoom } from '../../src/shell/spill.ts'
import { temporary } from './session.ts'

interface Shown {
  live: string
  result: CollectedOutput
}

async function collect(t: TestContext, chunks: Buffer[], maxOutput = 100): Promise<Shown> {
  let live = ''
  const output = new Output({
    maxOutput,
    onOutput: text => {
      live += text
    },
    spillDir: async () => temporary(t),
    resume: () => {},
  })
  for (const chunk of chunks) output.push(chunk)
  const result = await output.finish()
  return { live, result }
}

test('characters survive a cut at every byte', async t => {
  const bytes = Buffer.from('añ€😀漢z')
  for (let cut = 0; cut <= bytes.length; cut++) {
    const { live, result } = await collect(t, [bytes.subarray(0, cut), bytes.subarray(cut)])
    assert.equal(live, 'añ€😀漢z')
    assert.deepEqual(result, { output: 'añ€😀漢z', total_bytes: bytes.length, notes: [] })
  }
})

test('what is no UTF-8 becomes U+FFFD, a NUL becomes ␀, and both are one with the live text', async t => {
  const { live, result } = await collect(t, [Buffer.from([0x61, 0xff, 0x00, 0x62, 0xe2, 0x82])])
  assert.equal(result.output, 'a\ufffd␀b\ufffd')
  assert.equal(live, result.output)
  assert.equal(result.total_bytes, 6)
})

test('lent bytes may be overwritten at once', async t => {
  const lent = Buffer.from('one')
  const output = new Output({ maxOutput: 100, spillDir: async () => temporary(t), resume: () => {} })
  output.push(lent)
  lent.fill('x')
  assert.equal((await output.finish()).output, 'one')
})

test('output of just the permitted size is whole and leaves no file', async t => {
  const { result } = await collect(t, [Buffer.alloc(60, 'a'), Buffer.alloc(40, 'b')])
  assert.equal(result.output, 'a'.repeat(60) + 'b'.repeat(40))
  assert.equal(result.spill, undefined)
})

const lines = Array.from({ length: 2000 }, (_, index) => `line ${index}\n`).join('')

test('longer output keeps head and tail in whole lines, and all of it in a file of mode 0600', async t => {
  for (const size of [1, 7, 64, 1000, 1_000_000]) {
    const bytes = Buffer.from(lines)
    const chunks: Buffer[] = []
    for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size))
    const { live, result } = await collect(t, chunks, 60)
    const { spill = '' } = result
    assert.equal(
      result.output,
      `line 0\nline 1\nline 2\nline 3\n[… 18,842 bytes left out; all of it: ${spill} …]\nline 1998\nline 1999\n`,
    )
    assert.equal(result.total_bytes, bytes.length)
    assert.equal(readFileSync(spill, 'utf8'), lines)
    assert.equal(statSync(spill).mode & 0o777, 0o600)
    assert.equal(live, lines)
  }
})

test('one long line is cut between characters', async t => {
  for (const max of [20, 21, 22, 23]) {
    const { result } = await collect(t, [Buffer.from('€'.repeat(100))], max)
    assert.match(result.output, /^€+\n\[… \d+ bytes left out; all of it: .* …\]\n€+$/)
    const kept = Buffer.byteLength(result.output.replace(/\n.*\n/, ''))
    assert.ok(kept <= max, `${kept} of ${max}`)
    assert.match(result.output, new RegExp(`${300 - kept} bytes`))
  }
})

test('when the file cannot be written the output still has head and tail, and a note says why', async t => {
  const missing = path.join(temporary(t), 'missing')
  for (const spillDir of [async () => missing, () => Promise.reject(new Error('no room'))]) {
    const output = new Output({ maxOutput: 10, spillDir, resume: () => {} })
    for (let count = 0; count < 100; count++) output.push(Buffer.alloc(100_000, 'x'))
    const result = await output.finish()
    assert.equal(result.output, 'xxxxx\n[… 9,999,990 bytes left out …]\nxxxxx')
    assert.equal(result.spill, undefined)
    assert.match(result.notes.join(), /^The whole output could not be kept \((ENOENT|no room).*head and tail/)
  }
})

test('a slow file makes the reader wait and calls it back', async t => {
  const directory = temporary(t)
  let resumed = 0
  let give = (_: string) => {}
  const slow = new Promise<string>(resolve => {
    give = resolve
  })
  const output = new Output({ maxOutput: 10, spillDir: () => slow, resume: () => resumed++ })
  assert.equal(output.push(Buffer.alloc(100, 'x')), true)
  assert.equal(output.push(Buffer.alloc(2_000_000, 'x')), false)
  assert.equal(resumed, 0)
  give(directory)
  const { spill = '' } = await output.finish()
  assert.equal(resumed, 1)
  assert.equal(statSync(spill).size, 2_000_100)
})

test('what is kept is masked as what is shown, and as long as a command and a session may have it', async t => {
  const directory = temporary(t)
  const token = ['ghp_', 'aB3dE5gH1jK2mN4pQ6sT8vW0yZ7cX9rL5uI3'].join('')
  const room = new SpillRoom({ command: 2, session: 3 })
  const run = async (text: string) => {
    const output = new Output({ maxOutput: 60, spillDir: async () => directory, resume: () => {}, room })
    for (let at = 0; at < text.length; at += 100_003) output.push(Buffer.from(text.slice(at, at + 100_003)))
    const { spill, notes } = await output.finish()
    return { text: spill === undefined ? undefined : readFileSync(spill, 'utf8'), notes: notes.join() }
  }
  const masked = await run(`${lines}${token}\nexport DB_PASSWORD=hunter\n${lines}`)
  assert.equal(masked.text, `${lines}[masked: GitHub token]\nexport DB_PASSWORD=[masked: password]\n${lines}`)
  assert.equal(masked.notes, '')
  const long = await run('x'.repeat(3 * 1024 * 1024))
  assert.equal(long.text?.length, 2 * 1024 * 1024)
  assert.match(
    long.notes,
    /could not be kept \(at most 2 MB are kept of one output\); .* ends after about 2097152 /,
  )
  const last = await run('x'.repeat(3 * 1024 * 1024))
  assert.ok((last.text?.length ?? 0) < 1024 * 1024)
  assert.match(last.notes, /at most 3 MB are kept of a session/)
  const none = await run('x'.repeat(1024))
  assert.deepEqual([none.text, /only its head and tail are here/.test(none.notes)], [undefined, true])
})

test('no budget is too small: whatever is kept, the result says where all of it is', async t => {
  const bytes = Buffer.from(`first\n${'é'.repeat(400)}\nlast\n`)
  for (const size of [1, 7, bytes.length])
    for (let maxOutput = 0; maxOutput <= 600; maxOutput += maxOutput < 20 ? 1 : 29) {
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
        bytes.subarray(n * size, (n + 1) * size),
      )
      const { result } = await collect(t, chunks, maxOutput)
      assert.match(result.output, /\[… [\d,]+ bytes left out; all of it: .* …\]/)
      assert.ok(result.output.length < maxOutput + 300)
      assert.equal(readFileSync(result.spill ?? '', 'utf8'), bytes.toString())
    }
  const { result } = await collect(t, [Buffer.from('x')], 0)
  assert.match(result.output, /1 bytes left out/)
})
