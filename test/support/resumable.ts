/** That a journal can be gone on with, whatever stands in it. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { createDialect } from '../../src/dialect/create.ts'
import type { Message } from '../../src/protocol/messages.ts'
import { type Replayed, replay } from '../../src/session/replay.ts'
import { findViolations } from './demo/invariants.ts'

/** It is read, its histories can be sent in every dialect, and its mending needs no mending. */
export function assertResumable(text: string, title: string): Replayed {
  let ids = 0
  const newId = () => `new${ids++}`
  const told = () => `${title}\n${text}`
  const state = replay(text, newId)
  for (const { history } of [state, ...state.threads.values()]) {
    const next: Message = { id: 'next', role: 'user', content: 'go on' }
    for (const name of ['native', 'react', 'json'] as const) {
      const sent = createDialect(name).encode([...history, next])
      assert.deepEqual(findViolations([{ role: 'system', content: '' }, ...sent]), [], told())
    }
  }
  const mended = state.repairs.map(entry => JSON.stringify(entry)).join('\n')
  const again = replay(`${text}\n${mended}`, newId)
  assert.deepEqual([again.history, again.repairs], [state.history, []], told())
  return state
}

/** Bytes: longer journals are about something else. */
const MOST = 2_000_000

/** The same of every journal under a directory: what tests leave behind is gone on with, too. */
export function assertAllResumable(directory: string): void {
  for (const name of readdirSync(directory, { recursive: true })) {
    const file = path.join(directory, String(name))
    if (!file.endsWith('.jsonl')) continue
    const status = statSync(file, { throwIfNoEntry: false })
    if (status?.isFile() && status.size < MOST && status.mode & 0o400)
      assertResumable(readFileSync(file, 'utf8'), file)
  }
}
