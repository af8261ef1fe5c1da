/** What the loop says to the model. The words stand in prompts/errors.md. */
import errors from '../../prompts/errors.md'
import type { Unreadable } from '../dialect/dialect.ts'
import type { UserMessage } from '../protocol/messages.ts'
import { fill, sections } from '../text/fill.ts'
import type { RunParts } from './run.ts'

const texts = () =>
  sections(errors, [
    'unreadable',
    'malformed_call',
    'unknown_tool',
    'repeated',
    'denied',
    'denied_because',
    'not_run',
    'cancelled',
    'aborted',
  ])

export const toolNames = (parts: RunParts): string => parts.tools.map(tool => tool.name).join(', ')

export const unreadableNote = (parts: RunParts, { detail }: Unreadable): string =>
  fill(texts().unreadable, { problem: detail, tools: toolNames(parts) })

export const malformedNote = (parts: RunParts): string =>
  fill(texts().malformed_call, { tools: toolNames(parts) })

export const unknownTool = (parts: RunParts, name: string): string =>
  fill(texts().unknown_tool, { name, tools: toolNames(parts) })

export const repeatedNote = (times: number): string => fill(texts().repeated, { times })

export const denied = (why: string): string => fill(texts().denied, { why })

export const deniedBecause = (words: string): string => fill(texts().denied_because, { words })

/** What a call is answered with that was not run, or not to its end, because the user stepped in. */
export const notRun = (): string => texts().not_run
export const cancelled = (): string => texts().cancelled
export const aborted = (): string => texts().aborted

/** A message of ours to the model, in the user's role. `shown` is empty: the person typed nothing. */
export const note = (parts: RunParts, content: string): { type: 'message' } & UserMessage => ({
  type: 'message',
  id: parts.newId(),
  role: 'user',
  content,
  shown: '',
})
