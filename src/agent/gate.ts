/**
 * Questions to the person come one by one, in call order: a call may ask once every earlier call of the reply has
 * been decided, or turned out to need no question.
 */
import type { Verdict } from './run.ts'

export type Refusal = Extract<Verdict, { allow: false }>

export interface Gate {
  /** Resolves when it is this call's turn to ask; with the refusal when the person has denied all that wait. */
  mine(): Promise<Refusal | undefined>
  /** This call will not ask (any more). */
  pass(): void
  /** Whoever still waits is refused like this. */
  refuseRest(refusal: Refusal): void
}

export function gate(): { turn(): Gate } {
  let last: Promise<void> = Promise.resolve()
  let refused: Refusal | undefined
  return {
    turn() {
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
        pass,
        refuseRest(refusal) {
          refused = refusal
        },
      }
    },
  }
}
