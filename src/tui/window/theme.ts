/**
 * What each style looks like. A theme starts with the sixteen colours that the person has chosen for the terminal, on
 * the terminal's own background: that can be read everywhere. When the terminal tells its background, and can show
 * more, shades are made that fit it.
 */
import { BOLD, ITALIC, type Style, UNDERLINE } from '../line.ts'

/** The themes that a person may choose: `system` is dark or light, as the terminal's background says. */
export const THEMES = ['dark', 'light', 'system'] as const

export type ThemeName = (typeof THEMES)[number]

/** One of a person's own: what it does not name is as in `base`. */
export interface OwnTheme {
  readonly name: string
  readonly base: ThemeName
  readonly paints: Partial<Paints>
}

export type Theme = ThemeName | OwnTheme

export const nameOfTheme = (theme: Theme): string => (typeof theme === 'string' ? theme : theme.name)

export type Rgb = readonly [red: number, green: number, blue: number]

/** One of the terminal's sixteen, or a colour of its own. */
export type Color = number | Rgb

export interface Paint {
  color?: Color
  background?: Color
  marks?: number
  dim?: boolean
  reverse?: boolean
}

export type Paints = Readonly<Record<Style, Paint>>

export interface Surroundings {
  /** The terminal's background, when it has told. */
  background?: Rgb | undefined
  /** Whether it shows more than sixteen colours. */
  hasShades: boolean
  env: NodeJS.ProcessEnv
}

export function paintsOf(theme: Theme, surroundings: Surroundings): Paints {
  if (typeof theme !== 'string') return { ...paintsOf(theme.base, surroundings), ...theme.paints }
  const { background, hasShades, env } = surroundings
  const isLight = theme === 'system' ? isLightBehind(background, env) : theme === 'light'
  const fits = background !== undefined && isBright(background) === isLight
  return fits && hasShades ? shades(background) : isLight ? LIGHT : DARK
}

/** Without an answer: what some terminals say in the environment (`COLORFGBG=0;15`), else dark. */
function isLightBehind(background: Rgb | undefined, { COLORFGBG = '' }: NodeJS.ProcessEnv): boolean {
  if (background) return isBright(background)
  const behind = COLORFGBG.split(';').at(-1)
  return behind === '7' || behind === '15'
}

const isBright = ([red, green, blue]: Rgb): boolean => 0.299 * red + 0.587 * green + 0.114 * blue > 127

const [red, green, yellow, blue, magenta, cyan] = [1, 2, 3, 4, 5, 6] as const
const brightBlue = 12

/** Muted text is dimmed: the colour for it, “bright black”, is the background's in some palettes. */
const COMMON = {
  plain: {},
  muted: { dim: true },
  strong: { marks: BOLD },
  own: { marks: BOLD },
  ownMuted: { dim: true },
  success: { color: green },
  warning: { color: yellow },
  danger: { color: red },
  added: { color: green },
  removed: { color: red },
  addedWord: { color: green, reverse: true },
  removedWord: { color: red, reverse: true },
  quote: { dim: true, marks: ITALIC },
  keyword: { color: magenta },
  string: { color: green },
  comment: { dim: true, marks: ITALIC },
  selected: { reverse: true },
  match: { color: 0, background: yellow },
  ...{ ink0: { color: 0 }, ink1: { color: 1 }, ink2: { color: 2 }, ink3: { color: 3 }, ink4: { color: 4 } },
  ...{ ink5: { color: 5 }, ink6: { color: 6 }, ink7: { color: 7 }, ink8: { color: 8 }, ink9: { color: 9 } },
  ...{ ink10: { color: 10 }, ink11: { color: 11 }, ink12: { color: 12 }, ink13: { color: 13 } },
  ...{ ink14: { color: 14 }, ink15: { color: 15 } },
} satisfies Partial<Record<Style, Paint>>

const DARK: Paints = {
  ...COMMON,
  accent: { color: cyan },
  ownSign: { color: cyan },
  heading: { color: cyan, marks: BOLD },
  code: { color: cyan },
  link: { color: brightBlue, marks: UNDERLINE },
  number: { color: yellow },
  function: { color: brightBlue },
  type: { color: cyan },
}

const LIGHT: Paints = {
  ...COMMON,
  accent: { color: blue },
  ownSign: { color: blue },
  heading: { color: blue, marks: BOLD },
  code: { color: blue },
  link: { color: blue, marks: UNDERLINE },
  number: { color: red },
  function: { color: blue },
  type: { color: cyan },
}

/** Colours that stand out from a known background, and tints of it. */
function shades(background: Rgb): Paints {
  const base = isBright(background) ? readable(LIGHT) : DARK
  const ink: Rgb = isBright(background) ? [0, 0, 0] : [255, 255, 255]
  const tint = (color: Rgb, share: number): Rgb => mixed(background, color, share)
  const muted = tint(ink, isBright(background) ? 0.56 : 0.58)
  const band = tint(ink, 0.09)
  return {
    ...base,
    muted: { color: muted },
    own: { background: band, marks: BOLD },
    ownSign: { ...base.ownSign, background: band },
    ownMuted: { color: muted, background: band },
    quote: { color: muted, marks: ITALIC },
    comment: { color: muted, marks: ITALIC },
    added: { ...base.added, background: tint([0, 170, 70], 0.13) },
    removed: { ...base.removed, background: tint([220, 50, 50], 0.13) },
    addedWord: { background: tint([0, 170, 70], 0.38) },
    removedWord: { background: tint([220, 50, 50], 0.38) },
    match: { color: [0, 0, 0], background: [255, 210, 70] },
    // Also on the band of the person's own words it is seen at a glance.
    selected: { background: tint([50, 130, 230], isBright(background) ? 0.36 : 0.42), marks: BOLD },
  }
}

/** What palettes make of these is often too bright to be read on a light background. */
const DEEP: ReadonlyMap<Color | undefined, Rgb> = new Map([
  [green, [0, 115, 50]],
  [yellow, [140, 90, 0]],
  [cyan, [0, 110, 130]],
])

/** What a command has coloured itself stays as it is. */
function readable(paints: Paints): Paints {
  const changed = Object.entries(paints).map(([style, paint]: [string, Paint]) => {
    const color = /^ink\d/.test(style) ? undefined : DEEP.get(paint.color)
    return [style, color ? { ...paint, color } : paint]
  })
  return Object.fromEntries(changed) as Paints
}

const mixed = (from: Rgb, to: Rgb, share: number): Rgb => [
  Math.round(from[0] + (to[0] - from[0]) * share),
  Math.round(from[1] + (to[1] - from[1]) * share),
  Math.round(from[2] + (to[2] - from[2]) * share),
]
