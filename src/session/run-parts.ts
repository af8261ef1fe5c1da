/** What a session gives a run: its rooms, as the loop knows them. */
import type { RunEvent, RunParts } from '../agent/run.ts'
import type { Message } from '../protocol/messages.ts'
import type { Connecting } from './connection.ts'
import type { Gauge } from './gauge.ts'
import type { Idle } from './idle.ts'
import type { SessionParts } from './parts.ts'
import type { Progress } from './progress.ts'

export interface RunRooms {
  parts: SessionParts
  connecting: Connecting
  idle: Idle
  progress: Progress
  /** A live view. */
  history: readonly Message[]
  /** The gauge of the model that is talked to. */
  gauge(): Gauge
}

export function runParts(
  { parts, connecting, idle, progress, history, gauge }: RunRooms,
  { steering, maxTurns }: Pick<RunParts, 'steering' | 'maxTurns'>,
): RunParts {
  return {
    ...parts,
    steering,
    maxTurns,
    history,
    setup: () => connecting.known(),
    fallBack: error => connecting.fallBack(error),
    measure(request, answer) {
      const usage = gauge().answered(request, answer)
      if (usage) idle.prewarm.requestEnded()
      return usage
    },
    expectation: request => progress.expectation(request),
    makeRoom: (signal, options) => makeRoom(idle, signal, options),
    freeTokens: () => idle.freeTokens(),
  }
}

async function* makeRoom(
  idle: Idle,
  signal: AbortSignal,
  options: { refused: boolean },
): AsyncGenerator<RunEvent, boolean> {
  if (signal.aborted || (!options.refused && idle.fits())) return false
  const room = await idle.makeRoom(signal, options).catch(error => {
    if (!signal.aborted) throw error
  })
  if (!room) return false
  yield room.entry
  for (const notice of room.notices) yield { type: 'notice', ...notice }
  return true
}
