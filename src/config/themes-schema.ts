/** The checker of a theme's file. Import it lazily: it loads yaml and zod. */
import * as z from 'zod/mini'
import { nearest } from '../text/nearest.ts'
import { THEMES } from './config.ts'
import type { Problem } from './schema.ts'
import { readYaml } from './yaml.ts'

/** How text of one style looks, as it is written. `color` and `background`: `#rrggbb`, a name, 0 to 15, or `none`. */
export interface WrittenPaint {
  color?: string | number
  background?: string | number
  bold?: boolean
  italic?: boolean
  underline?: boolean
  dim?: boolean
  reverse?: boolean
}

export interface WrittenTheme {
  /** What the styles that are not named look like. Default dark. */
  base?: (typeof THEMES)[number]
  styles: Readonly<Record<string, WrittenPaint>>
}

/** The terminal's sixteen, in their order. */
export const COLOR_NAMES = [
  ...['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'],
  ...['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'].map(name => `bright-${name}`),
]

const A_COLOR = 'a colour such as "#7aa2f7", bright-blue, 12 or none'
const A_PAINT = `${A_COLOR}, or a mapping (color, background, bold, italic, underline, dim, reverse)`
const A_BASE = `one of ${THEMES.join(', ')}`

const isColor = (value: string | number): boolean =>
  typeof value === 'number'
    ? Number.isInteger(value) && value >= 0 && value <= 15
    : value === 'none' || COLOR_NAMES.includes(value) || /^#[0-9a-f]{6}$/i.test(value)

const color = (error: string) =>
  z.union([z.string(), z.number()], { error }).check(z.refine(isColor, { error }))
const flag = z.optional(z.boolean({ error: 'true or false' }))
const parts = {
  color: z.optional(color(A_COLOR)),
  background: z.optional(color(A_COLOR)),
  ...{ bold: flag, italic: flag, underline: flag, dim: flag, reverse: flag },
}

/** What is wrong with it comes as sentences with its lines. */
export function checkTheme(
  text: string,
  file: string,
  styles: readonly string[],
): { theme: WrittenTheme; problems: string[] } {
  const paint = z.union([color(A_PAINT), z.strictObject(parts)], { error: A_PAINT })
  const schema = z.strictObject(
    {
      base: z.optional(z.enum(THEMES, { error: A_BASE })),
      ...Object.fromEntries(styles.map(style => [style, z.optional(paint)])),
    },
    { error: 'a mapping (style: colour)' },
  )
  const { values, problems } = readYaml<WrittenTheme>(text, file, tree => {
    const { success, data, error } = schema.safeParse(tree ?? {})
    if (!success) return { problems: error.issues.flatMap(issue => problemsOf(issue, styles)) }
    const { base, ...rest } = data
    return { values: { ...(base && { base }), styles: paints(rest) } }
  })
  return { theme: values ?? { styles: {} }, problems }
}

function problemsOf(issue: z.core.$ZodIssue, styles: readonly string[]): Problem[] {
  const path = issue.path.map(String)
  if (issue.code !== 'unrecognized_keys') return [{ path, text: `expected ${issue.message}` }]
  const known = path.length > 0 ? Object.keys(parts) : ['base', ...styles]
  return issue.keys.map(key => {
    const near = nearest(key, known)
    const rest = near === undefined ? `known here: ${known.join(', ')}` : `did you mean ${near}?`
    return { path: [...path, key], text: `unknown key; ${rest}` }
  })
}

const paints = (styles: Readonly<Record<string, unknown>>): WrittenTheme['styles'] =>
  Object.fromEntries(
    Object.entries(styles)
      .filter(([, value]) => value !== undefined)
      .map(([style, value]) => [
        style,
        (typeof value === 'object' ? value : { color: value }) as WrittenPaint,
      ]),
  )
