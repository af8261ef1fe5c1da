/**
 * A turned wheel, where the mouse is off: terminals then send arrow keys instead (alternate scroll), several in one go.
 * A person's finger sends one.
 */
import type { Input } from '../input.ts'

/** Arrows that most terminals send for one notch. */
const NOTCH = 3

/** Two and more equal arrows in one read are notches of the wheel. */
export function wheelFromArrows(inputs: readonly Input[]): readonly Input[] {
  const out: Input[] = []
  for (let at = 0; at < inputs.length; ) {
    const direction = directionOf(inputs[at])
    let end = at + 1
    while (direction !== undefined && directionOf(inputs[end]) === direction) end++
    if (direction === undefined || end === at + 1) out.push(...inputs.slice(at, end))
    else {
      const notches = Math.max(1, Math.round((end - at) / NOTCH))
      for (let notch = 0; notch < notches; notch++) out.push({ type: 'wheel', direction, column: 0, row: 0 })
    }
    at = end
  }
  return out
}

function directionOf(input: Input | undefined): -1 | 1 | undefined {
  if (input?.type !== 'key' || input.ctrl || input.alt || input.shift) return undefined
  return input.name === 'up' ? -1 : input.name === 'down' ? 1 : undefined
}
