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
import { createPasteFinder } from './typed-paste.ts'
import { Wheel } from './wheel.ts'
import type { Frame, Window, WindowOptions } from './window.ts'

/**
 * Milliseconds in which a signal may still be for the program that had the terminal. Whichever thread gets it, Node hears
 * of it later than of that program's end; and while the window has the terminal, Ctrl+C is a key and no signal.
 */
const LATE_SIGNAL = 500

export function openWindow(options: WindowOptions): Window {
  const { input, output, env } = options
  const depth = depthOf(env)
  let theme = options.theme
  let background: Rgb | undefined
  let palette = paint()
  let frame: Frame | undefined
  let isWaiting = false
  let isLent = false
  let returned = -LATE_SIGNAL
  /** The size has changed while somebody else had the terminal. */
  let isUntold = false
  let isClosed = false
  let left = Promise.resolve()
  let probe: Probe | undefined

  function paint() {
    const hasShades = depth === '256' || depth === 'full'
    return createPalette(paintsOf(theme, { background, hasShades, env }), depth)
  }

  const findPaste = createPasteFinder()
  const wheel = new Wheel({
    give: inputs => !isClosed && options.onInput(inputs),
    isHeld: direction => options.isRecall?.(direction) ?? false,
  })
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
    options.process &&
    watchEnding({
      process: options.process,
      restore: leave,
      restoreNow() {
        void leave()
        terminal.stopWaiting()
      },
      onGone: why => options.onGone(why),
      isLent: () => isLent || performance.now() - returned < LATE_SIGNAL,
    })
  const job = options.process && watchJob({ ...watched, leave: then => terminal.leave('', then), enter })
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
    }
    if (meant.length === 0 || isClosed || isLent) return
    const found = findPaste(meant)
    if (terminal.modes.mouse) options.onInput(found)
    else wheel.take(found)
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

  function leave(): Promise<void> {
    if (!isClosed) left = new Promise(resolve => terminal.leave(lastWords(), resolve))
    isClosed = true
    return left
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
      await new Promise<void>(resolve => terminal.leave('', resolve))
      // Reading stops in the next turn: until then a key would be taken from the other program.
      await new Promise(resolve => setImmediate(resolve))
      try {
        return await run()
      } finally {
        isLent = false
        returned = performance.now()
        enter()
      }
    },
    close() {
      if (!isClosed) terminal.close(lastWords())
      isClosed = true
      wheel.stop()
      ending?.stop()
      job?.stop()
      canvas.close()
    },
  }
}
