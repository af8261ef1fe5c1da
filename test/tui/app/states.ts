/** States, keys and frames for tests of the screen's own logic: no terminal, no session. */

import { BUILT_IN } from '../../../src/kit/commands/table.ts'
import type { Approval } from '../../../src/session/session.ts'
import { wakesAt, woken } from '../../../src/tui/asked.ts'
import type { Chat } from '../../../src/tui/chat-keys.ts'
import { type ApprovalDialog, openApproval } from '../../../src/tui/dialog/dialog.ts'
import type { Effect, Step } from '../../../src/tui/effect.ts'
import { InputDecoder } from '../../../src/tui/input.ts'
import { createKeymap } from '../../../src/tui/keymap.ts'
import type { Line } from '../../../src/tui/line.ts'
import { press } from '../../../src/tui/press.ts'
import { type State, startState } from '../../../src/tui/state.ts'
import { EN } from '../../../src/words/en.ts'

export const words = EN
export const commands = BUILT_IN
export const { keymap } = createKeymap()

/** Long after everything that has happened so far. */
export const later = 1e6
export const chatAt = (now: number): Chat => ({ commands, words, keymap, now })

export function stateOf({ columns = 80, rows = 24, ...more }: Partial<State> = {}): State {
  return { ...startState({ columns, rows, directory: '~/work' }), ...more }
}

export const running = (state: State): State => ({
  ...state,
  status: { ...state.status, running: true, phase: { name: 'writing', since: 0 } },
})

/** Sequences, pastes and characters, each of which comes by itself. */
const PRESSES = /\x1b\[200~[\s\S]*?\x1b\[201~|\x1b\[[\d;<]*[A-Za-z~]|\x1b[\rp]|[\s\S]/gu

/** Keys pressed one after the other; while something is asked, one by one and on purpose. */
export function keys(state: State, bytes: string, now = later): Step<State> {
  const gaps = (bytes.match(PRESSES) ?? []).map(one => [one, state.dialog ? 1000 : 0] as const)
  return typed(state, gaps, now)
}

/** Keys, each with the milliseconds until the next comes; after the last one nothing comes. */
export function typed(
  before: State,
  presses: readonly (readonly [bytes: string, ms: number])[],
  from = later,
): Step<State> {
  const decoder = new InputDecoder()
  let [state, now] = [before, from]
  const effects: Effect[] = []
  const take = (step: Step<State>) => {
    state = step.state
    effects.push(...step.effects)
  }
  const wait = (until: number) => {
    for (let at = wakesAt(state, now); at !== undefined && at < until; at = wakesAt(state, now)) {
      now = Math.max(now, at)
      take(woken(state, chatAt(now)))
    }
    now = until
  }
  for (const [bytes, ms] of presses) {
    take(press(state, [...decoder.push(Buffer.from(bytes)), ...decoder.finish()], chatAt(now)))
    wait(now + ms)
  }
  wait(now + 10_000)
  return { state, effects }
}

/** The effects without those that every change of the text has. */
export const asked = ({ effects }: Step<State>): Effect[] =>
  effects.filter(({ type }) => type !== 'draft' && type !== 'complete')

export const lineText = (line: Line): string => line.map(({ text }) => text).join('')

export function approvalOf(
  more: Partial<Omit<Approval, 'preview'>> & Partial<Pick<ApprovalDialog, 'preview'>> = {},
): ApprovalDialog {
  const { preview = { type: 'command', command: 'npm test' }, ...approval } = more
  return openApproval(
    {
      call: { id: 'c1', name: 'bash', arguments: { command: 'npm test' } },
      why: 'mode ask asks before a command',
      hard: false,
      rules: { session: ['Bash(npm test)'], always: ['Bash(npm test)'] },
      wider: [],
      touches: [],
      preview: async () => preview,
      ...approval,
    },
    { preview, openedAt: 0 },
  )
}
