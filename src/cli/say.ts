import { sanitize } from '../text/sanitize.ts'

/** A sentence for the person on stderr: stdout carries data only. */
export function say(sentence: string): void {
  process.stderr.write(`gopi: ${sanitize(sentence)}\n`)
}
