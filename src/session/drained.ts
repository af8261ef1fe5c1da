/** For a listener that writes to a stream: `session.subscribe(write, whenDrained(stream))`. */
import type { Writable } from 'node:stream'
import type { SubscribeOptions } from './recorder.ts'

/** The run waits until the stream's reader has caught up, or is gone. */
export function whenDrained(stream: Writable): Required<Pick<SubscribeOptions, 'held'>> {
  let waiting: Promise<void> | undefined
  const wait = () =>
    new Promise<void>(resolve => {
      const ends = ['drain', 'close', 'error']
      const done = () => {
        for (const end of ends) stream.off(end, done)
        waiting = undefined
        resolve()
      }
      for (const end of ends) stream.on(end, done)
    })
  return {
    held() {
      if (stream.writableNeedDrain) waiting ??= wait()
      return waiting
    },
  }
}
