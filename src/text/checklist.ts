import { fieldsOf } from './record.ts'
import { sanitize } from './sanitize.ts'

const SIGNS: Readonly<Record<string, string>> = { done: '☑', doing: '◐' }

/** The list of things to do in a result's details, a line each; undefined: there is none. */
export function checklist(details: unknown): string[] | undefined {
  const { todo } = fieldsOf(details)
  if (!Array.isArray(todo)) return undefined
  return todo
    .map(fieldsOf)
    .map(({ text, state }) => `${SIGNS[String(state)] ?? '☐'} ${sanitize(String(text))}`)
}
