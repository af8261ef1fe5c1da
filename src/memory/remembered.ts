/** What gopi remembers between starts, in `$GOPI_HOME/cache`: a cache, which may be empty at any time. */
import path from 'node:path'
import type { Memory } from '../protocol/memory.ts'
import { type JsonStore, type JsonStoreOptions, openJsonStore } from './json-store.ts'

export interface Remembered {
  /** What servers said of models, and of themselves. */
  models: Memory
  /** How fast this machine reads and writes with them. */
  speeds: Memory
  /** What a piece of text weighs with them, in tokens. */
  tokens: Memory
  /** What servers of tools offered. */
  offers: Memory
  /** Everything is on disk afterwards. */
  close(): void
}

/** Nothing is read before it is needed. Without a home all is forgotten at the end. */
export function openRemembered(home: string | undefined): Remembered {
  const store = (name: string, limits?: JsonStoreOptions) =>
    home === undefined ? forgetful() : openJsonStore(path.join(home, 'cache', `${name}.json`), limits)
  const [models, speeds, tokens] = [store('models'), store('speeds'), store('tokens')]
  const offers = store('mcp', { entries: 50, bytes: 4 * 1024 * 1024 })
  return {
    models,
    speeds,
    tokens,
    offers,
    close() {
      for (const one of [models, speeds, tokens, offers]) one.flush()
    },
  }
}

function forgetful(): JsonStore {
  const kept = new Map<string, unknown>()
  return {
    recall: key => kept.get(key),
    keep: (key, value) => void kept.set(key, value),
    flush() {},
  }
}
