/**
 * A paste into a terminal that does not say so (no bracketed paste): it comes as typing, with an Enter in the middle of
 * one read, which no hand does. As keys it would send every line by itself.
 */
import type { Input } from '../input.ts'

/** Milliseconds after such a paste within which typing is the rest of it. */
const REST = 30

/** Finds pastes among keys, over several reads. */
export function createPasteFinder(): (inputs: readonly Input[]) => readonly Input[] {
  let pastedAt = Number.NEGATIVE_INFINITY
  return inputs => {
    const isRest = performance.now() - pastedAt < REST
    const texts = inputs.map(typedText)
    const lastText = texts.findLastIndex(text => text !== undefined && text !== '\n')
    const isPaste = texts.some((text, at) => text === '\n' && at < lastText)
    if (texts.includes(undefined) || !(isPaste || (isRest && lastText >= 0))) return inputs
    const text = `${texts.join('')}`
    pastedAt = performance.now()
    // The last Enter is not the person's: they look at what came first.
    return [{ type: 'paste', text: text.replace(/\n$/, ''), lost: 0 }]
  }
}

/** What a key types; undefined: something else. */
function typedText(input: Input): string | undefined {
  if (input.type !== 'key' || input.alt) return undefined
  if (input.name === 'enter' || (input.ctrl && input.name === 'j')) return input.shift ? undefined : '\n'
  if (input.name === 'tab' && !input.shift && !input.ctrl) return '\t'
  return input.text === '' ? undefined : input.text
}
