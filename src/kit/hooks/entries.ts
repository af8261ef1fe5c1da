/** `hooks:` of the configuration, in the shape of other assistants: event → groups with a matcher → commands. */
import type { Told } from '../../protocol/sayings.ts'
import { isRecord } from '../../text/record.ts'
import { told } from '../../words/sayings/told.ts'

const EVENTS = [
  ...(['PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'PermissionRequest', 'UserPromptSubmit'] as const),
  ...(['SessionStart', 'SessionEnd', 'Stop', 'SubagentStop', 'PreCompact', 'Notification'] as const),
] as const

export type HookEvent = (typeof EVENTS)[number]

export interface HookEntry {
  event: HookEvent
  /** undefined: whatever it is about. */
  matcher: RegExp | undefined
  command: string
  /** Milliseconds. */
  timeout: number
  /** What fails or hangs blocks what it was asked about. */
  required: boolean
}

/** Milliseconds. */
const TIMEOUT = 10_000
/** The longest: a hook is waited for. */
const LONGEST = 600_000

/** `where`: the file and line of an event's hooks. What is wrong is a sentence, and left out. */
export function readHooks(
  hooks: Readonly<Record<string, unknown>>,
  where: (event: string) => string,
): { entries: HookEntry[]; refused: Told[] } {
  const entries: HookEntry[] = []
  const refused: Told[] = []
  for (const [event, groups] of Object.entries(hooks)) {
    const wrong = (what: string, expected: string) =>
      void refused.push(told('hook_entry', { place: where(event), what, expected }))
    if (!isEvent(event)) wrong(event, EVENTS.join(', '))
    else if (!Array.isArray(groups)) wrong(event, '[{ matcher, hooks: [{ type: command, command }] }]')
    else
      for (const group of groups) {
        const { matcher = '', hooks: commands } = isRecord(group) ? group : {}
        const pattern = matcherOf(matcher)
        if (pattern === null) wrong(`${event}.matcher`, 'Edit|Write')
        else if (!Array.isArray(commands)) wrong(`${event}.hooks`, '[{ type: command, command }]')
        else
          for (const one of commands) {
            const entry = entryOf(one)
            if (typeof entry === 'string') wrong(`${event}.hooks`, entry)
            else entries.push({ event, matcher: pattern, ...entry })
          }
      }
  }
  return { entries, refused }
}

const isEvent = (name: string): name is HookEvent => (EVENTS as readonly string[]).includes(name)

/** null: it is none. */
function matcherOf(matcher: unknown): RegExp | undefined | null {
  if (typeof matcher !== 'string') return null
  if (matcher === '' || matcher === '*') return undefined
  try {
    return new RegExp(`^(?:${matcher})$`)
  } catch {
    return null
  }
}

/** A text: what was expected. */
function entryOf(one: unknown): Omit<HookEntry, 'event' | 'matcher'> | string {
  if (!isRecord(one)) return '{ type: command, command }'
  const { type = 'command', command, timeout = TIMEOUT / 1_000, required = false } = one
  if (type !== 'command') return 'type: command'
  if (typeof command !== 'string' || command.trim() === '') return 'command: TEXT'
  if (typeof timeout !== 'number' || !(timeout > 0)) return 'timeout: SECONDS'
  if (typeof required !== 'boolean') return 'required: true'
  return { command, timeout: Math.min(timeout * 1_000, LONGEST), required }
}
