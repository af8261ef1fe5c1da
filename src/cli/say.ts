import { sanitize } from '../text/sanitize.ts'

/** A sentence for the person on stderr: stdout carries data only. Where nobody reads it any more, nobody misses it. */
export function say(sentence: string): void {
  if (process.stderr.listenerCount('error') === 0) process.stderr.on('error', () => {})
  process.stderr.write(`gopi: ${sanitize(sentence)}\n`)
}
