/** What happens to a command whose standard output cannot be written. The front door uses it too, so it imports next to nothing. */
import { lostOutputIn } from '../words/lost-output.ts'

/** The sentence for the person. undefined: the reader is gone (`gopi … | head -1`) and wants no more. */
export const lostOutput = ({ code, message }: NodeJS.ErrnoException): string | undefined =>
  code === 'EPIPE' ? undefined : lostOutputIn(process.env, message)

/** For commands that do nothing but print: ends them with 1. */
export function endWithOutput(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    const sentence = lostOutput(error)
    if (sentence !== undefined) process.stderr.write(`gopi: ${sentence}\n`)
    process.exit(1)
  })
}
