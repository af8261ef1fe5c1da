/** Lines for the normal screen, where the terminal wraps and scrolls by itself. */
import { graphemes, TAB_COLUMNS } from '../../text/width.ts'
import type { Line } from '../line.ts'
import { attributeOf } from './attributes.ts'
import { passed } from './cells.ts'
import type { Palette } from './palette.ts'

export function printed(lines: readonly Line[], palette: Palette): string {
  return lines.map(line => `${printedLine(line, palette)}\r\n`).join('')
}

function printedLine(line: Line, palette: Palette): string {
  return line
    .map(({ text, style, marks }) => {
      const codes = palette.codes(attributeOf(style, marks))
      return codes === '' ? visible(text) : `\x1b[${codes}m${visible(text)}\x1b[m`
    })
    .join('')
}

/** The same gate as the cells': what takes no column does not pass. */
function visible(text: string): string {
  let out = ''
  for (const grapheme of graphemes(text)) {
    if (grapheme === '\t') out += ' '.repeat(TAB_COLUMNS)
    else out += passed(grapheme)
  }
  return out
}
