/** Commands in an editor: what a line that begins with `/` or `!` does, and what a plan is followed by. */
import type { SessionUpdate } from '@agentclientprotocol/sdk'
import type { Command, Desk, Host, Place, Running, Wanted } from '../kit/commands/command.ts'
import { helpText, obey, offered } from '../kit/commands/obey.ts'
import { changesText } from '../kit/jobs/lines.ts'
import { followPlan } from '../kit/jobs/plan.ts'
import type { Kit } from '../kit/kit.ts'
import type { PermissionMode } from '../protocol/events.ts'
import type { Thinking } from '../protocol/wire.ts'
import type { RunResult, Session } from '../session/session.ts'
import type { ACP_EN } from '../words/acp-en.ts'
import { explain } from '../words/explain.ts'
import type { Words } from '../words/words.ts'
import type { Asking } from './asking.ts'
import type { Updates } from './updates.ts'

/** Where a command is typed. */
export interface At {
  session: Session
  kit: Kit
  place: Place
  words: Words
  own: typeof ACP_EN
  asking: Asking
  updates: Updates
  commands: readonly Command[]
  /** The person takes it all back. */
  signal: AbortSignal
  examine(): Promise<string>
  models(): Promise<string[]>
  setMode(mode: PermissionMode): void
  setThink(think: Thinking): void
  setModel(model: string): Promise<void>
  setAgent(name: string): Promise<void>
  askTrust(): Promise<void>
  /** Default: the editor has no terminals. */
  elsewhere: Desk['elsewhere']
}

type Work = Promise<RunResult | undefined>

/** An editor has its own ways to begin and to end conversations, and to choose one. */
const EDITORS: ReadonlySet<string> = new Set(['clear', 'fork', 'quit', 'resume'])

/** Those that are offered in an editor. */
const offeredAt = (at: At): Command[] =>
  offered(
    at.commands,
    hostAt(at, () => {}),
  ).filter(({ name }) => !EDITORS.has(name))

/** The commands, for the editor to complete. */
export function commandsUpdate(at: At): SessionUpdate {
  const availableCommands = offeredAt(at).map(({ name, words }) => {
    const { does: description, argument: hint } = words(at.words)
    return { name, description, ...(hint !== undefined && { input: { hint } }) }
  })
  return { sessionUpdate: 'available_commands_update', availableCommands }
}

/** What comes of a line; undefined: it is words for the model. */
export function commandWork(line: string, at: At): Work | undefined {
  if (!line.startsWith('/')) return undefined
  let work: Work = Promise.resolve(undefined)
  const host = hostAt(at, begun => {
    work = worked(begun, at)
  })
  return obey(line, at.commands, host) ? work : undefined
}

/** `!command` and `!!command`. */
export async function shellWork(line: string, at: At): Work {
  const { shell } = await import('../kit/jobs/shell.ts')
  return worked(
    atDesk(at, desk => shell(desk, line)),
    at,
  )
}

/** What went wrong is said. */
const worked = (work: Work, { updates, words }: At): Work =>
  work.catch(error => {
    updates.say(explain(words, error), 'error')
    return undefined
  })

/** A plan is carried out, or not. */
export const planWork = (plan: string, at: At): Work => atDesk(at, desk => followPlan(desk, plan))

function hostAt(at: At, begin: (work: Work) => void): Host {
  const { session, words, own, updates } = at
  const say = (sentence: string) => updates.say(sentence)
  const quiet = (work: Promise<unknown>) => begin(work.then(() => undefined))
  const host: Host = {
    words,
    get running() {
      return session.isStreaming
    },
    say,
    refuse: sentence => updates.say(sentence, 'warning'),
    help: () => say(helpText(offeredAt(at), words)),
    list(purpose) {
      if (purpose === 'model') quiet(at.models().then(names => updates.show(names.join('\n'))))
      else if (purpose === 'mode')
        say(words.notices.mode(words.modes[session.mode].name, words.modes[session.mode].does))
    },
    prompt: text => begin(session.steer(text, { typed: text })),
    later: text => begin(session.followUp(text, { typed: text })),
    stop: () => session.abort(),
    compact: hint =>
      quiet(
        session.compact(hint === '' ? undefined : hint).then(worked => {
          if (!worked) say(words.notices.nothingToCompact)
        }),
      ),
    mode(mode) {
      try {
        at.setMode(mode)
        say(words.notices.mode(words.modes[mode].name, words.modes[mode].does))
      } catch (error) {
        updates.say(explain(words, error), 'warning')
      }
    },
    think(level) {
      at.setThink(level)
      say(words.notices.thinking(level))
    },
    examine: () => quiet(at.examine().then(text => updates.show(text))),
    end: wanted => quiet(ended(wanted)),
    work: job => begin(atDesk(at, job)),
  }

  async function ended(wanted: Wanted): Promise<void> {
    if (wanted.type === 'model') await at.setModel(wanted.name)
    else if (wanted.type === 'trust') await at.askTrust()
    else updates.say(own.inEditor, 'warning')
  }
  return host
}

/** → the result of the run that the job has begun. */
async function atDesk(at: At, job: (desk: Desk) => Promise<void>): Work {
  const { session, words, place, asking, updates, own, signal, elsewhere } = at
  let run: Promise<RunResult> | undefined
  let further: Promise<unknown> = Promise.resolve()
  const desk: Desk = {
    ...{ session, words, place, isTyped: true, lend: undefined, elsewhere },
    show: text => updates.show(text),
    tells: title => {
      updates.show(title)
      let said = ''
      return {
        add: piece => void (said += piece),
        end: (whole = said) => whole.trim() !== '' && updates.show(whole),
      }
    },
    showChanges: changes => updates.show(changesText(changes, words)),
    say: sentence => updates.say(sentence),
    note: sentence => updates.say(sentence),
    refuse: sentence => updates.say(sentence, 'warning'),
    confirm: (title, text) => asking.confirm(title, text, signal),
    choose: (title, choices) => asking.choose(title, choices, signal),
    prompt: (text, shown) => void (run = session.prompt(text, shown === undefined ? {} : { shown })),
    put: text => updates.say(words.doing.wasTyped(text)),
    during(doing, run) {
      updates.say(doing)
      return run(signal)
    },
    runs: command => runs(command, at),
    end(wanted) {
      if (wanted.type === 'model') further = at.setModel(wanted.name)
      else if (wanted.type === 'agent') further = at.setAgent(wanted.name)
      else if (wanted.type === 'trust') further = at.askTrust()
      else updates.say(own.inEditor, 'warning')
    },
  }
  await job(desk)
  await further
  return run
}

let ran = 0

/** A command of the person's, shown as a call. */
function runs(command: string, { updates, signal }: At): Running {
  const tool_call_id = `shell-${++ran}`
  const timestamp = ''
  const name = 'bash'
  updates.listen({ type: 'tool_call_start', tool_call_id, name, arguments: { command }, timestamp })
  return {
    signal,
    onOutput: text => updates.listen({ type: 'tool_output', tool_call_id, text }),
    end(result = { content: '', is_error: true, details: undefined }) {
      const message = { role: 'tool', id: tool_call_id, tool_call_id, tool_name: name } as const
      updates.listen({ type: 'message', ...message, ...result, timestamp })
    },
  }
}
