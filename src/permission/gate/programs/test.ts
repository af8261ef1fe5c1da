/** `test` and `[`: the shapes with one operator. What bash evaluates, and what nobody writes, is not among them. */
import type { Said } from '../../../protocol/sayings.ts'
import { said } from '../../../words/sayings/said.ts'

export function testProblem(name: string, words: readonly string[]): Said | undefined {
  const args = name === '[' && words.at(-1) === ']' ? words.slice(0, -1) : name === '[' ? ['['] : words
  const all = args[0] === '!' ? args.slice(1) : args
  const [first = '', second = '', third = ''] = all
  const isKnown =
    all.length === 1 ||
    (all.length === 2 && /^-[nzefdrwxsLhbcpS]$/.test(first)) ||
    (all.length === 3 &&
      (/^(=|==|!=|-nt|-ot|-ef)$/.test(second) ||
        (/^-(eq|ne|lt|le|gt|ge)$/.test(second) && [first, third].every(number => /^-?\d+$/.test(number)))))
  return isKnown && !args.some(word => word.includes('['))
    ? undefined
    : said('permission.may_evaluate', { what: `\`${[name, ...words].join(' ')}\`` })
}
