/** Calling for a person who looks elsewhere. */
import { sanitize } from '../text/sanitize.ts'
import { cut } from '../text/width.ts'

/** By TERM_PROGRAM or TERM: those that show a text of OSC 9 as a notification. Others may take it for progress. */
const SHOWING = /^(iTerm\.app|WezTerm|ghostty|xterm-ghostty|xterm-kitty|foot|foot-extra)$/

/** Columns. */
const MOST = 200

/**
 * A notification where the terminal is known to show one, else the bell: what that means is set there by the person.
 * Within tmux and screen it is the bell, since they keep OSC 9 to themselves and mark the window of a bell.
 */
export function attention(text: string, env: Readonly<Record<string, string | undefined>>): string {
  const { TMUX, STY, TERM_PROGRAM = '', TERM = '' } = env
  const isInside = Boolean(TMUX || STY)
  if (isInside || !(SHOWING.test(TERM_PROGRAM) || SHOWING.test(TERM))) return '\x07'
  return `\x1b]9;${notification(text)}\x07`
}

/** One line without control characters. OSC 9 with a number first is something else (`9;4;…` is progress). */
function notification(text: string): string {
  const line = cut(sanitize(text).replaceAll(/\s+/g, ' ').trim(), MOST)
  return /^\d/.test(line) ? `gopi ${line}` : line
}
