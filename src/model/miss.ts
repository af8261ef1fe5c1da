/** Why the server read again what it should have had: the `miss` of a message's usage. */
import type { Reading } from './speed.ts'

export interface MissFacts {
  reading: Pick<Reading, 'reloaded' | 'missed'>
  /** False for the first request of a conversation: nothing of it could be there. */
  known: boolean
  /** What we changed in what was already sent. */
  changed?: string | undefined
  prompt_tokens: number
  /** What the server says it has room for, in tokens. */
  context_length?: number | undefined
}

/** A sentence for the person, or undefined when nothing was read in vain, or nobody can tell. */
export function missReason({ reading, known, changed, ...facts }: MissFacts): string | undefined {
  if (!known) return undefined
  if (changed !== undefined) return `gopi changed ${changed}: everything from there on was read again`
  if (reading.reloaded) return 'the model was loaded anew: the server had forgotten the conversation'
  if (!reading.missed) return undefined
  const { prompt_tokens, context_length } = facts
  if (context_length !== undefined && context_length <= prompt_tokens) {
    return `the server's context of ${context_length} tokens is too small to keep the conversation`
  }
  return 'the server read the conversation again: another client has probably used the model in between'
}
