/** jq: a filter that sees nothing but its input. */
import { said } from '../../../words/sayings/said.ts'
import { names, type Reader } from './reader.ts'

const REACHING = /\benv\b|ENV|__|\b(include|import|input_filename|debug|get_search_list|modulemeta)\b/

export const jq: Reader = {
  flags: 'rcMCSsneja',
  long: names('raw-output compact-output slurp null-input exit-status sort-keys tab join-output'),
  operands: { after: 1 },
  code: ([filter]) =>
    filter === undefined || REACHING.test(filter) ? said('permission.only_reads_jq', {}) : undefined,
}
