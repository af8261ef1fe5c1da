/** Going back in a session, and forward again: loaded by whoever does it. */
import type { FileMove } from '../protocol/events.ts'
import type { Changes } from './changes.ts'
import type { FilePlan } from './restore.ts'
import type { EarlierPrompt, Rewinding, RewindPlan, Scope, Texts } from './rewind.ts'
import type { Thread } from './thread.ts'

export type { EarlierPrompt, RewindPlan, Scope } from './rewind.ts'

export class GoingBack {
  readonly changes: Changes
  #rest: () => Promise<void>
  #parts: Rewinding

  /** `rest`: resolves when nothing runs and nothing is being summarised; rejects while a run is going. */
  constructor(main: Thread, { changes, rest }: { changes: Changes; rest: () => Promise<void> }) {
    const { record } = main
    this.changes = changes
    this.#rest = rest
    this.#parts = {
      changes,
      history: () => record.history,
      undone: () => record.undone.last,
      record: event => record.record(event),
    }
  }

  /** The prompts that the conversation still holds, the latest first. */
  async prompts(): Promise<EarlierPrompt[]> {
    return (await load()).earlierPrompts(this.#parts)
  }

  /** What going back to before the prompt would do to files. */
  async preview(prompt: EarlierPrompt): Promise<RewindPlan> {
    await this.changes.settled()
    return (await load()).previewOf(prompt, this.changes)
  }

  /** Goes back to before the prompt. → the files that were changed. */
  async rewind(
    prompt: EarlierPrompt,
    { scope, plan }: { scope: Scope; plan: RewindPlan },
  ): Promise<FileMove[]> {
    await this.#rest()
    return (await load()).rewind(prompt, { scope, plan, session: this.#parts })
  }

  /** Takes the last step back again. undefined: there is none to take back. */
  async redo(): Promise<{ plans: FilePlan[]; files: FileMove[] } | undefined> {
    await this.#rest()
    return (await load()).redo(this.#parts)
  }

  /** What the session changed in all. */
  async changed(): Promise<RewindPlan> {
    await this.changes.settled()
    return (await load()).changedIn(this.changes)
  }

  async textsOf(real: string): Promise<Texts | undefined> {
    return (await load()).textsOf(real, this.changes)
  }

  /** Puts one file back as it was before the session. → false: it has changed meanwhile. */
  async revert(plan: FilePlan): Promise<boolean> {
    return (await load()).revert(plan, this.#parts)
  }

  /** Gives a file the text that a part of its changes leaves. → as `revert`. */
  async revertTo(real: string, texts: Texts | undefined, text: string | undefined): Promise<boolean> {
    if (!texts || text === undefined) return false
    return (await load()).revertTo({ real, hash: texts.hash, text }, this.#parts)
  }
}

const load = () => import('./rewind.ts')
