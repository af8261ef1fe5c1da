/** Words that become others in a way that can be told beforehand: `{a,b}`, and what a loop goes through. */
import type { SyntaxNode as Node } from 'unbash'
import type { ShellWord } from './line.ts'
import { readWord } from './word.ts'

/** What the variables of the loops around a command stand for, one after the other. */
export type Loops = ReadonlyMap<string, readonly ShellWord[]>

/** So many runs of one command are told apart. */
const MOST_RUNS = 64

/** The loops inside a `for`, when its words are known and its body does nothing to the variable but use it. */
export function loopsIn(
  node: Extract<Node, { type: 'For' }>,
  loops: Loops,
  { text, home }: { text: string; home: string },
): Loops {
  const name = node.name.text
  const inside = new Map(loops)
  inside.delete(name)
  const words = node.wordlist?.flatMap(word => spreadBraces(readWord(word, home))) ?? []
  const uses = new RegExp(`\\$(?:${name}\\b|\\{${name}\\})`, 'g')
  const rest = text.slice(node.body.pos, node.body.end).replaceAll(uses, '')
  const isKnown = words.length > 0 && words.every(({ value }) => value !== undefined)
  if (isKnown && !new RegExp(`\\b${name}\\b`).test(rest)) inside.set(name, words)
  return inside
}

/** The words of each run of a command: the loops around it go through their values. */
export function runsOf(words: readonly ShellWord[], loops: Loops): ShellWord[][] {
  let runs = [[...words]]
  for (const [name, values] of loops) {
    // The program has to stand in the line itself.
    const uses = words.slice(1).some(word => variableOf(word) === name)
    if (!uses || runs.length * values.length > MOST_RUNS) continue
    runs = runs.flatMap(run =>
      values.map(value => run.map((word, n) => (n === 0 ? word : filled(word, name, value)))),
    )
  }
  return runs
}

/** The variable that is all of a word. */
const variableOf = ({ text }: ShellWord): string | undefined => /^("?)\$\{?(\w+)\}?\1$/.exec(text)?.[2]

function filled(word: ShellWord, name: string, { value, glob }: ShellWord): ShellWord {
  if (variableOf(word) !== name) return word
  // Without quotes, a value is split at its blanks and may be a pattern.
  const isWhole = word.text.startsWith('"') || (!glob && /^[\w./-]+$/.test(value ?? ''))
  return isWhole ? { text: word.text, value, glob } : word
}

const BRACES = /^([\w./*?-]*)\{([\w./*?-]+(?:,[\w./*?-]+)+)\}([\w./*?-]*)$/

/** The words that plain braces make of one. */
export function spreadBraces(word: ShellWord): ShellWord[] {
  const [, before = '', inner, after = ''] = (word.value === undefined && BRACES.exec(word.text)) || []
  if (inner === undefined) return [word]
  return inner.split(',').map(choice => {
    const value = `${before}${choice}${after}`
    return { text: value, value, glob: /[*?]/.test(value) }
  })
}
