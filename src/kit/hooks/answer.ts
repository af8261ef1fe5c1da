/** What a hook's program says: by its exit code, or as JSON on its standard output. */
import { isRecord } from '../../text/record.ts'
import type { Ended } from '../program.ts'
import type { HookEvent } from './entries.ts'

export interface Answer {
  decision?: 'allow' | 'ask' | 'deny'
  /** Why: for the model and the person. */
  reason?: string
  /** In place of a call's arguments. */
  arguments?: Record<string, unknown>
  /** For the model. */
  context?: string
  /** For the person. */
  message?: string
}

/** Whose standard output is for the model where it is no JSON. */
const PLAIN: ReadonlySet<HookEvent> = new Set<HookEvent>(['UserPromptSubmit', 'SessionStart'])

/** The answer, or why it is none. */
export function answerOf(
  { how, code, stdout, stderr }: Ended,
  event: HookEvent,
): Answer | { failed: string } {
  const plain = PLAIN.has(event)
  if (how === 'timeout') return { failed: 'timeout' }
  if (how !== 'exit') return { failed: stderr.trim() || how }
  if (code === 2) return { decision: 'deny', reason: stderr.trim() || 'exit 2' }
  if (code !== 0) return { failed: `exit ${code}${stderr.trim() === '' ? '' : `: ${stderr.trim()}`}` }
  const text = stdout.trim()
  if (!text.startsWith('{')) return plain && text !== '' ? { context: text } : {}
  try {
    const tree: unknown = JSON.parse(text)
    if (!isRecord(tree)) return {}
    // To end the whole run means there that it ends as it was about to.
    const ends = tree.continue === false && (event === 'Stop' || event === 'SubagentStop')
    return ends ? {} : fromJson(tree)
  } catch {
    return plain ? { context: text } : { failed: 'no JSON' }
  }
}

function fromJson(tree: Record<string, unknown>): Answer {
  const own = isRecord(tree.hookSpecificOutput) ? tree.hookSpecificOutput : {}
  const request = isRecord(own.decision) ? own.decision : {}
  const decision =
    tree.continue === false ? 'deny' : decisionOf(own.permissionDecision ?? request.behavior ?? tree.decision)
  const reason =
    textOf(own.permissionDecisionReason) ??
    textOf(request.message) ??
    textOf(tree.reason) ??
    (tree.continue === false ? textOf(tree.stopReason) : undefined)
  const changed = own.updatedInput ?? request.updatedInput
  const context = textOf(own.additionalContext)
  const message = textOf(tree.systemMessage)
  return {
    ...(decision && { decision }),
    ...(reason !== undefined && { reason }),
    ...(isRecord(changed) && { arguments: changed }),
    ...(context !== undefined && { context }),
    ...(message !== undefined && { message }),
  }
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined

/** `approve` and `block` are older words for it. */
function decisionOf(value: unknown): Answer['decision'] {
  if (value === 'allow' || value === 'approve') return 'allow'
  if (value === 'deny' || value === 'block') return 'deny'
  return value === 'ask' ? 'ask' : undefined
}
