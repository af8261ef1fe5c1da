/** `test` and `[`: the shapes with one operator. What bash evaluates, and what nobody writes, is not among them. */
import { said } from '../../../words/sayings/said.ts'
import type { Reading } from '../reading.ts'

export function judgeTest(name: string, words: readonly string[]): Reading {
  const args = name === '[' && words.at(-1) === ']' ? words.slice(0, -1) : name === '[' ? ['['] : words
  const [first = '', second = '', third = ''] = args[0] === '!' ? args.slice(1) : args
  const shape = (args[0] === '!' ? args.length - 1 : args.length) as number
  const isKnown =
    shape === 1 ||
    (shape === 2 && /^-[nzefdrwxsLhbcpS]$/.test(first)) ||
    (shape === 3 &&
      (/^(=|==|!=|-nt|-ot|-ef)$/.test(second) ||
        (/^-(eq|ne|lt|le|gt|ge)$/.test(second) && [first, third].every(number => /^-?\d+$/.test(number)))))
  return isKnown && !args.some(word => word.includes('['))
    ? { reads: [], lists: true }
    : { changes: said('permission.may_evaluate', { what: `\`${[name, ...words].join(' ')}\`` }) }
}
