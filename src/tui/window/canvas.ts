/**
 * Neo-blessed's screen, and on it two elements: one for the rows, a bordered box for the popup. Blessed carries the
 * layout and the cells; it reads no key, writes nothing and listens to no signal.
 */

import Program, { type Silent } from 'neo-blessed/lib/program.js'
import Box from 'neo-blessed/lib/widgets/box.js'
import Element, { type Coordinates } from 'neo-blessed/lib/widgets/element.js'
import Screen, { type Row } from 'neo-blessed/lib/widgets/screen.js'
import { cut, displayWidth } from '../../text/width.ts'
import type { Line } from '../line.ts'
import { attributeOf, PLAIN } from './attributes.ts'
import { blankRow, blankRows, fillRow, mend, putLine } from './cells.ts'
import type { Joins } from './glyph.ts'
import { Painter, type Shift, UNKNOWN } from './painter.ts'
import type { Palette } from './palette.ts'
import { findShift } from './shift.ts'
import type { Frame, Popup } from './window.ts'

const BLANK: Line = []

export class Canvas {
  readonly #program: Program
  readonly #screen: Screen
  readonly #sheet: Element
  readonly #box: Box
  readonly #painter: Painter
  #frame: Frame = { rows: [] }
  /** The lines whose cells are on the screen; undefined where there may be something else. */
  #laid: (Line | undefined)[] = []
  /** The same of what stands beside them, where something does. */
  #laidAside: (Line | undefined)[] = []
  #shift: Shift | undefined
  #out = ''

  constructor({ columns, rows, palette }: { columns: number; rows: number; palette: Palette }) {
    this.#program = silentProgram(columns, rows)
    this.#screen = quietScreen(this.#program)
    this.#painter = new Painter(palette)
    const on = { parent: this.#screen, screen: this.#screen, top: 0, left: 0 }
    this.#sheet = new Element({ ...on, right: 0, bottom: 0 })
    this.#box = new Box({ ...on, width: 2, height: 2, border: 'line', hidden: true })
    this.#screen.alloc = () => {
      this.#screen.lines = blankRows(this.#program.rows)
      this.#screen.olines = blankRows(this.#program.rows)
    }
    this.#sheet.render = () => this.#layRows()
    const { render } = this.#box
    this.#box.render = () => (this.#box.hidden ? undefined : this.#layPopup(render.call(this.#box)))
    this.#box.sattr = () => attributeOf(styleOfFrame(this.#frame.popup))
    this.#screen.draw = () => {
      const { lines, olines } = this.#screen
      this.#out = this.#painter.paint(lines, olines, { shift: this.#shift, cursor: this.#cursor() })
    }
    this.resize(columns, rows)
  }

  resize(columns: number, rows: number): void {
    this.#program.cols = columns
    this.#program.rows = rows
    this.#screen.alloc()
    this.#laid = new Array(rows).fill(undefined)
    this.#laidAside = new Array(rows).fill(undefined)
    this.#painter.lose()
  }

  /** The next frame is written whole. */
  lose(): void {
    this.#painter.lose()
  }

  /** Something else has been written on the row. */
  forget(row: number): void {
    const { lines, olines } = this.#screen
    const cells = lines[row]
    const shown = olines[row]
    if (!cells || !shown) return
    cells.dirty = true
    for (const each of [cells, shown]) fillRow(each, this.#program.cols)
    for (const cell of shown) cell[1] = UNKNOWN
  }

  set palette(palette: Palette) {
    this.#painter.palette = palette
    this.lose()
  }

  set joins(joins: Joins) {
    this.#painter.joins = joins
    this.lose()
  }

  /** → what the terminal has to be sent for it; empty if it shows that already. */
  paint(frame: Frame): string {
    const before = this.#frame
    this.#frame = frame
    this.#shift = before.popup || frame.popup ? undefined : this.#moveRows(frame)
    this.#setPopup(frame.popup)
    this.#screen.render()
    return this.#out
  }

  close(): void {
    this.#screen.destroy()
  }

  #cursor(): Frame['cursor'] {
    const { cursor } = this.#frame
    return cursor && cursor.row < this.#program.rows ? cursor : undefined
  }

  /** Moves the cells of rows that have moved: the terminal will do the same. */
  #moveRows({ rows, scrolls }: Frame): Shift | undefined {
    if (!scrolls) return undefined
    const top = Math.max(0, scrolls.top)
    const bottom = Math.min(scrolls.bottom, this.#program.rows)
    const count = findShift(this.#laid, rows, { top, bottom })
    if (count === 0) return undefined
    const shift = { top, bottom, rows: count }
    const { lines, olines } = this.#screen
    for (const rowsOf of [lines, olines]) for (const row of rotate(rowsOf, shift)) blankRow(row)
    rotate(this.#laidAside, shift)
    const gone = rotate(this.#laid, shift).length
    this.#laid.fill(undefined, count > 0 ? bottom - gone : top, count > 0 ? bottom : top + gone)
    return shift
  }

  #layRows(): Coordinates | undefined {
    const place = this.#sheet._getCoords(true)
    if (!place) return undefined
    const { rows, aside } = this.#frame
    for (let row = place.yi; row < place.yl; row++) {
      const line = rows[row] ?? BLANK
      const beside = aside?.lines[row]
      const cells = this.#screen.lines[row]
      if (!cells || (line === this.#laid[row] && beside === this.#laidAside[row])) continue
      this.#laid[row] = line
      this.#laidAside[row] = beside
      if (line.length === 0 && !beside && cells.length === 0) continue
      const edge = aside && beside ? aside.column : place.xl
      fillRow(cells, this.#program.cols)
      putLine(cells, line, { from: place.xi, to: edge })
      if (beside) putLine(cells, beside, { from: edge, to: place.xl })
    }
    return place
  }

  #setPopup(popup: Popup | undefined): void {
    this.#box.hidden = popup === undefined
    if (!popup) return
    const { top, left, width, height } = popup
    Object.assign(this.#box.position, { top, left, width, height })
    const covered = this.#screen.lines.slice(Math.max(0, top), Math.max(0, top + height))
    for (const row of covered) fillRow(row, this.#program.cols)
  }

  /** Blessed has drawn the border. */
  #layPopup(place: Coordinates | undefined): Coordinates | undefined {
    const { popup } = this.#frame
    if (!place || !popup) return place
    const { xi, xl, yi, yl } = place
    const columns = { from: Math.max(0, xi + 1), to: Math.min(this.#program.cols, xl - 1) }
    for (let row = Math.max(0, yi); row < Math.min(yl, this.#program.rows); row++) {
      const cells = this.#screen.lines[row]
      if (!cells) continue
      // The rows beneath are laid anew in the next frame.
      this.#laid[row] = undefined
      if (row > yi && row < yl - 1) putLine(cells, popup.lines[row - yi - 1] ?? BLANK, columns)
      if (row === yi) putTitle(cells, popup, columns)
      mend(cells, { from: xi, to: xl })
    }
    return place
  }
}

const styleOfFrame = (popup: Popup | undefined) => (popup?.frame === 'danger' ? 'danger' : 'muted')

function putTitle(row: Row, popup: Popup, { from, to }: { from: number; to: number }): void {
  if (!popup.title) return
  const title = ` ${cut(popup.title, to - from - 4, { mark: '…' })} `
  const style = popup.frame === 'danger' ? 'danger' : 'strong'
  putLine(row, [{ text: title, style }], { from: from + 1, to: Math.min(to, from + 1 + displayWidth(title)) })
}

/** Moves what is in [top, bottom) up; → what fell out, and is at the other end now. */
function rotate<T>(items: T[], { top, bottom, rows }: Shift): T[] {
  const count = Math.abs(rows)
  const gone = items.splice(rows > 0 ? top : bottom - count, count)
  items.splice(rows > 0 ? bottom - count : top, 0, ...gone)
  return gone
}

function silentProgram(columns: number, rows: number): Program {
  const nobody: Silent = { columns, rows, writable: false, _blessedInput: 1, _blessedOutput: 1 }
  // Inside tmux, blessed would run `tmux -V` first.
  const { TMUX } = process.env
  delete process.env.TMUX
  const program = new Program({ input: nobody, output: nobody, tput: false, terminal: 'xterm' })
  if (TMUX !== undefined) process.env.TMUX = TMUX
  // All that is sent is written here: no terminfo is needed.
  program._tputSetup = true
  program.tput = { unicode: true, numbers: {}, strings: {}, features: {} }
  program.put = { clear() {} }
  // The screen would write that it enters it.
  program.isAlt = true
  return program
}

/** Without the handlers that blessed gives the process: they would end it with exit code 0. */
function quietScreen(program: Program): Screen {
  const screen = new Screen({ program, fullUnicode: false })
  program.isAlt = false
  process.removeListener('uncaughtException', Screen._exceptionHandler)
  process.removeListener('exit', Screen._exitHandler)
  process.removeListener('exit', Program._exitHandler)
  process.removeListener('SIGTERM', Screen._sigtermHandler)
  process.removeListener('SIGINT', Screen._sigintHandler)
  process.removeListener('SIGQUIT', Screen._sigquitHandler)
  screen.dattr = PLAIN
  return screen
}
