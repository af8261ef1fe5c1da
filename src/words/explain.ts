import { RunError, UsageError } from '../protocol/errors.ts'
import { messageOf } from '../text/message-of.ts'
import type { Words } from './words.ts'

/** What a failure says in a face's language; one that nobody foresaw has only its own words. */
export const explain = ({ say, problem }: Pick<Words, 'say' | 'problem'>, error: unknown): string =>
  error instanceof RunError
    ? say(error.told)
    : error instanceof UsageError
      ? error.problems.map(problem).join('\n')
      : messageOf(error)
