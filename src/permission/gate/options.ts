/** Reads a command's options by a list of those that are known; one that is not known is named. */
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
  /** What comes after the first operand is another, whatever it looks like. */
  ordered?: boolean
  /** A short option with a value stands by itself, and the value in the next word. */
  apart?: boolean
}

export interface Options {
  /** Name without dashes → value; '' for those without one, `\0` between those of an option that is given again. */
  given: Map<string, string>
  operands: string[]
  /** All words from the first operand on: off Linux, options behind it are operands too. */
  late: string[]
}

/** `words`: what stands after the program's name. A `--` is never a value: not all would take it for one. A text: the option that is not known. */
export function readOptions(words: readonly string[], list: OptionList): Options | string {
  const { flags = '', valued = '', attached: optional = '', long = [], longValued = [] } = list
  const given = new Map<string, string>()
  const operands: string[] = []
  const rest = [...words]
  let first: number | undefined
  const give = (name: string, value: string) => {
    const before = given.get(name)
    given.set(name, before === undefined ? value : `${before}\0${value}`)
  }
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    first ??= word.startsWith('-') && word !== '-' ? undefined : words.length - rest.length - 1
    const isEnd = list.ordered && operands.length > 0
    if (word === '--' || isEnd) operands.push(...(isEnd ? [word] : []), ...rest.splice(0))
    else if (!word.startsWith('-') || word === '-') operands.push(word)
    else if (list.numbers && /^-\d+$/.test(word)) give('n', word.slice(1))
    else if (word.startsWith('--')) {
      const [, name = '', attached] = /^--([^=]*)(?:=([\s\S]*))?$/.exec(word) ?? []
      if (attached === undefined && long.includes(name)) give(name, '')
      else if (!longValued.includes(name)) return word
      else {
        const value = attached ?? rest.shift()
        if (value === undefined || value === '--') return word
        give(name, value)
      }
    } else {
      for (let n = 1; n < word.length; n++) {
        const letter = word[n] ?? ''
        if (valued.includes(letter)) {
          if (list.apart && word.length > 2) return word
          const value = word.slice(n + 1) || rest.shift()
          if (value === undefined || value === '--') return word
          give(letter, value)
          break
        }
        if (optional.includes(letter)) {
          give(letter, word.slice(n + 1))
          break
        }
        if (!flags.includes(letter)) return word.length > 2 ? `-${letter}` : word
        give(letter, '')
      }
    }
  }
  return { given, operands, late: first === undefined ? [] : words.slice(first) }
}
