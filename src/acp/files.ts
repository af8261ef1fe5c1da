/** The files that the editor has open, for the session's tools. Where it offers nothing, the disk is what counts. */
import type { AgentContext, FileSystemCapabilities } from '@agentclientprotocol/sdk'
import { ToolError } from '../protocol/errors.ts'
import { messageOf } from '../text/message-of.ts'
import type { Buffers } from '../tools/buffers.ts'
import { type Bases, editorsPath } from './paths.ts'

/** Milliseconds after which an editor that does not answer is not waited for: the disk has the file, too. */
const PATIENCE = 5_000

export interface EditorFiles extends Buffers {}

/** undefined: the editor offers none. `sessionId`: as the editor calls the session. */
export function editorFiles(
  editor: AgentContext,
  { fs, sessionId, bases }: { fs: FileSystemCapabilities | undefined; sessionId(): string; bases: Bases },
): EditorFiles | undefined {
  const { readTextFile: reads, writeTextFile: writes } = fs ?? {}
  if (!reads && !writes) return undefined
  /** Files of which the editor gave lines that end without a carriage return. */
  const plainEnds = new Set<string>()
  return {
    async read(real) {
      const path = editorsPath(real, bases)
      if (!reads || path === undefined) return undefined
      const asked = editor.request('fs/read_text_file', { sessionId: sessionId(), path })
      const answer = await inTime(asked)
      if (answer === undefined) return undefined
      if (!answer.content.includes('\r')) plainEnds.add(real)
      else plainEnds.delete(real)
      return answer.content
    },
    async write(real, text) {
      const path = editorsPath(real, bases)
      if (!writes || path === undefined) return false
      // It puts its own line ends where the file had some.
      const content = plainEnds.has(real) ? text.replaceAll('\r\n', '\n') : text
      try {
        await editor.request('fs/write_text_file', { sessionId: sessionId(), path, content })
      } catch (error) {
        throw new ToolError(`The editor did not take the change of ${path}: ${messageOf(error)}`)
      }
      return true
    },
  }
}

/** undefined: it failed, or nothing came in time. */
async function inTime<T>(work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>(resolve => {
    timer = setTimeout(() => resolve(undefined), PATIENCE)
  })
  return Promise.race([work.catch(() => undefined), late]).finally(() => clearTimeout(timer))
}
