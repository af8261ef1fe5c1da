/** The memory that a model may have on this machine. */
import { freemem, totalmem } from 'node:os'

/** Bytes. macOS gives back at once much of what it counts as used, and lets a GPU have most of the memory. */
export function freeMemory(): number {
  if (process.platform === 'darwin') return totalmem() * 0.7
  return process.availableMemory?.() ?? freemem()
}
