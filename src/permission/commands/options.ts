/** Reads a command's options by a list of those that are known; one that is not known is named. */
import type { ShellWord } from '../shell/line.ts'
import { isOneWord } from '../shell/word.ts'

export interface OptionList {
  /** Short options without a value, one letter each. */
  flags?: string
  /** Short options with one, attached or in the next word. */
  valued?: string
  /** Short options whose value, if they have one, is attached. */
  attached?: string
  /** Long options without a value. One that stands in both lists has its value attached or none. */
  long?: readonly string[]
  /** Long options with one: `--name=value` or `--name value`. */
  longValued?: readonly string[]
  /** `-5`, as head takes it. */
  numbers?: boolean
}

export interface Options {
  /** Name without dashes → value; '' for those without one, `\0` between those of an option that is given again. */
  given: Map<string, string>
  operands: ShellWord[]
}

/** `words`: what stands after the program's name. A text: the option that is not known. */
export function readOptions(words: readonly ShellWord[], list: OptionList): Options | string {
  const {
    flags = '',
    valued = '',
    attached: optional = '',
    long = [],
    longValued = [],
    numbers = false,
  } = list
  const given = new Map<string, string>()
  const operands: ShellWord[] = []
  const rest = [...words]
  const give = (name: string, value: string) => {
    const before = given.get(name)
    given.set(name, before ? `${before}\0${value}` : value)
  }
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    const { value } = word
    if (value === undefined) {
      if (!/^["\w./…]/.test(word.text) || /^"[-$`]/.test(word.text)) return word.text
      operands.push(word)
    } else if (value === '--') {
      operands.push(...rest.splice(0))
    } else if (!value.startsWith('-') || value === '-') {
      operands.push(word)
    } else if (numbers && /^-\d+$/.test(value)) {
      give('n', value.slice(1))
    } else if (value.startsWith('--')) {
      const [, name = '', attached] = /^--([^=]*)(?:=([\s\S]*))?$/.exec(value) ?? []
      if (attached === undefined && long.includes(name)) give(name, '')
      else if (longValued.includes(name)) {
        const next = attached === undefined ? rest.shift() : undefined
        if (next && !isOneWord(next)) return next.text
        give(name, attached ?? next?.value ?? '')
      } else return value
    } else {
      for (let n = 1; n < value.length; n++) {
        const letter = value[n] ?? ''
        if (valued.includes(letter)) {
          const next = n === value.length - 1 ? rest.shift() : undefined
          if (next && !isOneWord(next)) return next.text
          give(letter, value.slice(n + 1) || (next?.value ?? ''))
          break
        }
        if (optional.includes(letter)) {
          give(letter, value.slice(n + 1))
          break
        }
        if (!flags.includes(letter)) return value.length > 2 ? `-${letter}` : value
        give(letter, '')
      }
    }
  }
  return { given, operands }
}
