/** Says from time to time that a run goes on, what it does and for how long: for a person, besides the conversation. */
import type { SessionEvent } from '../protocol/events.ts'
import type { Words } from '../words/words.ts'

/** Milliseconds until the first word; each further one takes twice as long. */
const FIRST = 5_000

/** `listen` is for the events of a conversation, `begin` says what goes on now; `stop` ends it. */
export function tellWaits(tell: (line: string) => void, words: Words) {
  const { footer, time } = words
  let timer: NodeJS.Timeout | undefined
  let since = 0
  let what = ''

  function wait(after: number): void {
    timer = setTimeout(() => {
      tell(`… ${what} · ${time(1000 * Math.round((performance.now() - since) / 1000))}`)
      wait(2 * after)
    }, after)
    timer.unref()
  }

  function stop(): void {
    clearTimeout(timer)
    timer = undefined
  }

  function begin(now: string): void {
    stop()
    what = now
    since = performance.now()
    wait(FIRST)
  }

  return {
    stop,
    begin,
    listen(event: SessionEvent): void {
      // Text shows by itself that something happens, and a question waits for the person.
      if (event.type === 'message_delta' || event.type === 'permission_request') stop()
      if (event.type !== 'phase') return
      const { phase, tokens } = event
      if (phase === 'idle') stop()
      else begin(tokens === undefined ? footer.phases[event.what ?? phase] : footer.reading(tokens))
    },
  }
}
