/** The commands of gopi itself, in the order in which they are listed. Their words stand in `words/` under their names. */
import type { CommandName } from '../../words/en-commands.ts'
import { clear } from './clear.ts'
import type { Behaviour, Command } from './command.ts'
import { compact } from './compact.ts'
import { copy } from './copy.ts'
import { doctor } from './doctor.ts'
import { fork } from './fork.ts'
import { help } from './help.ts'
import { later } from './later.ts'
import { mode } from './mode.ts'
import { model } from './model.ts'
import { mouse } from './mouse.ts'
import { plan } from './plan.ts'
import { quit } from './quit.ts'
import { resume } from './resume.ts'
import { stop } from './stop.ts'
import { theme } from './theme.ts'
import { think } from './think.ts'
import { trust } from './trust.ts'
import { working } from './working.ts'

const any = { argument: {} }
const atRest = { rests: true }
const rewinding = () => import('../jobs/rewind.ts')

const TABLE: Readonly<Record<CommandName, Behaviour>> = {
  ...{ help, model, mode, think, plan },
  agent: working(async () => (await import('../jobs/agent.ts')).agent, any),
  rewind: working(async () => (await rewinding()).rewind, { ...any, ...atRest }),
  undo: working(async () => (await rewinding()).undo, atRest),
  redo: working(async () => (await rewinding()).redo, atRest),
  retry: working(async () => (await import('../jobs/retry.ts')).retry, {
    argument: { of: 'model' },
    ...atRest,
  }),
  commit: working(async () => (await import('../jobs/git/commit.ts')).commit, { ...any, ...atRest }),
  review: working(async () => (await import('../jobs/git/review.ts')).review, { ...any, ...atRest }),
  'pr-message': working(async () => (await import('../jobs/git/pr-message.ts')).prMessage, {
    ...any,
    ...atRest,
  }),
  diff: working(async () => (await import('../jobs/diff.ts')).diff, atRest),
  image: working(async () => (await import('../jobs/image.ts')).image),
  btw: working(async () => (await import('../jobs/btw.ts')).btw, { argument: { isRequired: true } }),
  todo: working(async () => (await import('../jobs/todo.ts')).todo),
  tasks: working(async () => (await import('../jobs/tasks.ts')).tasks),
  background: working(async () => (await import('../jobs/tasks.ts')).background),
  until: working(async () => (await import('../jobs/until.ts')).until, {
    argument: { isRequired: true },
    ...atRest,
  }),
  verify: working(async () => (await import('../jobs/verify.ts')).verify, any),
  ...{ later, stop, compact },
  context: working(async () => (await import('../jobs/context.ts')).context),
  cost: working(async () => (await import('../jobs/cost.ts')).cost),
  sessions: working(async () => (await import('../jobs/sessions.ts')).sessions, any),
  ...{ resume, fork, clear },
  name: working(async () => (await import('../jobs/name.ts')).name, any),
  export: working(async () => (await import('../jobs/export.ts')).exportTo, any),
  init: working(async () => (await import('../jobs/init.ts')).init, atRest),
  config: working(async () => (await import('../jobs/config.ts')).config),
  ...{ copy, mouse, theme, trust, doctor, quit },
}

export const BUILT_IN: readonly Command[] = (Object.keys(TABLE) as CommandName[]).map(name => ({
  ...TABLE[name],
  name,
  words: ({ commands }) => commands[name],
}))
