/**
 * What the line mode writes on: never moves the cursor, passes everything through the sanitiser, and knows whether a
 * line is open, so that blocks begin on lines of their own.
 */
import type { Writable } from 'node:stream'
import { createSanitizer, sanitize } from '../text/sanitize.ts'

export type Style = 'plain' | 'dim' | 'red' | 'green' | 'bold'

const codes: Record<Style, string> = {
  plain: '',
  dim: '\x1b[2m',
  red: '\x1b[31m',
  green: '\x1b[32m',
  bold: '\x1b[1m',
}

export interface Paper {
  /** Whole lines, begun on a new one. */
  line(text: string, style?: Style): void
  /** A piece of streamed text. */
  stream(text: string): void
  /** The streamed text is over. */
  endStream(): void
  /** Text that leaves the line open: a question, a prompt mark. */
  ask(text: string): void
  /** The person pressed Enter: the terminal has gone to a new line. */
  entered(): void
}

export function paper(output: Writable, { colour }: { colour: boolean }): Paper {
  let open = false
  let cleaner = createSanitizer()
  const write = (text: string) => {
    if (text === '') return
    output.write(text)
    open = !text.endsWith('\n')
  }
  const freshLine = () => {
    if (open) write('\n')
  }
  return {
    line(text, style = 'plain') {
      freshLine()
      const clean = sanitize(text)
      output.write(colour && style !== 'plain' ? `${codes[style]}${clean}\x1b[0m\n` : `${clean}\n`)
    },
    stream: text => write(cleaner.push(text)),
    endStream() {
      write(cleaner.finish())
      freshLine()
      cleaner = createSanitizer()
    },
    ask(text) {
      freshLine()
      write(sanitize(text))
    },
    entered() {
      open = false
    },
  }
}
