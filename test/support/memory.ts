/** A `Memory` without a disk. What is kept has been through JSON, as it would have been in a file. */
import type { Memory } from '../../src/protocol/memory.ts'

export function memory(entries: Record<string, unknown> = {}): Memory {
  const kept = new Map(Object.entries(entries))
  return {
    recall: key => kept.get(key),
    keep: (key, value) => void kept.set(key, JSON.parse(JSON.stringify(value))),
  }
}
