/** `-p --until COMMAND`: rounds until the command passes, or the turns are used up. */
import { untilPasses } from '../kit/jobs/until.ts'
import type { RunResult, Session } from '../session/session.ts'
import type { Words } from '../words/words.ts'
import { say } from './say.ts'

interface Options {
  command: string
  words: Words
  run(prompt: string, options: { work: Promise<RunResult> }): Promise<RunResult>
  signal: AbortSignal
}

/** → the last round's result; its reason says how it ended. */
export async function untilPrinted(
  session: Session,
  first: RunResult,
  { command, words, run, signal }: Options,
): Promise<RunResult> {
  const { until: said } = words.doing
  let result = first
  const { reason, refused } = await untilPasses(session, {
    ...{ command, most: session.maxTurns, turns: first.turns },
    running: () => ({ signal, onOutput() {}, end() {} }),
    fails: left => say(said.fails(command, left)),
    async ask(text, left) {
      result = await run(text, { work: session.prompt(text, { maxTurns: left }) })
      return result
    },
  })
  if (refused !== undefined) say(said.refused(command, refused))
  if (reason === 'limit') say(said.limit(command))
  return { ...result, reason }
}
