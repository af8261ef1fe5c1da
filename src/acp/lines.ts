/**
 * The protocol's messages as lines of JSON. What is written leaves at once, in the turn of the event loop in which it was
 * said. A line that is no message, or far too long, is answered and passed over; nothing of it ends the connection.
 */
import type { Readable, Writable } from 'node:stream'
import type { AnyMessage, Stream } from '@agentclientprotocol/sdk'

/** Bytes of one message: more than any picture that a model is shown. */
const LONGEST = 64 * 1024 * 1024
const newline = 10

/** `longest`: bytes of a message. The connection is over when `input` ends, or `output` can take no more. */
export function linesOf(input: Readable, output: Writable, longest = LONGEST): Stream {
  const write = (message: unknown) => void output.write(`${JSON.stringify(message)}\n`)
  const wrong = (code: number, message: string) =>
    write({ jsonrpc: '2.0', id: null, error: { code, message } })
  let isOver = false
  const readable = new ReadableStream<AnyMessage>({
    start(controller) {
      let pieces: Buffer[] = []
      let size = 0

      function take(piece: Buffer): void {
        size += piece.length
        // Of what is too long nothing is kept but that it is.
        if (size > longest) pieces = []
        else pieces.push(piece)
      }

      function end(): void {
        const line = Buffer.concat(pieces).toString()
        const tooLong = size > longest
        pieces = []
        size = 0
        if (tooLong) wrong(-32600, `Invalid request: more than ${longest} bytes`)
        else if (line.trim() !== '') read(line)
      }

      function read(line: string): void {
        try {
          controller.enqueue(JSON.parse(line) as AnyMessage)
        } catch {
          wrong(-32700, 'Parse error')
        }
      }

      const over = () => {
        if (isOver) return
        if (size > 0) end()
        isOver = true
        controller.close()
      }
      input.on('data', (chunk: Buffer) => {
        if (isOver) return
        let from = 0
        for (let to = chunk.indexOf(newline); to >= 0; to = chunk.indexOf(newline, from)) {
          take(chunk.subarray(from, to))
          end()
          from = to + 1
        }
        if (from < chunk.length) take(chunk.subarray(from))
      })
      for (const event of ['end', 'close', 'error']) input.once(event, over)
      for (const event of ['close', 'error']) output.once(event, over)
    },
    cancel() {
      isOver = true
    },
  })
  return { readable, writable: new WritableStream({ write }) }
}
