/** What the terminal is asked to do differently while the window is open, and how that is taken back. */

export interface Modes {
  /** Off: the wheel sends arrow keys (alternate scroll), and the person selects text as ever. */
  mouse: boolean
  /** Inside tmux, which does not know kitty's keys. */
  tmux: boolean
}

export function modesOf(env: NodeJS.ProcessEnv, mouse: boolean): Modes {
  return { mouse, tmux: isTmux(env) }
}

export const isTmux = ({ TMUX = '' }: NodeJS.ProcessEnv): boolean => TMUX !== ''

export const ENTER_SCREEN = '\x1b[?1049h'

/**
 * Ways there and back. Those of the keyboard belong to one of the terminal's two screens, so they come after entering it
 * and go before leaving.
 */
const MODES = {
  // What is too long must not run over into the next row, whatever the terminal thinks of its width.
  wrap: ['\x1b[?7l', '\x1b[?7h'],
  // The title that was there is kept, and put back.
  title: ['\x1b[22;2t', '\x1b[23;2t'],
  paste: ['\x1b[?2004h', '\x1b[?2004l'],
  focus: ['\x1b[?1004h', '\x1b[?1004l'],
  // https://sw.kovidgoyal.net/kitty/keyboard-protocol/: tell keys apart that have sent the same bytes.
  kitty: ['\x1b[>1u', '\x1b[<u'],
  otherKeys: ['\x1b[>4;1m', '\x1b[>4;0m'],
  // Buttons, the wheel and movements while a button is down, in decimal coordinates.
  mouse: ['\x1b[?1002h\x1b[?1006h', '\x1b[?1006l\x1b[?1002l'],
  // Many terminals have it on by themselves: what was set is put back.
  alternateScroll: ['\x1b[?1007s\x1b[?1007h', '\x1b[?1007r'],
} as const

type Mode = (typeof MODES)[keyof typeof MODES]

function used({ mouse, tmux }: Modes): Mode[] {
  return [
    MODES.wrap,
    MODES.title,
    MODES.paste,
    MODES.focus,
    MODES.kitty,
    ...(tmux ? [MODES.otherKeys] : []),
    mouse ? MODES.mouse : MODES.alternateScroll,
  ]
}

/** For the alternate screen, once it is entered. */
export function modesOn(modes: Modes): string {
  return used(modes)
    .map(([on]) => on)
    .join('')
}

/** Everything back, the last first, and the normal screen as it was. */
export function modesOff(modes: Modes): string {
  const back = used(modes)
    .reverse()
    .map(([, off]) => off)
    .join('')
  return `\x1b[?2026l\x1b[r\x1b[m${back}\x1b[?25h\x1b[?1049l`
}

export function switchMouse(on: boolean): string {
  return on ? MODES.alternateScroll[1] + MODES.mouse[0] : MODES.mouse[1] + MODES.alternateScroll[0]
}
