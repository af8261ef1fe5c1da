/** A theme of a person's own, from what they have written. */
import { readTheme } from '../config/themes.ts'
import { COLOR_NAMES, type WrittenPaint } from '../config/themes-schema.ts'
import { BOLD, ITALIC, STYLES, type Style, UNDERLINE } from '../tui/line.ts'
import type { Color, OwnTheme, Paint } from '../tui/window/theme.ts'

/** Rejects with `UsageError`: every problem of its file. */
export async function ownTheme(home: string, name: string): Promise<OwnTheme> {
  const { base = 'dark', styles } = await readTheme(home, name, STYLES)
  const paints = Object.entries(styles).map(([style, paint]) => [style as Style, paintOf(paint)] as const)
  return { name, base, paints: Object.fromEntries(paints) }
}

function paintOf({ color, background, bold, italic, underline, dim, reverse }: WrittenPaint): Paint {
  const [ink, ground] = [colorOf(color), colorOf(background)]
  const marks = (bold ? BOLD : 0) + (italic ? ITALIC : 0) + (underline ? UNDERLINE : 0)
  return {
    ...(ink !== undefined && { color: ink }),
    ...(ground !== undefined && { background: ground }),
    ...(marks > 0 && { marks }),
    ...(dim && { dim }),
    ...(reverse && { reverse }),
  }
}

/** undefined: the terminal's own. */
function colorOf(written: string | number | undefined): Color | undefined {
  if (written === undefined || written === 'none') return undefined
  if (typeof written === 'number') return written
  const known = COLOR_NAMES.indexOf(written)
  if (known >= 0) return known
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(at => Number.parseInt(written.slice(at, at + 2), 16))
  return [red, green, blue]
}
