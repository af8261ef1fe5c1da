/** Operands that are files to be read. */
import type { ShellWord } from '../../shell/line.ts'
import type { Verdict } from '../verdict.ts'

/** `name`: the program's. */
export function paths(name: string, words: readonly ShellWord[]): Verdict {
  const dynamic = words.find(({ value }) => value === undefined)
  if (dynamic) {
    const why = `gopi cannot tell which file \`${name} ${dynamic.text}\` reads`
    return { changes: why, unclear: why }
  }
  return { reads: [...words] }
}
