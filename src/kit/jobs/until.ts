/** A goal that takes several runs: they go on until a command of the person's passes. */
import texts from '../../../prompts/until.md'
import type { RunReason } from '../../protocol/events.ts'
import type { Session } from '../../session/session.ts'
import { fill } from '../../text/fill.ts'
import { firstErrors } from '../../text/first-errors.ts'
import type { Desk, Running } from '../commands/command.ts'

interface Goal {
  command: string
  /** Turns in all. */
  most: number
  /** Used so far. */
  turns: number
  /** Before each round: turns that are left. */
  fails(left: number): void
  ask(text: string, left: number): Promise<{ reason: RunReason; turns: number }>
  /** Where the command runs. */
  running(): Running
}

/** → how it ended: `done`: the command passes. `refused`: it may not run. */
export async function untilPasses(
  session: Session,
  { command, most, turns: used, fails, ask, running }: Goal,
): Promise<{ reason: RunReason; refused?: string }> {
  for (let turns = used; ; ) {
    const { signal, onOutput, end: ended } = running()
    const ran = await session.shell.run(command, { forModel: false, signal, onOutput })
    ended('refused' in ran ? undefined : ran)
    if ('refused' in ran) return { reason: 'permission', refused: ran.refused?.message ?? '' }
    if (signal.aborted) return { reason: 'aborted' }
    if (!ran.is_error) return { reason: 'done' }
    const left = most - turns
    if (left <= 0) return { reason: 'limit' }
    fails(left)
    const text = fill(texts, { command, output: firstErrors(ran.content) }).trim()
    const end = await ask(text, left)
    turns += Math.max(1, end.turns)
    if (end.reason !== 'done' && end.reason !== 'limit') return { reason: end.reason }
  }
}

/** `/until COMMAND`: ends with Esc, as every run. */
export async function until(
  { session, words, say, refuse, prompt, runs }: Desk,
  command: string,
): Promise<void> {
  const { until: said } = words.doing
  const { reason, refused } = await untilPasses(session, {
    ...{ command, most: session.maxTurns, turns: 0 },
    running: () => runs(command),
    fails: left => say(said.fails(command, left)),
    ask(text) {
      const end = new Promise<{ reason: RunReason; turns: number }>(resolve => {
        const unsubscribe = session.subscribe(event => {
          if (event.type !== 'agent_end') return
          unsubscribe()
          // The session is at rest only after its listeners.
          setImmediate(() => resolve(event))
        })
      })
      prompt(text, said.shown(command))
      return end
    },
  })
  if (refused !== undefined) refuse(said.refused(command, refused))
  else if (reason === 'done') say(said.passes(command))
  else if (reason === 'limit') refuse(said.limit(command))
}
