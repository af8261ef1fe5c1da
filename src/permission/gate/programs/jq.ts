/** jq: a filter that sees nothing but its input. */
import { said } from '../../../words/sayings/said.ts'
import { readOptions } from '../options.ts'
import type { Reading } from '../reading.ts'

export function judgeJq(words: readonly string[]): Reading {
  const options = readOptions(words, {
    flags: 'rcMCSsneja',
    long: [
      'raw-output',
      'compact-output',
      'slurp',
      'null-input',
      'exit-status',
      'sort-keys',
      'tab',
      'join-output',
    ],
  })
  if (typeof options === 'string')
    return { changes: said('permission.not_only_reads', { what: `\`jq ${options}\`` }) }
  const [filter, ...files] = options.operands
  if (
    filter === undefined ||
    /\benv\b|ENV|__|\b(include|import|input_filename|debug|get_search_list|modulemeta)\b/.test(filter)
  )
    return { changes: said('permission.only_reads_jq', {}) }
  return { reads: files }
}
