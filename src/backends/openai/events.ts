/** The body of a streamed answer: server-sent events, each of which holds one JSON object, until the word that ends them. */
import type { IncomingMessage } from 'node:http'
import { parseRecord } from '../../text/record.ts'
import type { Reading } from '../http/connection.ts'
import { isPage, pageFailure, streamFailure } from '../http/failures.ts'
import { LineSplitter, LineTooLong } from '../http/lines.ts'

/** What ends a stream. */
const LAST = '[DONE]'

/**
 * Yields each event's object; returns whether the server has said that it was the last. Throws `RunError`, or the reason
 * of an abort. Comments, which keep connections open, and names of events are passed over.
 */
export async function* events(
  answer: IncomingMessage,
  { bound, place, onBytes, because }: Reading,
): AsyncGenerator<Record<string, unknown>, boolean> {
  const splitter = new LineSplitter(bound)
  const bodies = answer[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>
  let count = 0
  let rest = ''
  for (;;) {
    const next = await bodies.next().catch(error => {
      throw because(error)
    })
    onBytes()
    for (const line of next.done
      ? [splitter.finish()]
      : bounded(splitter.push(next.value), { bound, place })) {
      if (isPassedOver(line)) continue
      const data = line.replace(/^data: ?/, '').trim()
      if (data === LAST) return true
      const value = parseRecord(data)
      if (value === undefined && isPage(data)) throw pageFailure(200, data, place)
      if (value === undefined && next.done) rest = data
      else if (value === undefined) throw streamFailure('no_json', place, data)
      else {
        count += 1
        yield value
      }
    }
    if (!next.done) continue
    if (rest !== '') throw streamFailure('cut_line', place)
    if (count === 0) throw streamFailure('empty', place)
    return false
  }
}

const isPassedOver = (line: string): boolean =>
  line === '' || /^(?::|event(?::|$)|id(?::|$)|retry(?::|$)|data:?$)/.test(line)

/** The lines before one that is too long are read all the same. */
function* bounded(
  lines: Iterable<string>,
  { bound, place }: Pick<Reading, 'bound' | 'place'>,
): Generator<string> {
  try {
    yield* lines
  } catch (error) {
    throw error instanceof LineTooLong ? streamFailure('too_long', place, bound) : error
  }
}
