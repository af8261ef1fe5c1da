/** From what a person wants next to the command that the next session begins with. */
import { realpathSync, statSync } from 'node:fs'
import { keepFolderModel } from '../config/folder-model.ts'
import { gopiHome } from '../config/home.ts'
import type { Wanted } from '../kit/commands/command.ts'
import type { Session } from '../session/session.ts'
import type { RunCommand } from './args.ts'
import type { Started } from './begin.ts'

/** undefined: the person has left. */
export function following(command: RunCommand, wanted: Wanted, session: Session): RunCommand | undefined {
  const next = fresh(command)
  switch (wanted.type) {
    case 'leave':
      return undefined
    case 'new session':
      return next
    case 'session':
      return { ...next, resume: wanted.id }
    case 'trust':
      return { ...withAgent(next, session), ...(isKept(session) && { resume: session.id }) }
    case 'fork':
      return { ...withAgent(next, session), ...(isKept(session) && { fork: session.id }) }
    case 'agent':
      return { ...next, agent: wanted.name, ...(isKept(session) && { resume: session.id }) }
    case 'model':
      return {
        ...withModel(command, wanted.name, session),
        ...(wanted.prompt === undefined ? { chosen: true } : { prompt: [wanted.prompt] }),
      }
  }
}

/** The same conversation with this model. */
export const withModel = (command: RunCommand, model: string, session: Session): RunCommand => ({
  ...withAgent(fresh(command), session),
  model,
  ...(isKept(session) && { resume: session.id }),
})

/** A journal says itself who the session is. */
function withAgent({ agent: _, ...command }: RunCommand, session: Session): RunCommand {
  const { agent } = session
  return { ...command, ...(agent && !isKept(session) && { agent: agent.name }) }
}

function fresh({ continue: _, resume: __, fork: ___, ...command }: RunCommand): RunCommand {
  return { ...command, prompt: [] }
}

/** The model that the person chose is there: it is the folder's from now on. */
export function keepChosen(
  { chosen, model }: RunCommand,
  { session, isDemo }: Pick<Started, 'session' | 'isDemo'>,
): void {
  if (chosen && !isDemo && model !== undefined && session.model === model)
    keepFolderModel(gopiHome(process.env), realpathSync(process.cwd()), model)
}

/** Nothing is kept of a session in which nothing was said, nor of one that the disk refused. */
export const isKept = ({ sessionFile, messages }: Session): boolean =>
  sessionFile !== undefined &&
  messages.length > 0 &&
  (statSync(sessionFile, { throwIfNoEntry: false })?.size ?? 0) > 0
