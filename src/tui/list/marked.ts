import { graphemeEnd } from '../../text/width.ts'
import type { Span, Style } from '../line.ts'

/** A text as spans, with the graphemes at `places` (offsets) shown as what was looked for. */
export function marked(text: string, { places, style }: { places: readonly number[]; style: Style }): Span[] {
  const spans: Span[] = []
  const found = new Set(places)
  for (let at = 0; at < text.length; ) {
    const end = graphemeEnd(text, at)
    const grapheme = text.slice(at, end)
    const own = found.has(at) ? 'match' : style
    const last = spans.at(-1)
    if (last?.style === own) spans[spans.length - 1] = { text: last.text + grapheme, style: own }
    else spans.push({ text: grapheme, style: own })
    at = end
  }
  return spans
}
