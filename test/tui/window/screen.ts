/** An emulated terminal in this process, and a window on it. */
import { PassThrough, Writable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import unicode11 from '@xterm/addon-unicode11'
import xterm from '@xterm/headless'
import type { Input } from '../../../src/tui/input.ts'
import { openWindow } from '../../../src/tui/window/open.ts'
import type { Window, WindowOptions } from '../../../src/tui/window/window.ts'

export interface Screen extends Emulator {
  window: Window
  /** What the app was given. */
  inputs: Input[]
}

export interface Emulator {
  input: PassThrough
  output: Output
  terminal: xterm.Terminal
  /** Everything that was written, a string for each write. */
  writes: string[]
  /** Sets the terminal's size, and tells it. */
  resize(columns: number, rows: number): void
  /** The rows as they stand there, without blanks at their ends. */
  text(): Promise<string[]>
  /** Where the cursor stands, as `row;column`. */
  cursor(): Promise<string>
}

export interface EmulatorOptions {
  columns?: number
  rows?: number
  /** Whether the terminal's answers reach the window. */
  answers?: boolean
}

export type ScreenOptions = EmulatorOptions & Partial<WindowOptions>

class Output extends Writable {
  columns: number
  rows: number
  readonly #take: (text: string) => void

  constructor(columns: number, rows: number, take: (text: string) => void) {
    super({ decodeStrings: false, defaultEncoding: 'utf8' })
    this.columns = columns
    this.rows = rows
    this.#take = take
  }

  override _write(chunk: string, _: string, done: () => void): void {
    this.#take(chunk)
    done()
  }
}

export function openEmulator({ columns = 40, rows = 10, answers = false }: EmulatorOptions): Emulator {
  const terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 0 })
  terminal.loadAddon(new unicode11.Unicode11Addon())
  terminal.unicode.activeVersion = '11'
  const writes: string[] = []
  const input = new PassThrough()
  if (answers) terminal.onData(data => input.write(data))
  let taken: Promise<void> = Promise.resolve()
  const output = new Output(columns, rows, text => {
    writes.push(text)
    taken = new Promise(resolve => terminal.write(text, resolve))
  })
  const settled = async () => {
    await turn()
    await taken
  }
  return {
    input,
    output,
    terminal,
    writes,
    resize(more, lines) {
      terminal.resize(more, lines)
      Object.assign(output, { columns: more, rows: lines })
      output.emit('resize')
    },
    async text() {
      await settled()
      const { active } = terminal.buffer
      return Array.from({ length: terminal.rows }, (_, row) =>
        (active.getLine(row)?.translateToString(true) ?? '').trimEnd(),
      )
    },
    async cursor() {
      await settled()
      const { cursorX, cursorY } = terminal.buffer.active
      return `${cursorY};${cursorX}`
    },
  }
}

export function openScreen({ columns, rows, answers, ...options }: ScreenOptions = {}): Screen {
  const inputs: Input[] = []
  const emulator = openEmulator({
    ...(columns !== undefined && { columns }),
    ...(rows !== undefined && { rows }),
    ...(answers !== undefined && { answers }),
  })
  const { input, output } = emulator
  const window = openWindow({
    input,
    output,
    env: { TERM: 'xterm-256color' },
    theme: 'dark',
    mouse: false,
    onInput: more => inputs.push(...more),
    onResize() {},
    onGone() {},
    ...options,
  })
  return { ...emulator, window, inputs }
}
