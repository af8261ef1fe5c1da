/** The files that the editor has open, for the session's tools. Where it offers nothing, the disk is what counts. */
import type { AgentContext, FileSystemCapabilities } from '@agentclientprotocol/sdk'
import { ToolError } from '../protocol/errors.ts'
import { messageOf } from '../text/message-of.ts'
import type { Buffers } from '../tools/buffers.ts'
import { type Bases, editorsPath } from './paths.ts'

/** Milliseconds after which an editor that does not answer is not waited for: the disk has the file, too. */
const PATIENCE = 5_000

/** undefined: the editor offers none. `sessionId`: as the editor calls the session. */
export function editorFiles(
  editor: AgentContext,
  { fs, sessionId, bases }: { fs: FileSystemCapabilities | undefined; sessionId(): string; bases: Bases },
): Buffers | undefined {
  const { readTextFile: reads, writeTextFile: writes } = fs ?? {}
  if (!reads && !writes) return undefined
  /** Files of which the editor gave lines that end without a carriage return. */
  const plainEnds = new Set<string>()
  const pathOf = (real: string, offered: boolean | undefined) =>
    offered ? editorsPath(real, bases) : undefined

  async function read(path: string): Promise<string | undefined> {
    const answer = await inTime(editor.request('fs/read_text_file', { sessionId: sessionId(), path }))
    return answer?.content
  }

  async function write(path: string, content: string): Promise<void> {
    try {
      await editor.request('fs/write_text_file', { sessionId: sessionId(), path, content })
    } catch (error) {
      throw new ToolError(`The editor did not take the change of ${path}: ${messageOf(error)}`)
    }
  }

  return {
    async read(real) {
      const path = pathOf(real, reads ?? false)
      const text = path === undefined ? undefined : await read(path)
      if (text?.includes('\r')) plainEnds.delete(real)
      else if (text !== undefined) plainEnds.add(real)
      return text
    },
    async write(real, text) {
      const path = pathOf(real, writes ?? false)
      if (path === undefined) return false
      // It puts its own line ends where the file had some.
      const content = plainEnds.has(real) ? text.replaceAll('\r\n', '\n') : text
      await write(path, content)
      // Some editors end the last line a second time.
      const isEnded = reads && content.endsWith('\n') && (await read(path)) === `${content}\n`
      if (isEnded) await write(path, content.slice(0, -1))
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
