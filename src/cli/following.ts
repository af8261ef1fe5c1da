/** From what a person wants next to the command that the next session begins with. */
import { statSync } from 'node:fs'
import type { Wanted } from '../kit/commands/command.ts'
import type { Session } from '../session/session.ts'
import type { RunCommand } from './args.ts'

/** undefined: the person has left. */
export function following(command: RunCommand, wanted: Wanted, session: Session): RunCommand | undefined {
  const { continue: _, resume: __, fork: ___, ...fresh } = command
  const next = { ...fresh, prompt: [] }
  switch (wanted.type) {
    case 'leave':
      return undefined
    case 'new session':
      return next
    case 'session':
      return { ...next, resume: wanted.id }
    case 'trust':
      return { ...next, ...(isKept(session) && { resume: session.id }) }
    case 'fork':
      return { ...next, ...(isKept(session) && { fork: session.id }) }
    case 'model':
      return {
        ...next,
        model: wanted.name,
        ...(wanted.prompt !== undefined && { prompt: [wanted.prompt] }),
        ...(isKept(session) && { resume: session.id }),
      }
  }
}

/** Nothing is kept of a session in which nothing was said, nor of one that the disk refused. */
export const isKept = ({ sessionFile, messages }: Session): boolean =>
  sessionFile !== undefined &&
  messages.length > 0 &&
  (statSync(sessionFile, { throwIfNoEntry: false })?.size ?? 0) > 0
