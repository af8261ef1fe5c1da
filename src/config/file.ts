/** Reading a config file; what stands in it is nobody's business here. */
import { readFileSync, statSync } from 'node:fs'
import type { Told } from '../protocol/sayings.ts'
import { told } from '../words/sayings/told.ts'

/** Far more than anybody writes by hand; a bigger file is something else. */
const MOST_BYTES = 1024 * 1024

export type FileContent = { text: string } | { absent: true } | { problem: Told }

/** Never throws and never blocks: FIFOs and devices are refused. */
export function readConfigFile(file: string): FileContent {
  try {
    const stat = statSync(file, { throwIfNoEntry: false })
    if (stat === undefined) return { absent: true }
    if (stat.isDirectory()) return { problem: told('config_file.directory', { file }) }
    if (!stat.isFile()) return { problem: told('config_file.device', { file }) }
    if (stat.size > MOST_BYTES) {
      const megabytes = (stat.size / MOST_BYTES).toFixed(1)
      return { problem: told('config_file.too_big', { file, megabytes }) }
    }
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file)) }
  } catch (error) {
    // A file stands where a directory should be: nothing can lie in it.
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return { absent: true }
    return { problem: unreadable(file, error) }
  }
}

function unreadable(file: string, error: unknown): Told {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'EACCES' || code === 'EPERM') return told('config_file.forbidden', { file })
  if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return told('config_file.encoding', { file })
  return told('config_file.unreadable', { file, problem: message })
}
