/**
 * The exported variables of a bash as data. What `declare -px` printed is read here and nowhere evaluated: a trap of a
 * command's can write between its lines. Everything is bytes, as latin1.
 */
import { shellWord } from '../text/shell-word.ts'
import { LEFT_OUT } from './environment.ts'

/** Names and values; undefined as value: exported, but not set. */
export type Exports = ReadonlyMap<string, string | undefined>

const DECLARATION =
  /declare -[A-Za-z]+ ([A-Za-z_][A-Za-z0-9_]*)(?:=(?:"((?:[^"\\]|\\[\s\S])*)"|\$'((?:[^'\\]|\\[\s\S])*)'))?\n/y

/** What is no declaration of a plain variable (arrays, words of a trap) is passed over, a line at a time. */
export function readExports(text: string): Exports {
  const found = new Map<string, string | undefined>()
  for (let at = 0; at < text.length; ) {
    DECLARATION.lastIndex = at
    const match = DECLARATION.exec(text)
    if (match === null) {
      const end = text.indexOf('\n', at)
      at = end < 0 ? text.length : end + 1
      continue
    }
    const [whole, name = '', quoted, ansi] = match
    if (!LEFT_OUT.test(name))
      found.set(name, ansi === undefined ? quoted?.replace(/\\([\s\S])/g, '$1') : unescaped(ansi))
    at += whole.length
  }
  return found
}

const ESCAPES: Readonly<Record<string, string>> = {
  ...{ a: '\x07', b: '\b', e: '\x1b', E: '\x1b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' },
}

const unescaped = (ansi: string): string =>
  ansi.replace(/\\([0-7]{1,3}|[\s\S])/g, (_, code: string) =>
    /^[0-7]/.test(code) ? String.fromCharCode(Number.parseInt(code, 8) & 0xff) : (ESCAPES[code] ?? code),
  )

/** Shell text that exports them: gopi's own words around values that are quoted. */
export const exportScript = (exports: Exports): string =>
  [...exports]
    .map(([name, value]) => `\\builtin export ${name}${value === undefined ? '' : `=${shellWord(value)}`}`)
    .join(';')
