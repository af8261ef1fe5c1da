/** What a session gives a run: its rooms, as the loop knows them. */
import type { RunEvent, RunParts } from '../agent/run.ts'
import type { Steering } from '../agent/steering.ts'
import type { Connecting } from './connection.ts'
import type { Gauge } from './gauge.ts'
import type { Idle } from './idle.ts'
import type { Mentions } from './mentions.ts'
import type { SessionParts } from './parts.ts'
import type { Progress } from './progress.ts'
import type { Recorder } from './recorder.ts'
import { asMessage } from './waiting.ts'

export interface RunRooms {
  parts: SessionParts
  connecting: Connecting
  idle: Idle
  progress: Progress
  recorder: Recorder
  steering: Steering
  mentions: Mentions
  /** The gauge of the model that is talked to. */
  gauge(): Gauge
  /** The session's journal begins, if it has not yet. */
  begin(): void
}

export function runParts(
  { parts, connecting, idle, progress, recorder, steering, mentions, gauge }: RunRooms,
  { maxTurns }: Pick<RunParts, 'maxTurns'>,
): RunParts {
  return {
    ...parts,
    steering,
    asSent: (words, signal) => mentions.asSent(asMessage(words), words.typed, signal),
    maxTurns,
    history: recorder.history,
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
