/** A reader that does not read holds up the model and the command that writes: what waits for it stays small. */
import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { showEvents } from '../../src/plain/events.ts'
import { paper } from '../../src/plain/paper.ts'
import { printer } from '../../src/print/print.ts'
import { whenDrained } from '../../src/session/drained.ts'
import { EN } from '../../src/words/en.ts'
import { gate } from '../support/demo/reply.ts'
import { call, openHouse } from '../support/house.ts'

/** Takes one write, and no more until it flows. */
class Pipe extends Writable {
  text = ''
  #flows = false
  #taken = () => {}

  constructor() {
    super({ highWaterMark: 16_384 })
  }

  override _write(chunk: Buffer, _: unknown, taken: () => void): void {
    this.text += chunk.toString()
    if (this.#flows) taken()
    else this.#taken = taken
  }

  flow(): void {
    this.#flows = true
    this.#taken()
  }

  /** When it is full, and everybody has had many a turn to write more. */
  async stalled(): Promise<void> {
    while (!this.writableNeedDrain) await turn()
    for (let turns = 0; turns < 1_000; turns++) await turn()
  }
}

const pieces = Array.from({ length: 1_200 }, (_, n) => `word ${n}`.padEnd(80))

for (const face of ['stream-json', '--plain'] as const) {
  test(`${face}: a long reply waits in the server for its reader`, async t => {
    const held = gate()
    const { session } = await openHouse(t, { replies: [[...pieces, { gate: held }, 'end']] })
    const stdout = new Pipe()
    const options = { stdout, stderr: new Pipe(), format: 'stream-json' as const, words: EN }
    if (face === 'stream-json') printer(session, options)
    else {
      const show = showEvents(paper(stdout, { colour: false }), { approved: new Set(), words: EN })
      session.subscribe(show, whenDrained(stdout))
    }
    const run = session.prompt('go')
    await held.reached
    await stdout.stalled()
    assert.ok(stdout.writableLength < 40_000, `${stdout.writableLength} bytes wait`)
    stdout.flow()
    held.open()
    assert.equal((await run).reason, 'done')
    const shown = face === '--plain' ? stdout.text : pieces.every(piece => stdout.text.includes(piece))
    assert.ok(shown === true || String(shown).includes(pieces.join('')))
  })
}

test('a command that floods waits for its reader; all of it comes, and an abort waits for nobody', async t => {
  const flood = call('bash', { command: 'seq 1 1500000' })
  const endless = call('bash', { command: 'yes' })
  const { session, events } = await openHouse(t, { replies: [flood, 'Done.', endless] })
  const shown = () => events.map(event => (event.type === 'tool_output' ? event.text : '')).join('')
  let stdout = new Pipe()
  session.subscribe(event => void stdout.write(JSON.stringify(event)), whenDrained(stdout))
  const run = session.prompt('go')
  await stdout.stalled()
  assert.ok(stdout.writableLength + shown().length < 1_000_000, `${stdout.writableLength} bytes wait`)
  assert.equal(
    events.some(({ type }) => type === 'tool_call_end'),
    false,
  )
  stdout.flow()
  assert.equal((await run).reason, 'done')
  assert.equal(shown(), Array.from({ length: 1_500_000 }, (_, n) => `${n + 1}\n`).join(''))

  stdout = new Pipe()
  const again = session.prompt('again')
  await stdout.stalled()
  session.abort()
  assert.equal((await again).reason, 'aborted')
})
