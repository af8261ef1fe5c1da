/** One option of the command line: how it is written, what it takes, and what help says of it. */
export interface Option<T> {
  /** All ways to write it, the one that messages use last: `-m`, `--model`. */
  names: readonly string[]
  /** `next`: a value must follow; `word`: one may follow, unless it looks like an option; `equals`: only by `=`. */
  takes: 'nothing' | 'next' | 'word' | 'equals'
  /** How help writes the value: `NAME`. */
  label: string
  help: string
  /** Reads on after `--model expects `. */
  expected: string
  /** undefined: not what is expected. Given `true` where the option has no value. */
  read(raw: string | true): T | undefined
  /** What can be said, where that is a list. */
  choices: readonly string[]
}

export type Options = Readonly<Record<string, Option<unknown>>>

/** What a table of options reads to. */
export type Values<T extends Options> = { [K in keyof T]?: T[K] extends Option<infer V> ? V : never }

export function flag(names: readonly string[], help: string): Option<true> {
  return {
    names,
    takes: 'nothing',
    label: '',
    help,
    expected: 'no value',
    choices: [],
    read: raw => raw === true || undefined,
  }
}

export function text(names: readonly string[], label: string, help: string): Option<string> {
  const read = (raw: string | true) => (raw === true || raw.trim() === '' ? undefined : raw)
  return { names, takes: 'next', label, help, expected: `a value (${label})`, choices: [], read }
}

/** A text that may be given more than once. */
export function texts(names: readonly string[], label: string, help: string): Option<readonly string[]> {
  const one = text(names, label, help)
  return {
    ...one,
    read(raw) {
      const value = one.read(raw)
      return value === undefined ? undefined : [value]
    },
  }
}

/** `--resume` or `--resume ID`. */
export function textOrNone(names: readonly string[], label: string, help: string): Option<string | true> {
  const read = (raw: string | true) => (raw === '' ? undefined : raw)
  return { ...text(names, label, help), takes: 'word', read }
}

export function oneOf<const T extends string>(
  names: readonly string[],
  choices: readonly T[],
  help: string,
): Option<T> {
  const read = (raw: string | true) => choices.find(choice => choice === raw)
  return { names, takes: 'next', label: choices.join('|'), help, expected: either(choices), choices, read }
}

/** `--demo` or `--demo=auto`. */
export function oneOfOrNone<const T extends string>(
  names: readonly string[],
  choices: readonly T[],
  help: string,
): Option<T | true> {
  const one = oneOf(names, choices, help)
  const expected = `nothing or ${either(choices.map(choice => `=${choice}`))}`
  return { ...one, takes: 'equals', expected, read: raw => (raw === true ? raw : one.read(raw)) }
}

export interface NumberOptions {
  label: string
  from: number
  to?: number
  help: string
}

/** A whole number. */
export function number(names: readonly string[], { label, from, to, help }: NumberOptions): Option<number> {
  const expected = `a whole number from ${from}${to === undefined ? '' : ` to ${to}`}`
  const read = (raw: string | true) => {
    const value = Number(raw)
    const whole = raw !== true && /^\d+$/.test(raw) && Number.isSafeInteger(value)
    return whole && value >= from && value <= (to ?? value) ? value : undefined
  }
  return { names, takes: 'next', label, help, expected, choices: [], read }
}

/** How messages call the option. */
export function nameOf(option: Option<unknown>): string {
  return option.names.at(-1) ?? ''
}

function either(choices: readonly string[]): string {
  return choices.length < 2 ? choices.join() : `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`
}
