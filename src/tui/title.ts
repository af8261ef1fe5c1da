/** The terminal's title: what goes on, and where. */
import { sanitize } from '../text/sanitize.ts'
import { cut } from '../text/width.ts'
import type { Words } from '../words/words.ts'
import type { State } from './state.ts'

/** Columns. */
const MOST = 80

/** Milliseconds that something goes on before the title says so. */
const WORTH_TELLING = 1000

/** undefined: it stays as it is. `now`: performance.now(), ms. */
export function titleOf({ status, dialog }: State, words: Words, now: number): string | undefined {
  const { directory, running, phase } = status
  if (running && !dialog && now - phase.since < WORTH_TELLING) return undefined
  const place = directory.slice(directory.lastIndexOf('/') + 1) || directory
  const doing = dialog ? words.notices.asks : running ? words.footer.phases[phase.name] : 'gopi'
  return cut(sanitize(`${doing} · ${place}`).replaceAll(/\s+/g, ' '), MOST)
}

/** OSC 2; the title that was there is put back when the window is left. */
export const titleSequence = (title: string): string => `\x1b]2;${title}\x1b\\`
