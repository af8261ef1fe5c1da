import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { ClientRequest } from 'node:http'
import type { Socket } from 'node:net'
import { Writable } from 'node:stream'
import { type TestContext, test } from 'node:test'
import { type OutputFormat, printer } from '../../src/print/print.ts'
import { EN } from '../../src/words/en.ts'
import { gate } from '../support/demo/reply.ts'
import { openHouse } from '../support/house.ts'

/** Calls back with everything that any HTTP client of this process receives, before the client itself sees it. */
function onReceived(t: TestContext, listener: (text: string) => void): void {
  const channel = 'http.client.request.start'
  const attach = (message: unknown) => {
    const { request } = message as { request: ClientRequest }
    const { socket } = request
    if (socket) listen(socket)
    else request.once('socket', listen)
  }
  const listen = (socket: Socket) => {
    if (!socket.listeners('data').includes(hear)) socket.prependListener('data', hear)
  }
  const hear = (chunk: Buffer) => listener(chunk.toString('utf8'))
  subscribe(channel, attach)
  t.after(() => unsubscribe(channel, attach))
}

const faces: { format: OutputFormat; isTTY: boolean }[] = [
  { format: 'stream-json', isTTY: false },
  { format: 'text', isTTY: true },
]

test('what arrives from the server is on stdout in the same turn of the event loop', async t => {
  for (const { format, isTTY } of faces) {
    await t.test(`${format}${isTTY ? ' on a terminal' : ''}`, async t => {
      const words = ['alpha', ' beta', ' gamma']
      const gates = words.map(() => gate())
      const reply = words.flatMap((word, index) => [word, { gate: gates[index] ?? gate() }])
      const { session } = await openHouse(t, { replies: [reply] })

      let turnsSince: number | undefined
      const delays = new Map<string, number | undefined>()
      onReceived(t, text => {
        if (!words.some(word => text.includes(`"${word}"`))) return
        turnsSince = 0
        setImmediate(() => {
          if (turnsSince !== undefined) turnsSince++
        })
      })
      const stdout = Object.assign(
        new Writable({
          write(chunk, _, done) {
            const text = String(chunk)
            const word = words.find(word => text.includes(word) && !text.includes('"message"'))
            if (word !== undefined && !delays.has(word)) {
              delays.set(word, turnsSince)
              gates[words.indexOf(word)]?.open()
            }
            done()
          },
        }),
        { isTTY },
      )
      const stderr = new Writable({ write: (_chunk, _encoding, done) => done() })
      await printer(session, { format, stdout, stderr, words: EN })('go')
      assert.deepEqual(
        [...delays],
        words.map(word => [word, 0]),
      )
    })
  }
})
