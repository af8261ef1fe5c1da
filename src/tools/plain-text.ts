/** Telling text from everything else. Tools work on UTF-8; what is not is named, with the way out. */
import type { FileHandle } from 'node:fs/promises'
import { ToolError } from '../protocol/errors.ts'
import { size } from '../text/truncate.ts'

/** A NUL so early says that a file is binary (git looks as far). */
const lookedAt = 8000

/** Throws a sentence when the file's beginning is not text. */
export async function refuseBinary(handle: FileHandle, shown: string, bytes: number): Promise<void> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(lookedAt), 0, lookedAt, 0)
  const start = buffer.subarray(0, bytesRead)
  const mark = bytesRead < 2 ? 0 : start.readUInt16BE()
  if (mark === 0xfffe || mark === 0xfeff) throw notUtf8(`${shown} is UTF-16 text`)
  if (start.includes(0)) {
    throw new ToolError(`${shown} is a binary file (${size(bytes)}); only text can be read or edited.`)
  }
}

/** undefined when the bytes are not UTF-8. A byte-order mark stays. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

export function notUtf8(what: string): ToolError {
  return new ToolError(
    `${what}; only UTF-8 can be read or edited. Convert it with bash: iconv -f LATIN1 -t UTF-8`,
  )
}
