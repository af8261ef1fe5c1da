/** What the app draws on: a frame goes in, and what differs from the terminal's screen goes out in one write. */
import type { Input } from '../input.ts'
import type { Line } from '../line.ts'
import type { Skeleton } from './skeleton.ts'
import type { TerminalInput, TerminalOutput } from './terminal.ts'
import type { Theme } from './theme.ts'

/** A whole screen. Lines that stayed the same should be the same objects: they then cost nothing. */
export interface Frame {
  /** From the top, one for each row of the screen; missing ones are blank, longer lines are cut at the edge. */
  rows: readonly Line[]
  /** In the place of what `rows` have from the column on, from the top; it stays where it is when they move. */
  aside?: { column: number; lines: readonly Line[] }
  /** The rows from `top` up to `bottom` (without it) belong together: when they move, the terminal may move them. */
  scrolls?: { top: number; bottom: number }
  /** Where the hardware cursor is, and an input method draws. Absent: hidden. */
  cursor?: { row: number; column: number }
  popup?: Popup
}

/** Drawn over the rows, inside a border. */
export interface Popup {
  top: number
  left: number
  /** Columns, with the border. */
  width: number
  /** Rows, with the border. */
  height: number
  lines: readonly Line[]
  /** In the upper border. */
  title?: string
  frame: 'plain' | 'danger'
}

/** Why the window ends although the app did not close it. A terminal that went away counts as `SIGHUP`. */
export type Gone = 'SIGINT' | 'SIGTERM' | 'SIGHUP' | 'SIGQUIT' | 'failure'

export interface WindowOptions {
  input: TerminalInput
  output: TerminalOutput
  env: NodeJS.ProcessEnv
  theme: Theme
  /** On: the wheel comes with its place, and selecting text needs Shift. Off: the wheel comes all the same. */
  mouse: boolean
  /** What the front door has painted: it is handed over. */
  skeleton?: Skeleton | undefined
  /** What came in one read, in order. Answers of the terminal are not among it. */
  onInput(inputs: readonly Input[]): void
  /** An arrow key would bring back an earlier prompt now. Default: it does not. */
  isRecall?(direction: -1 | 1): boolean
  /** `columns` and `rows` have changed, and nothing is on the screen. */
  onResize(): void
  /**
   * The process ends: the terminal is restored already, what runs must be ended now. The process waits for it, but not
   * longer than a second and a half.
   */
  onGone(why: Gone): Promise<void> | void
  /** What is left on the normal screen when the window has gone. */
  farewell?(): readonly Line[]
  /** Whose signals, failures and exit end the window. Default none: a test has its own. */
  process?: NodeJS.Process
}

export interface Window {
  readonly columns: number
  readonly rows: number
  readonly theme: Theme
  readonly mouse: boolean
  /** Shows the frame. While the terminal does not read, only the newest one is kept. */
  draw(frame: Frame): void
  /** Writes the last frame whole: something else has written to the terminal. */
  redraw(): void
  setTheme(theme: Theme): void
  setMouse(on: boolean): void
  /** Sends a control sequence of gopi's own that moves and shows nothing: the bell, OSC 9, OSC 52. */
  send(sequence: string): void
  /** Gives the terminal back and stops the job, as Ctrl+Z does. When it goes on, the last frame is there again. */
  suspend(): void
  /** Gives the terminal to another program, and takes it again when `run` is over. */
  lend<T>(run: () => Promise<T>): Promise<T>
  /** Restores the terminal and writes the farewell. The window is of no use afterwards. */
  close(): void
}
