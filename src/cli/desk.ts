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

/** Ctrl+C, Ctrl+D, also pressed twice before anybody looked; Esc alone, since arrows begin with it. */
const leaves = (keys: string): boolean => keys === '\x1b' || keys.includes('\x03') || keys.includes('\x04')

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
  async function during<T>(hear: (keys: string) => void, work: () => Promise<T>): Promise<T> {
    const onData = (bytes: Buffer) => hear(bytes.toString())
    input.setRawMode(true)
    input.on('data', onData)
    input.resume()
    try {
      return await work()
    } finally {
      input.off('data', onData)
      input.setRawMode(false)
      input.pause()
    }
  }
  /** Until a key is the answer. */
  function answer<T>(hear: (keys: string, done: (value: T) => void) => void): Promise<T> {
    let resolve: (value: T) => void = () => {}
    const answered = new Promise<T>(done => {
      resolve = done
    })
    return during(
      keys => hear(keys, resolve),
      () => answered,
    )
  }
  return {
    say: sentence => line(sentence),
    choose(choices) {
      for (const { key, text } of choices) line(text, `  ${key}  `)
      return answer<string | undefined>((keys, done) => {
        const found = choices.find(({ key }) => key === keys.toLowerCase())
        if (found) done(found.key)
        else if (leaves(keys)) done(undefined)
      })
    },
    key: () => answer<string>((keys, done) => done(keys)),
    progress(text) {
      output.write(`\r\x1b[K${cut(sanitize(text), columns() - 1)}`)
      isOpen = true
    },
    interruptible(work) {
      const controller = new AbortController()
      return during(
        keys => {
          if (leaves(keys)) controller.abort('user')
        },
        () => work(controller.signal),
      )
    },
  }
}
