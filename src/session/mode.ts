/** The permission mode of a session. */
import type { PermissionMode } from '../protocol/events.ts'
import type { Recorder } from './recorder.ts'

export class Mode {
  #mode: PermissionMode
  #recorder: Recorder

  constructor(mode: PermissionMode, recorder: Recorder) {
    this.#mode = mode
    this.#recorder = recorder
  }

  get current(): PermissionMode {
    return this.#mode
  }

  /** Holds from the next decision on; what runs goes on as it was allowed. */
  set(mode: PermissionMode): void {
    if (mode === this.#mode) return
    this.#recorder.begin()
    this.#mode = mode
    this.#recorder.main.record({ type: 'mode_change', mode })
  }
}
