/** What a prompt brings with it: facts that changed, for the model, and instructions that changed, for the person. */
import { statSync } from 'node:fs'
import type { Instructions } from '../context/instructions.ts'
import { filesIn } from '../context/mentions.ts'
import { SeenFiles, toldSoFar, volatileNote, volatileNow } from '../context/volatile.ts'
import type { PermissionMode, SessionEvent } from '../protocol/events.ts'
import type { Message } from '../protocol/messages.ts'
import type { SessionParts } from '../session/session.ts'

export interface Asides {
  aside: SessionParts['aside']
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

  return {
    listen(event) {
      if (event.type === 'message') learn(event, Date.now())
    },
    aside(history) {
      const notices = [...watched].flatMap(([file, before]) => {
        const now = signature(file)
        watched.set(file, now)
        const message = `${file} has changed: that takes effect in a new session (/clear).`
        return now === before ? [] : [{ code: 'instructions', message }]
      })
      const changed = files.takeChanged(Date.now())
      const now = volatileNow(cwd, { now: new Date(), mode: mode() })
      return { note: volatileNote(now, toldSoFar(history), changed), notices }
    },
  }
}

function signature(file: string): string {
  const stats = statSync(file, { throwIfNoEntry: false })
  return stats ? `${stats.size} ${stats.mtimeMs}` : 'gone'
}
