/** What stands at the beginning of a journal: the header, and what a resume has to mend, before anything else. */
import type { Header, KeptAgent, PermissionMode } from '../protocol/events.ts'
import { told } from '../words/sayings/told.ts'
import { agentChange } from './agent.ts'
import type { ThreadRecord } from './recorder.ts'
import type { Replayed } from './replay.ts'

/** Damaged lines that are named. */
const mostLines = 20

export interface Beginning {
  id: string
  cwd: string
  mode(): PermissionMode
  /** Who was named for this start. */
  agent: KeptAgent | undefined
  resumed: Replayed | undefined
}

export function beginJournal(main: ThreadRecord, { id, cwd, mode, agent, resumed }: Beginning): void {
  const header: Header = { type: 'header', version: 1, id, cwd }
  // A journal that lost its first line gets one again.
  if (resumed?.id) main.show({ ...header, timestamp: new Date().toISOString() })
  else main.record(header)
  for (const repair of resumed?.repairs ?? []) main.recordRepair(repair)
  if (resumed && resumed.badLines.length > 0) {
    const lines = resumed.badLines.slice(0, mostLines).map(String)
    if (lines.length < resumed.badLines.length) lines.push('…')
    main.record({ type: 'notice', ...told('journal', { lines }) })
  }
  if (mode() !== (resumed?.mode ?? 'ask')) main.record({ type: 'mode_change', mode: mode() })
  if (agent) main.record(agentChange(agent, { begins: true }))
}
