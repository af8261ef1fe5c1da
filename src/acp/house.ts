/** What the face is given from outside: how sessions are opened, and what is known of those of the past. */
import type { Writable } from 'node:stream'
import type { Place } from '../kit/commands/command.ts'
import type { Kit } from '../kit/kit.ts'
import type { Thinking } from '../protocol/wire.ts'
import type { Approve, Session } from '../session/session.ts'
import type { Buffers } from '../tools/buffers.ts'
import type { ACP_EN } from '../words/acp-en.ts'
import type { Words } from '../words/words.ts'

export interface Asked {
  /** A real path. */
  cwd: string
  /** Servers of tools that the editor names, as they would stand under `mcp` in config.yaml. */
  given: Readonly<Record<string, unknown>> | undefined
  approve: Approve
  goOn(turns: number, signal: AbortSignal): Promise<boolean>
  buffers: Buffers | undefined
  /** The id of the session to go on with. */
  resume?: string
  /** Of a new session. Default: any. */
  id?: string
  model?: string
  /** Who the session is, by name; undefined: as its journal says. Default: as gopi was started. */
  agent?: string | undefined
  /** What the person has said about the folder just now. */
  trust?: boolean
}

export interface Opened {
  session: Session
  kit: Kit
  place: Place
  words: Words
  own: typeof ACP_EN
  /** As configured; another may be found when the session is connected. */
  model: string
  think: Thinking
  /** Somebody configured mode yolo. */
  hasYolo: boolean
  /** Nobody has said yet whether the folder is trusted. */
  asksTrust: boolean
  /** Names; rejects with `RunError` where no server answers. */
  models(): Promise<string[]>
  /** The person chose it here. */
  keepModel(model: string): void
  examine(): Promise<string>
  /** It can be gone on with. */
  isKept(): boolean
  end(): Promise<void>
}

export interface PastOne {
  id: string
  cwd: string
  title: string
  modified: Date
}

export interface House {
  /** Where updates go: a run waits until they are taken. */
  output: Writable
  /** Before any session is there. */
  words: Words
  own: typeof ACP_EN
  open(asked: Asked): Promise<Opened>
  /** What the person is to know before they trust a folder; undefined: there is nothing to ask. */
  trustText(cwd: string, words: Words): Promise<string | undefined>
  keepTrust(cwd: string, trusted: boolean): Promise<void>
  /** The newest first; of one directory (a real path), or of all. */
  past(cwd: string | undefined): PastOne[]
  /** → the process that has it open, where it stays. */
  remove(id: string): number | undefined
}
