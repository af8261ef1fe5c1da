/** What a session leaves in files beside its journal, and when what others left is removed. */
import { mkdir, rm } from 'node:fs/promises'
import { makeTemporary, removeForgotten } from '../paths/temporary.ts'
import type { Session } from '../session/session.ts'
import { removeAllStrays } from '../session/strays.ts'

/** Where output that is too long for the model is kept: with the session, or for its life only. */
export function scratchDirectory(kept: string | undefined) {
  let temporary: string | undefined
  return {
    async make(): Promise<string> {
      if (kept === undefined) return (temporary ??= makeTemporary('output'))
      await mkdir(kept, { recursive: true, mode: 0o700 })
      return kept
    },
    async remove(): Promise<void> {
      if (temporary !== undefined) await rm(temporary, { recursive: true, force: true })
    },
  }
}

/** When the first run is over: nobody waits then. */
export function tidyLater(session: Session, sessions: string): void {
  const unsubscribe = session.subscribe(({ type }) => {
    if (type !== 'agent_end') return
    unsubscribe()
    for (const saved of removeAllStrays(sessions)) session.notice(saved)
    void removeForgotten()
  })
}
