/**
 * Questions to the person come one by one, in call order: a call may ask once every earlier call of the reply has
 * been decided, or turned out to need no question.
 */
export interface Gate {
  /** Resolves when it is this call's turn to ask. */
  mine(): Promise<void>
  /** This call will not ask (any more). */
  pass(): void
}

export function gate(): { turn(): Gate } {
  let last: Promise<void> = Promise.resolve()
  return {
    turn() {
      const before = last
      let pass: () => void = () => {}
      const passed = new Promise<void>(resolve => {
        pass = resolve
      })
      last = Promise.all([before, passed]).then(() => {})
      return { mine: () => before, pass }
    },
  }
}
