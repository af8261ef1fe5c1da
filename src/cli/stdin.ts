import type { Readable } from 'node:stream'
import { UsageError } from '../protocol/errors.ts'

/** Milliseconds after which the person is told what `-p` waits for. */
const patience = 3_000
/** More than any context holds. */
const maxBytes = 8_000_000

type Input = Readable & { isTTY?: boolean }

/** Everything on the input, when it is not a terminal. `onSlow` is called when it does not end for a while (ms). */
export async function readStandardInput(
  onSlow: () => void,
  { input = process.stdin, slowAfter = patience }: { input?: Input; slowAfter?: number } = {},
): Promise<string> {
  if (input.isTTY) return ''
  const timer = setTimeout(onSlow, slowAfter)
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of input) {
      chunks.push(chunk as Buffer)
      bytes += (chunk as Buffer).length
      if (bytes > maxBytes) {
        throw new UsageError(
          `Standard input holds more than ${maxBytes / 1e6} MB, more than any model reads; name a file instead.`,
        )
      }
    }
  } catch (error) {
    // A closed descriptor is as good as an empty one.
    if (error instanceof UsageError) throw error
  } finally {
    clearTimeout(timer)
  }
  return Buffer.concat(chunks).toString('utf8')
}
