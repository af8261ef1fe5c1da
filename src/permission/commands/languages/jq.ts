/** jq: a filter that sees nothing but its input. */
import type { ShellWord } from '../../shell/line.ts'
import { readOptions } from '../options.ts'
import type { Verdict } from '../verdict.ts'
import { paths } from './paths.ts'

export function judgeJq(words: readonly ShellWord[]): Verdict {
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
  if (typeof options === 'string') return { changes: `\`jq ${options}\` is not known to only read` }
  const [filter, ...files] = options.operands
  if (
    filter?.value === undefined ||
    /\benv\b|\$ENV|\$__|\b(include|import|input_filename|debug|get_search_list|modulemeta)\b/.test(
      filter.value,
    )
  )
    return { changes: 'gopi cannot tell that the jq filter only reads its input' }
  return paths('jq', files)
}
