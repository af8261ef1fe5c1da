/** From bytes to text, whatever the server says they are. */
import type { Buffer } from 'node:buffer'

/** Bytes in which a page names its characters. */
const headBytes = 1024

/** undefined: it is no text. `type`: the content type; `isCut`: its last character may be half. */
export function decode(bytes: Buffer, { type, isCut }: { type: string; isCut: boolean }): string | undefined {
  const decoded = (label: string, fatal = false) => decodedAs(label, bytes, { fatal, stream: isCut })
  const mark = markOf(bytes)
  if (mark === undefined && bytes.subarray(0, 4096).includes(0)) return undefined
  const declared = /charset\s*=\s*"?([\w.:-]+)/i.exec(type)?.[1] ?? named(bytes)
  // Marks are always right; what is declared may be wrong, and only UTF-8 can be seen to be.
  const isUtf8 = decoded('utf-8', true)
  if (mark !== undefined) return decoded(mark)
  if (declared !== undefined && !/^utf-?8$/i.test(declared)) {
    const text = isUtf8 !== undefined && bytes.some(byte => byte > 127) ? isUtf8 : decoded(declared)
    if (text !== undefined) return text
  }
  return isUtf8 ?? decoded('windows-1252')
}

function markOf(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8'
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined
}

const named = (bytes: Buffer): string | undefined =>
  /<meta[^>]+charset\s*=\s*["']?([\w.:-]+)/i.exec(bytes.toString('latin1', 0, headBytes))?.[1]

/** undefined: nobody knows these characters, or, where that counts, they are others. */
function decodedAs(
  label: string,
  bytes: Buffer,
  { fatal, stream }: { fatal: boolean; stream: boolean },
): string | undefined {
  try {
    return new TextDecoder(label, { fatal }).decode(bytes, { stream })
  } catch {
    return undefined
  }
}
