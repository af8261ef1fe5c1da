/** Opens the window: the terminal's streams, blessed's screen, and what ends or stops the process. */
import type { Input } from '../input.ts'
import { Canvas } from './canvas.ts'
import { watchEnding } from './ending.ts'
import { printed } from './farewell.ts'
import { watchJob } from './job.ts'
import { modesOf, switchMouse } from './modes.ts'
import { createPalette, depthOf } from './palette.ts'
import { createProbe, type Probe } from './probe.ts'
import { Terminal } from './terminal.ts'
import { paintsOf, type Rgb } from './theme.ts'
import { wheelFromArrows } from './wheel.ts'
import type { Frame, Window, WindowOptions } from './window.ts'

export function openWindow(options: WindowOptions): Window {
  const { input, output, env } = options
  const depth = depthOf(env)
  let theme = options.theme
  let background: Rgb | undefined
  let palette = paint()
  let frame: Frame | undefined
  let isWaiting = false
  let isLent = false
  /** The size has changed while somebody else had the terminal. */
  let isUntold = false
  let isClosed = false
  let isFocused = true
  let probe: Probe | undefined

  function paint() {
    const hasShades = depth === '256' || depth === 'full'
    return createPalette(paintsOf(theme, { background, hasShades, env }), depth)
  }

  const terminal = new Terminal({
    input,
    output,
    modes: modesOf(env, options.mouse),
    onInput: take,
    onResize: resize,
    onReady: () => isWaiting && show(),
    onHangUp: () => ending?.end('SIGHUP'),
  })
  const canvas = new Canvas({ columns: terminal.columns, rows: terminal.rows, palette })
  const watched = { process: options.process ?? process, isLent: () => isLent }
  const ending =
    options.process && watchEnding({ ...watched, restore: leave, onGone: why => options.onGone(why) })
  const job = options.process && watchJob({ ...watched, leave: () => terminal.leave(), enter })
  terminal.enter({ isPainted: options.skeleton !== undefined })
  options.skeleton?.handOver()

  function show(): void {
    isWaiting = terminal.isBusy
    if (!frame || isWaiting || !terminal.isIn) return
    terminal.write(canvas.paint(frame))
    // The Linux console answers nothing, and older ones show the question.
    if (!probe && env.TERM !== 'linux') ask(frame)
  }

  function ask(shown: Frame): void {
    probe = createProbe(terminal.columns, terminal.rows)
    canvas.forget(probe.row)
    terminal.ask(probe.question + canvas.paint(shown))
  }

  function take(inputs: readonly Input[]): void {
    const meant: Input[] = []
    for (const each of inputs) {
      if (each.type === 'reply') answer(each.sequence)
      else meant.push(each)
      if (each.type === 'focus') isFocused = each.focused
    }
    if (meant.length > 0 && !isClosed) options.onInput(terminal.modes.mouse ? meant : wheelFromArrows(meant))
  }

  function answer(reply: string): void {
    const answers = probe?.take(reply)
    if (!answers) return
    terminal.answered()
    background = answers.background
    canvas.joins = answers.joins
    repaint()
  }

  function repaint(): void {
    palette = paint()
    canvas.palette = palette
    show()
  }

  function resize(): void {
    canvas.resize(terminal.columns, terminal.rows)
    isUntold = !terminal.isIn
    if (!isUntold) options.onResize()
  }

  /** Also after somebody else had the terminal. */
  function enter(): void {
    if (isClosed) return
    terminal.enter()
    canvas.lose()
    terminal.measure()
    if (isUntold) resize()
    show()
  }

  function leave(): void {
    if (!isClosed) terminal.leave(lastWords())
    isClosed = true
  }

  function lastWords(): string {
    try {
      return printed(options.farewell?.() ?? [], palette)
    } catch {
      // After a failure of the app there may be no words; the terminal is given back all the same.
      return ''
    }
  }

  return {
    get columns() {
      return terminal.columns
    },
    get rows() {
      return terminal.rows
    },
    get focused() {
      return isFocused
    },
    get theme() {
      return theme
    },
    get mouse() {
      return terminal.modes.mouse
    },
    draw(next) {
      frame = next
      show()
    },
    redraw() {
      canvas.lose()
      show()
    },
    setTheme(next) {
      theme = next
      repaint()
    },
    setMouse(on) {
      if (on === terminal.modes.mouse) return
      terminal.modes = { ...terminal.modes, mouse: on }
      if (terminal.isIn) terminal.write(switchMouse(on))
    },
    send(sequence) {
      if (terminal.isIn) terminal.write(sequence)
    },
    suspend: () => job?.suspend(),
    async lend(run) {
      isLent = true
      terminal.leave()
      // Reading stops in the next turn: until then a key would be taken from the other program.
      await new Promise(resolve => setImmediate(resolve))
      try {
        return await run()
      } finally {
        isLent = false
        enter()
      }
    },
    close() {
      if (!isClosed) terminal.close(lastWords())
      isClosed = true
      ending?.stop()
      job?.stop()
      canvas.close()
    },
  }
}
