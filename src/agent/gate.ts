/**
 * Questions to the person come one by one, in call order: a call may ask once every earlier call of the reply has
 * been decided, or turned out to need no question.
 */
import type { ToolCall } from '../protocol/messages.ts'
import type { Verdict } from './run.ts'

export type Refusal = Extract<Verdict, { allow: false }>

export interface Gate {
  /** Resolves when it is this call's turn to ask; with the refusal when the person has denied all that wait. */
  mine(): Promise<Refusal | undefined>
  /** This call will not ask (any more). */
  pass(): void
  /** This call asks now. → how many of the reply have asked before, and those that come later and may ask. */
  asks(): { before: number; later: readonly ToolCall[] }
  /** Calls that are still waiting are refused with this. */
  refuseRest(refusal: Refusal): void
}

export function gate(): { turn(call: ToolCall): Gate } {
  let last: Promise<void> = Promise.resolve()
  let refused: Refusal | undefined
  let asked = 0
  const open: ToolCall[] = []
  return {
    turn(call) {
      open.push(call)
      const before = last
      let pass: () => void = () => {}
      const passed = new Promise<void>(resolve => {
        pass = resolve
      })
      last = Promise.all([before, passed]).then(() => {})
      return {
        async mine() {
          await before
          return refused
        },
        pass() {
          if (open.includes(call)) open.splice(open.indexOf(call), 1)
          pass()
        },
        asks() {
          return { before: asked++, later: open.slice(open.indexOf(call) + 1) }
        },
        refuseRest(refusal) {
          refused = refusal
        },
      }
    },
  }
}
