/** What a prompt brings with it: facts that changed, for the model, and instructions that changed, for the person. */
import { statSync } from 'node:fs'
import type { PermissionMode, SessionEvent } from '../protocol/events.ts'
import type { Message } from '../protocol/messages.ts'
import type { Told } from '../protocol/sayings.ts'
import { told } from '../words/sayings/told.ts'
import type { Instructions } from './instructions.ts'
import { filesIn } from './mentions.ts'
import { SeenFiles, toldSoFar, volatileNote, volatileNow } from './volatile.ts'

export interface Asides {
  /** A note for the model at the end of a prompt, and what the person should hear. */
  aside(history: readonly Message[]): { note: string; notices: Told[] }
  /** That note as it is going to be, so far as it can be known before the prompt. Nothing counts as told by it. */
  foreseen(history: readonly Message[]): string
  /** Learns from the session's events which files the model has seen. */
  listen(event: SessionEvent): void
}

/** `resumed`: what the model had seen before, and when that session was written last (ms since 1970). */
export function asides(options: {
  cwd: string
  instructions: Instructions
  mode(): PermissionMode
  resumed: { history: readonly Message[]; at: number } | undefined
}): Asides {
  const { cwd, instructions, mode, resumed } = options
  const files = new SeenFiles(cwd)
  const watched = new Map(instructions.files.map(file => [file, signature(file)]))
  const learn = (message: Message, at: number) => {
    if (message.role === 'user') for (const { path } of filesIn(message)) files.saw(path, at)
    if (message.role !== 'tool' || message.is_error) return
    const { path } = (message.details ?? {}) as { path?: unknown }
    if (typeof path === 'string') files.saw(path, at)
  }
  for (const message of resumed?.history ?? []) learn(message, resumed?.at ?? 0)

  const factsNow = () => volatileNow(cwd, { now: new Date(), mode: mode() })

  return {
    listen(event) {
      if (event.type === 'message') learn(event, Date.now())
    },
    aside(history) {
      const notices = [...watched].flatMap(([file, before]) => {
        const now = signature(file)
        watched.set(file, now)
        return now === before ? [] : [told('instructions.changed', { file })]
      })
      const changed = files.takeChanged(Date.now())
      return { note: volatileNote(factsNow(), toldSoFar(history), changed), notices }
    },
    foreseen: history => volatileNote(factsNow(), toldSoFar(history)),
  }
}

function signature(file: string): string {
  const stats = statSync(file, { throwIfNoEntry: false })
  return stats ? `${stats.size} ${stats.mtimeMs}` : 'gone'
}
