/** The built program on a terminal that is emulated: what stands on its screen, as a person sees it. */
import type { TestContext } from 'node:test'
import unicode11 from '@xterm/addon-unicode11'
import xterm from '@xterm/headless'
import { type Program, patience } from './program.ts'
import { openTerminal, type Terminal, type TerminalOptions } from './terminal.ts'

export interface Screen extends Pick<Terminal, 'press' | 'ended' | 'pty'> {
  /** The rows without blanks at their ends; once the program has left, those of the normal screen. */
  text(): string[]
  cursor(): { row: number; column: number }
  /** Resolves when the screen matches. → its rows */
  shows(wanted: RegExp | ((rows: string[]) => boolean)): Promise<string[]>
  /** Types the text and, when it stands there, presses Enter. */
  enter(text: string): Promise<void>
  resize(columns: number, rows: number): void
}

export function openScreen(
  t: TestContext,
  program: Pick<Program, 'cwd' | 'env'>,
  options: TerminalOptions = {},
): Screen {
  const { columns = 80, rows = 24 } = options
  const emulator = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 500 })
  emulator.loadAddon(new unicode11.Unicode11Addon())
  emulator.unicode.activeVersion = '11'
  const terminal = openTerminal(t, program, { ...options, columns, rows })
  const { pty, press } = terminal
  emulator.onData(answer => pty.write(answer))
  const looks = new Set<() => void>()
  pty.onData(piece =>
    emulator.write(piece, () => {
      for (const look of looks) look()
    }),
  )

  function text(): string[] {
    const { active } = emulator.buffer
    return Array.from({ length: emulator.rows }, (_, row) =>
      (active.getLine(active.baseY + row)?.translateToString(true) ?? '').trimEnd(),
    )
  }

  function shows(wanted: RegExp | ((rows: string[]) => boolean)): Promise<string[]> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        looks.delete(look)
        reject(new Error(`${wanted} never came:\n${text().join('\n')}`))
      }, patience)
      const look = () => {
        const shown = text()
        if (!(typeof wanted === 'function' ? wanted(shown) : wanted.test(shown.join('\n')))) return
        clearTimeout(timer)
        looks.delete(look)
        resolve(shown)
      }
      looks.add(look)
      look()
    })
  }

  return {
    ...{ pty, press, text, shows, ended: terminal.ended },
    cursor() {
      const { cursorX, cursorY } = emulator.buffer.active
      return { row: cursorY, column: cursorX }
    },
    async enter(words) {
      press(words)
      await shows(shown => shown.some(row => row.startsWith('› ') && row.endsWith(words)))
      press('\r')
      await shows(shown => !shown.slice(-4).some(row => row.startsWith('› ') && row.endsWith(words)))
    },
    resize(more, lines) {
      emulator.resize(more, lines)
      pty.resize(more, lines)
    },
  }
}
