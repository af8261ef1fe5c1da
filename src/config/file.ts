/** Reading a config file; what stands in it is nobody's business here. */
import { readFileSync, statSync } from 'node:fs'

/** Far more than anybody writes by hand; a bigger file is something else. */
const MOST_BYTES = 1024 * 1024

export type FileContent = { text: string } | { absent: true } | { problem: string }

/** Never throws and never blocks: FIFOs and devices are refused. `problem` is a whole sentence. */
export function readConfigFile(file: string): FileContent {
  try {
    const stat = statSync(file, { throwIfNoEntry: false })
    if (stat === undefined) return { absent: true }
    if (stat.isDirectory()) return { problem: `${file}: expected a file, came a directory` }
    if (!stat.isFile()) return { problem: `${file}: expected a file, came a device, pipe or socket` }
    if (stat.size > MOST_BYTES) {
      return { problem: `${file}: expected at most 1 MB, came ${(stat.size / MOST_BYTES).toFixed(1)} MB` }
    }
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file)) }
  } catch (error) {
    // A file stands where a directory should be: nothing can lie in it.
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return { absent: true }
    return { problem: `${file}: ${reason(error)}` }
  }
}

function reason(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'EACCES' || code === 'EPERM')
    return 'gopi may not read this file; change its permissions or move it'
  if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return 'expected UTF-8 text, came other bytes'
  return `this file cannot be read: ${message}`
}
