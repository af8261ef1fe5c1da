/** One key at a time from a person at a terminal, and a line that changes: for what goes on outside the screen. */
import type { ReadStream, WriteStream } from 'node:tty'
import { sanitize } from '../text/sanitize.ts'
import { cut } from '../text/width.ts'
import { wrap } from '../text/wrap.ts'

export interface Choice {
  key: string
  text: string
}

export interface Desk {
  say(sentence: string): void
  /** The key of one of the choices; undefined: Ctrl+C, Ctrl+D or Esc. */
  choose(choices: readonly Choice[]): Promise<string | undefined>
  /** Any key. */
  key(): Promise<string>
  /** In place of what it showed last; `say` ends it. */
  progress(text: string): void
  /** Fires at Ctrl+C while the work goes on. */
  interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T>
}

const LEAVES = new Set(['\x03', '\x04', '\x1b'])

export function openDesk(input: ReadStream, output: WriteStream): Desk {
  let isOpen = false
  const columns = () => output.columns ?? 80
  /** `head` is on the first row alone; those below begin where the text does. */
  const line = (text: string, head = '') => {
    const rows = wrap(sanitize(text), Math.max(1, columns() - head.length))
    const [first = '', ...others] = rows.map((row, at) => (at === 0 ? head : ' '.repeat(head.length)) + row)
    output.write(`${[(isOpen ? '\r\x1b[K' : '') + first, ...others].join('\n')}\n`)
    isOpen = false
  }
  /** Raw, so that a key needs no Enter. */
  async function listen<T>(hear: (keys: string, done: (value: T) => void) => void): Promise<T> {
    input.setRawMode(true)
    input.resume()
    let onData: (bytes: Buffer) => void = () => {}
    try {
      return await new Promise<T>(resolve => {
        onData = bytes => hear(bytes.toString(), resolve)
        input.on('data', onData)
      })
    } finally {
      input.off('data', onData)
      input.setRawMode(false)
      input.pause()
    }
  }
  return {
    say: sentence => line(sentence),
    choose(choices) {
      for (const { key, text } of choices) line(text, `  ${key}  `)
      return listen<string | undefined>((keys, done) => {
        const found = choices.find(({ key }) => key === keys.toLowerCase())
        if (found) done(found.key)
        else if (LEAVES.has(keys)) done(undefined)
      })
    },
    key: () => listen<string>((keys, done) => done(keys)),
    progress(text) {
      output.write(`\r\x1b[K${cut(sanitize(text), columns() - 1)}`)
      isOpen = true
    },
    async interruptible(work) {
      const controller = new AbortController()
      const working = work(controller.signal)
      let over: () => void = () => {}
      const heard = listen<void>((keys, done) => {
        over = done
        if (LEAVES.has(keys)) controller.abort('user')
      })
      try {
        return await working
      } finally {
        over()
        input.emit('data', Buffer.alloc(0))
        await heard
      }
    },
  }
}
