/** `-p --output-schema`: the run, then its answer once more in the form that a JSON Schema demands. Loads zod. */
import { fromJSONSchema, prettifyError, safeParse } from 'zod'
import { UsageError } from '../protocol/errors.ts'
import type { Told } from '../protocol/sayings.ts'
import type { RunResult, Session, TypedOptions } from '../session/session.ts'
import { messageOf } from '../text/message-of.ts'
import { told } from '../words/sayings/told.ts'

export interface Form {
  schema: object
  /** What is wrong with a value; undefined: nothing. */
  problem(value: unknown): string | undefined
}

/** Throws `UsageError` for a text that is no JSON Schema. */
export function formOf(text: string, file: string): Form {
  try {
    const schema: object = JSON.parse(text)
    const type = fromJSONSchema(schema as Parameters<typeof fromJSONSchema>[0])
    return {
      schema,
      problem(value) {
        const checked = safeParse(type, value)
        return checked.success ? undefined : prettifyError(checked.error)
      },
    }
  } catch (error) {
    throw new UsageError(`${file}: expected a JSON Schema: ${messageOf(error)}`)
  }
}

/** Nothing of it may be taken for the answer. */
const unformed = (result: RunResult, problem: string) => ({
  result: { ...result, text: '', reason: 'error' as const },
  problem: told('answer.form', { problem }),
})

/** `problem`: why the answer is none. The result's text is the JSON, on one line. */
export async function answerIn(
  { schema, problem }: Form,
  session: Session,
  { prompt, typed }: TypedOptions & { prompt: string },
): Promise<{ result: RunResult; problem?: Told }> {
  const work = await session.prompt(prompt, { typed })
  if (work.reason !== 'done' && work.reason !== 'permission') return { result: work }
  const result = await session.answer(schema)
  if (result.reason !== 'done') return { result }
  const turns = work.turns + result.turns
  try {
    const value: unknown = JSON.parse(result.text)
    const wrong = problem(value)
    if (wrong !== undefined) return unformed(result, wrong)
    return { result: { ...result, turns, reason: work.reason, text: JSON.stringify(value) } }
  } catch (error) {
    return unformed(result, messageOf(error))
  }
}
