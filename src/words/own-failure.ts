/** What is not the model's and not the server's fault: the machine's, or ours. */
import { RunError } from '../protocol/errors.ts'
import { messageOf } from '../text/message-of.ts'
import { told } from './sayings/told.ts'

const codeOf = (error: unknown): string => String((error as NodeJS.ErrnoException | undefined)?.code)

/** The system refused something: no code of Node's own, which begin with ERR_. */
export const isSystemError = (error: unknown): boolean => /^E[A-Z0-9]+$/.test(codeOf(error))

/** No file, pipe or connection can be opened any more, in this process or on the whole machine. */
export const isOutOfFiles = (error: unknown): boolean => /^E[MN]FILE$/.test(codeOf(error))

export function ownFailure(error: unknown): RunError {
  const facts = { problem: messageOf(error) }
  if (isOutOfFiles(error)) return new RunError(told('internal.no_files', facts), { cause: error })
  return new RunError(told(isSystemError(error) ? 'internal.system' : 'internal.bug', facts), {
    cause: error,
  })
}
