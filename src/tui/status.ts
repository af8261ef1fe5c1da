/** What the person is told besides the conversation: where, with which model, how full the context is, what goes on. */
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
  /** The person has let all edits of this session run. */
  readonly editsRun?: boolean
  /** Tokens that a conversation may fill; undefined until the model is known. */
  readonly limit?: number
  readonly usage?: Usage
  readonly phase: Stage
  /** A run goes on. */
  readonly running: boolean
  readonly warnings: readonly Warning[]
  /** Commands have run in a sandbox: it is there, and holds. `hosts`: those that were in reach. */
  readonly wall?: { readonly hosts?: string }
  /** So many commands run in the background. */
  readonly background?: number
}

/** What the person should not forget while they work. */
export type Warning = 'demo' | 'untrusted' | 'noServer' | 'noModel' | 'noSandbox'

export interface Stage {
  readonly name: Phase | 'summary' | 'call'
  /** Of performance.now(). */
  readonly since: number
  readonly tokens?: number
  /** How long it will take in all, as far as this machine is known. */
  readonly etaMs?: number
  /** Pieces of the reply that have come in it, about a token each, and when the last one came. */
  readonly pieces?: number
  readonly flowedAt?: number
  /** The pieces that had come after so many milliseconds of it, as of a second ago at most: what a rate is told by. */
  readonly paced?: { readonly ms: number; readonly pieces: number }
}

/** Something that takes a while and is no run. */
export interface Work {
  readonly what: string
  /** What the server does for it, and with how many tokens. */
  readonly phase?: Phase
  readonly tokens?: number
  /** Of performance.now(). */
  readonly since: number
}

/** Milliseconds between two figures of a rate. */
const pace = 1000

/** In these the server has said something. */
const ANSWERING: ReadonlySet<Phase> = new Set(['loading', 'thinking', 'writing'])

/** `now`: performance.now(), ms. */
export function statusAfter(status: Status, event: SessionEvent, now: number): Status {
  switch (event.type) {
    case 'phase': {
      const { phase, tokens, eta_ms: etaMs } = event
      const name = event.what ?? phase
      // A wait of which more becomes known goes on.
      const since = status.phase.name === 'waiting' && name !== 'idle' ? status.phase.since : now
      return {
        ...(ANSWERING.has(phase) ? reached(status) : status),
        running: name !== 'idle',
        phase: {
          name,
          since,
          ...(tokens !== undefined && { tokens }),
          ...(etaMs !== undefined && { etaMs }),
        },
      }
    }
    case 'message_delta':
    case 'thinking_delta': {
      const { phase } = status
      const pieces = (phase.pieces ?? 0) + 1
      const ms = now - phase.since
      const isNew = ms - (phase.paced?.ms ?? 0) >= pace
      return {
        ...status,
        phase: { ...phase, pieces, flowedAt: now, ...(isNew && { paced: { ms, pieces } }) },
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
      return reached({ ...status, model: event.model, dialect: event.tool_calling })
    case 'read_ahead':
      return reached(status)
    case 'error':
      return unreached(status, event.code)
    case 'permission':
      return event.facts?.case === 'sandbox_read' || event.facts?.case === 'sandbox_work'
        ? { ...status, wall: { ...status.wall, ...hostsIn(event.facts) } }
        : status
    case 'notice':
      return event.facts?.case === 'sandbox_missing' ? warned(status, 'noSandbox') : status
    case 'background':
      return { ...status, background: event.running }
    case 'mode_change':
      return { ...status, mode: event.mode }
    default:
      return status
  }
}

const hostsIn = ({ hosts }: { hosts?: unknown }): { hosts?: string } =>
  typeof hosts === 'string' ? { hosts } : {}

function answered(status: Status, usage: Usage | undefined): Status {
  return reached(usage ? { ...status, usage } : status)
}

/** The server is there, and has the model. */
const reached = (status: Status): Status => without(without(status, 'noServer'), 'noModel')

/** What a failure says about the server and its model: of the two, one is missing. */
export function unreached(status: Status, code: string): Status {
  if (code === 'no_server') return warned(without(status, 'noModel'), 'noServer')
  return code === 'no_model' ? warned(without(status, 'noServer'), 'noModel') : status
}

function warned(status: Status, warning: Warning): Status {
  return status.warnings.includes(warning) ? status : { ...status, warnings: [...status.warnings, warning] }
}

function without(status: Status, warning: Warning): Status {
  if (!status.warnings.includes(warning)) return status
  return { ...status, warnings: status.warnings.filter(other => other !== warning) }
}
