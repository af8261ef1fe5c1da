/** What is used of neo-blessed 0.2.0, which has no types of its own. */

declare module 'neo-blessed/lib/program.js' {
  /** Takes the place of both streams: blessed reads no key and writes nothing by itself. */
  export interface Silent {
    columns: number
    rows: number
    writable: false
    /** Counts who listens already: above 0, it does not listen itself. */
    _blessedInput: number
    _blessedOutput: number
  }

  export default class Program {
    constructor(options: { input: Silent; output: Silent; tput: false; terminal: string })
    static _exitHandler: () => void
    cols: number
    rows: number
    isAlt: boolean
    tput: { unicode: boolean; numbers: object; strings: object; features: object }
    put: { clear(): void }
    _tputSetup: boolean
  }
}

declare module 'neo-blessed/lib/widgets/screen.js' {
  import type Program from 'neo-blessed/lib/program.js'

  /** What it looks like (a number that only whoever draws understands), and the grapheme. */
  export type Cell = [attribute: number, grapheme: string]
  export interface Row extends Array<Cell> {
    dirty: boolean
  }

  export default class Screen {
    constructor(options: { program: Program; fullUnicode: boolean })
    static _exceptionHandler: () => void
    static _exitHandler: () => void
    static _sigtermHandler: () => void
    static _sigintHandler: () => void
    static _sigquitHandler: () => void
    /** What is to be seen. */
    lines: Row[]
    /** What the terminal shows. */
    olines: Row[]
    /** The attribute of a blank cell. */
    dattr: number
    /** Makes both anew, blank, in the size that the program has. */
    alloc(dirty?: boolean): void
    /** Lets every element write its cells into `lines`, then calls `draw`. */
    render(): void
    draw(from: number, to: number): void
    destroy(): void
  }
}

declare module 'neo-blessed/lib/widgets/element.js' {
  import type Screen from 'neo-blessed/lib/widgets/screen.js'

  export interface ElementOptions {
    parent: Screen
    screen: Screen
    top: number
    left: number
    right?: number
    bottom?: number
    width?: number
    height?: number
    hidden?: boolean
    border?: 'line'
  }

  /** Columns from `xi` up to `xl`, rows from `yi` up to `yl`, without these. */
  export interface Coordinates {
    xi: number
    xl: number
    yi: number
    yl: number
  }

  export default class Element {
    constructor(options: ElementOptions)
    hidden: boolean
    position: { top: number; left: number; width?: number; height?: number }
    /** The attribute of a style; the border asks for its own. */
    sattr(style: object): number
    /** Writes its cells; undefined when nothing of it is on the screen. */
    render(): Coordinates | undefined
    _getCoords(now: boolean): Coordinates | undefined
  }
}

declare module 'neo-blessed/lib/widgets/box.js' {
  import Element from 'neo-blessed/lib/widgets/element.js'

  export default class Box extends Element {}
}
