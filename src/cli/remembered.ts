/** What gopi remembers between starts, in `$GOPI_HOME/cache`: a cache, which may be empty at any time. */
import path from 'node:path'
import { createTokenCounter, type TokenCounter } from '../context/token-counter.ts'
import type { Memory } from '../protocol/memory.ts'
import { type JsonStore, openJsonStore } from './json-store.ts'
import { startTokenProcess } from './token-process.ts'

export interface Remembered {
  /** What `/api/show` said of models. */
  models: Memory
  /** How fast this machine reads and writes with them. */
  speeds: Memory
  /** How their tokens compare to ours. */
  tokens: Memory
  counter: TokenCounter
  /** Everything is on disk, and nothing runs any more. */
  close(): void
}

/** Nothing is read or started before it is needed. Without a home all is forgotten at the end. */
export function openRemembered(home: string | undefined): Remembered {
  const store = (name: string) =>
    home === undefined ? forgetful() : openJsonStore(path.join(home, 'cache', `${name}.json`))
  const [models, speeds, tokens] = [store('models'), store('speeds'), store('tokens')]
  const counter = createTokenCounter({ start: startTokenProcess })
  return {
    models,
    speeds,
    tokens,
    counter,
    close() {
      counter.close()
      for (const one of [models, speeds, tokens]) one.flush()
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
