/** Questions to the person: whether a call may run, yes or no, which of a list. One is open at a time. */
import type { Choice, Purpose } from '../kit/commands/command.ts'
import type { Approve } from '../session/session.ts'
import type { Words } from '../words/words.ts'
import { type Answer, type Dialog, openApproval, type QuestionDialog } from './dialog/dialog.ts'
import type { Perform } from './effect.ts'
import { createPicker } from './list/picker.ts'
import { type ListOptions, listPanel } from './panel/open.ts'
import type { State } from './state.ts'

/** The app, as far as a question needs it. */
export interface Asker {
  readonly words: Words
  change(change: (state: State) => State, options?: { now?: boolean }): void
  callPerson(words: string): void
  hint(hint: string): void
  connect(perform: Perform): void
  disconnect(): void
}

interface Open {
  answer(answer: Answer): void
  takeBack(): void
}

export interface Question {
  title: string
  text: string
  /** Takes the question back. */
  signal?: AbortSignal
}

export class Asking {
  #app: Asker
  #open: Open | undefined
  #pick: ((id: string | undefined) => void) | undefined

  constructor(app: Asker) {
    this.#app = app
  }

  approve: NonNullable<Approve> = async (approval, signal) => {
    // What cannot succeed is not asked about: the model hears why.
    const preview = await approval.preview()
    const dialog = openApproval(approval, { preview, openedAt: performance.now() })
    this.#app.callPerson(this.#app.words.notices.asks)
    const answer = await this.#ask(dialog, signal)
    if (answer?.type !== 'verdict') return { allow: false }
    const { verdict } = answer
    if (verdict.allow && verdict.remember === 'always') this.#app.hint(this.#app.words.approval.saved)
    return verdict
  }

  /** A question of yes or no. undefined: the signal took it back, or the person wants to leave. */
  async confirm({ title, text, signal }: Question): Promise<boolean | undefined> {
    const dialog: QuestionDialog = { type: 'question', title, text, top: 0, openedAt: performance.now() }
    const answer = await this.#ask(dialog, signal)
    return answer && answer.type === 'yes'
  }

  /** Lets the person choose from a list before there is a session. undefined: they did not want to. */
  choose(purpose: Purpose, options: Omit<ListOptions, 'words'>): Promise<string | undefined> {
    const panel = listPanel(purpose, { ...options, words: this.#app.words })
    return new Promise(resolve => {
      const done = (chosen?: string) => {
        this.#app.disconnect()
        resolve(chosen)
      }
      this.#app.connect(effect => {
        if (effect.type === 'session') done(effect.id)
        else if (effect.type === 'unlist' || effect.type === 'leave') done()
      })
      this.#app.change(state => ({ ...state, panel }), { now: true })
    })
  }

  /**
   * Lets the person choose from what a command gives. `isSudden`: they may be typing something else by now, and what
   * they type chooses nothing. undefined: they chose nothing.
   */
  pick(title: string, choices: readonly Choice[], { isSudden = false } = {}): Promise<string | undefined> {
    this.#pick?.(undefined)
    const picker = createPicker({ title, items: choices, empty: this.#app.words.lists.nothing })
    return new Promise(resolve => {
      this.#pick = resolve
      const panel = { type: 'list', purpose: 'choice', picker, ...(isSudden && { isSudden }) } as const
      this.#app.change(state => ({ ...state, panel }), { now: true })
    })
  }

  /** The person has chosen, or does not want to. */
  chosen(id: string | undefined): void {
    const pick = this.#pick
    this.#pick = undefined
    pick?.(id)
  }

  /** The person has answered the open question. */
  answered(answer: Answer): void {
    const open = this.#open
    this.#open = undefined
    open?.answer(answer)
  }

  /** The open question is not asked any more. */
  takeBack(): void {
    this.#open?.takeBack()
  }

  /** The dialog stays until it is answered, or the signal takes the question back. */
  #ask(dialog: Dialog, signal?: AbortSignal): Promise<Answer | undefined> {
    if (signal?.aborted) return Promise.resolve(undefined)
    return new Promise(resolve => {
      const takeBack = () => {
        this.#open = undefined
        this.#app.change(({ dialog: _, ...state }) => state, { now: true })
        resolve(undefined)
      }
      signal?.addEventListener('abort', takeBack, { once: true })
      this.#open = {
        answer(answer) {
          signal?.removeEventListener('abort', takeBack)
          resolve(answer)
        },
        takeBack,
      }
      this.#app.change(state => ({ ...state, dialog }), { now: true })
    })
  }
}
