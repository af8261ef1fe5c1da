/** What the person is told beside the conversation: where, with which model, how full the context is, what happens now. */
import type { PermissionMode, Phase, SessionEvent } from '../protocol/events.ts'
import type { Usage } from '../protocol/messages.ts'

export interface Status {
  /** As it is shown: home as `~`. */
  readonly directory: string
  readonly branch?: string
  /** Empty until it is known. */
  readonly model: string
  readonly dialect?: string
  readonly mode: PermissionMode
  /** Tokens that a conversation may fill; undefined until the model is known. */
  readonly limit?: number
  readonly usage?: Usage
  readonly phase: Stage
  /** A run goes on. */
  readonly running: boolean
  readonly warnings: readonly Warning[]
}

/** What the person should not forget while they work. */
export type Warning = 'demo' | 'untrusted' | 'noServer'

export interface Stage {
  readonly name: Phase
  /** Of performance.now(). */
  readonly since: number
  readonly tokens?: number
  /** How long it will take in all, as far as this machine is known. */
  readonly etaMs?: number
}

/** `now`: performance.now(), ms. */
export function statusAfter(status: Status, event: SessionEvent, now: number): Status {
  switch (event.type) {
    case 'phase': {
      const { phase: name, tokens, eta_ms: etaMs } = event
      // A wait of which more becomes known goes on.
      const since = status.phase.name === 'waiting' && name !== 'idle' ? status.phase.since : now
      return {
        ...status,
        running: name !== 'idle',
        phase: {
          name,
          since,
          ...(tokens !== undefined && { tokens }),
          ...(etaMs !== undefined && { etaMs }),
        },
      }
    }
    case 'agent_end':
      return { ...status, running: false, phase: { name: 'idle', since: now } }
    case 'message':
      return event.role === 'assistant' ? answered(status, event.usage) : status
    case 'compaction':
      return status.usage
        ? { ...status, usage: { ...status.usage, context_tokens: event.token_after } }
        : status
    case 'model_change':
      return without({ ...status, model: event.model, dialect: event.tool_calling }, 'noServer')
    case 'error':
      return event.code === 'no_server' ? warned(status, 'noServer') : status
    case 'mode_change':
      return { ...status, mode: event.mode }
    default:
      return status
  }
}

function answered(status: Status, usage: Usage | undefined): Status {
  return without(usage ? { ...status, usage } : status, 'noServer')
}

export function warned(status: Status, warning: Warning): Status {
  return status.warnings.includes(warning) ? status : { ...status, warnings: [...status.warnings, warning] }
}

function without(status: Status, warning: Warning): Status {
  if (!status.warnings.includes(warning)) return status
  return { ...status, warnings: status.warnings.filter(other => other !== warning) }
}
