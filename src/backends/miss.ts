/** Why the server read again what it should have had: the `miss` of a message's usage. */
import type { Told } from '../protocol/sayings.ts'
import { told } from '../words/sayings/told.ts'
import type { Reading } from './speed.ts'

/** What we changed in what was already sent. */
export type Changed = { what: 'tools' | 'system' } | { what: 'message'; index: number; role: string }

export interface MissFacts {
  reading: Pick<Reading, 'reloaded' | 'missed'>
  /** False for the first request of a conversation: nothing of it could be there. */
  known: boolean
  changed?: Changed | undefined
  /** Another conversation of the session used the model in between. */
  besides: boolean
}

/** For the person; undefined when nothing was read in vain, or nobody can tell. */
export function missReason({ reading, known, changed, besides }: MissFacts): Told | undefined {
  if (!known) return undefined
  if (changed?.what === 'message') return told('miss.message', { index: changed.index, role: changed.role })
  if (changed) return told(`miss.${changed.what}`, {})
  if (reading.reloaded) return told('miss.reloaded', {})
  if (!reading.missed) return undefined
  return told(besides ? 'miss.besides' : 'miss.unknown', {})
}
