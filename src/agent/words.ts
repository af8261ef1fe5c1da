/** What the loop says to the model. The texts are in prompts/errors.md. */
import errors from '../../prompts/errors.md'
import type { Unreadable } from '../dialect/dialect.ts'
import type { UserMessage } from '../protocol/messages.ts'
import type { WireTool } from '../protocol/wire.ts'
import { fill, sections } from '../text/fill.ts'
import { nearest } from '../text/nearest.ts'
import type { Echo } from './echo.ts'
import type { Repeat } from './limits.ts'
import type { Idle } from './promise.ts'
import type { Capabilities } from './run.ts'

type Repeated = Exclude<Repeat, { verdict: 'fine' }>

const texts = () =>
  sections(errors, [
    'unreadable',
    'example',
    'malformed_call',
    'go_on',
    'unknown_tool',
    'renamed',
    'talk',
    'repeated',
    'repeated_pair',
    'repeated_error',
    'repeated_text',
    'promised',
    'command_as_text',
    'not_together',
    'none_together',
    'denied',
    'denied_because',
    'changed',
    'not_run',
    'cancelled',
    'aborted',
  ])

const toolNames = (parts: Acting): string => parts.tools.list.map(tool => tool.name).join(', ')

/** What a call needs of all that a run can do; the rest only where a model wrote it. */
export type Acting = Pick<Capabilities, 'tools' | 'policy'> & Partial<Pick<Capabilities, 'model' | 'context'>>

/** A call as this model has to write it: of the tool whose name is nearest, else of the first that needs an argument. */
function example({ model }: Partial<Pick<Capabilities, 'model'>>, name: string | undefined): string {
  if (!model) return ''
  const { dialect, wireTools } = model.setup()
  const near = name === undefined ? undefined : nearest(name, wireTools.map(toolName))
  const tool = wireTools.find(tool => toolName(tool) === near) ?? wireTools.find(takesPath) ?? wireTools[0]
  return tool ? fill(texts().example, { call: dialect.example(tool) }) : ''
}

const toolName = (tool: WireTool): string => tool.function.name
const takesPath = (tool: WireTool): boolean => tool.function.parameters.required.includes('path')

export const unreadableNote = (parts: Capabilities, { kind, detail }: Unreadable): string => {
  const name = kind === 'unknown_tool' ? /"([^"]*)"/.exec(detail)?.[1] : undefined
  const shown = kind === 'swallowed' ? '' : example(parts, name)
  return fill(texts().unreadable, { problem: detail, tools: toolNames(parts), example: shown }).trim()
}

export const malformedNote = (parts: Capabilities): string =>
  fill(texts().malformed_call, { tools: toolNames(parts) })

/** After what was said of a reply that broke off. */
export const goOnNote = (): string => texts().go_on

export const unknownTool = (parts: Acting, name: string): string =>
  fill(texts().unknown_tool, { name, tools: toolNames(parts), example: example(parts, name) }).trim()

export const renamedNote = (wrote: string, name: string): string => fill(texts().renamed, { wrote, name })

export const talkNote = (): string => texts().talk

export const repeatedNote = ({ kind, times }: Pick<Repeated, 'kind' | 'times'>): string =>
  fill(texts()[({ call: 'repeated', pair: 'repeated_pair', error: 'repeated_error' } as const)[kind]], {
    times,
  })

export const echoNote = ({ times, text }: Echo): string => fill(texts().repeated_text, { times, text })

/** For a reply that left undone what it spoke of. */
export const idleNote = (idle: Idle): string =>
  idle.kind === 'promise'
    ? texts().promised
    : fill(texts().command_as_text, { command: JSON.stringify(idle.command) })

/** For a call that was not run because others on the same file could not be; `failing` undefined: for one of those. */
export const notTogether = (failing: readonly number[] | undefined, calls: number): string =>
  failing
    ? fill(texts().not_together, { which: failing.join(', '), calls })
    : fill(texts().none_together, { calls })

export const denied = (why: string): string => fill(texts().denied, { why })

export const deniedBecause = (words: string): string => fill(texts().denied_because, { words })

/** Before the result of a call that the person changed. */
export const changed = (command: string): string => fill(texts().changed, { command })

/** The answer to a call that was not run, or not to its end, because the user stepped in. */
export const notRun = (): string => texts().not_run
export const cancelled = (): string => texts().cancelled
export const aborted = (): string => texts().aborted

/** A message of ours to the model, in the user's role. `shown` is empty: the person typed nothing. */
export const note = (parts: Capabilities, content: string): { type: 'message' } & UserMessage => ({
  type: 'message',
  id: parts.context.newId(),
  role: 'user',
  content,
  shown: '',
})
