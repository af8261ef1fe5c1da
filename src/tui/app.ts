/**
 * The screen: what the person does and what happens in the session make the next state, the state makes the next frame.
 * What else a key asks for is done by the talk with the session (talk.ts).
 */
import type { Command } from '../kit/commands/command.ts'
import { BUILT_IN } from '../kit/commands/table.ts'
import { endedLine } from '../kit/ended.ts'
import type { Words } from '../words/words.ts'
import { wakesAt, woken } from './asked.ts'
import { Asking } from './asking.ts'
import { attention } from './attention.ts'
import type { Cell } from './cells/cell.ts'
import type { Chat } from './chat-keys.ts'
import { liveCells } from './conversation.ts'
import type { Effect, Perform, Step } from './effect.ts'
import type { Input } from './input.ts'
import type { Keymap } from './keymap.ts'
import type { Line } from './line.ts'
import { isRecall, press } from './press.ts'
import { type Selection, selectedText } from './selection.ts'
import { hasSide } from './side/side.ts'
import { isBusy, type State, startState } from './state.ts'
import type { Warning } from './status.ts'
import { titleOf, titleSequence } from './title.ts'
import { farewellLines } from './transcript/text.ts'
import { Transcript } from './transcript/transcript.ts'
import { view } from './view.ts'
import { openWindow } from './window/open.ts'
import { createScheduler, FRAME, type Scheduler } from './window/scheduler.ts'
import type { Skeleton } from './window/skeleton.ts'
import type { TerminalInput, TerminalOutput } from './window/terminal.ts'
import type { Theme } from './window/theme.ts'
import type { Frame, Gone, Window } from './window/window.ts'
import { Works } from './works.ts'

export interface AppOptions {
  input: TerminalInput
  output: TerminalOutput
  env: NodeJS.ProcessEnv
  words: Words
  keymap: Keymap
  theme: Theme
  mouse: boolean
  /** What the front door has painted. */
  skeleton?: Skeleton | undefined
  /** The session's directory as it is shown. */
  directory: string
  /** Whose signals and failures end the app. Default none. */
  process?: NodeJS.Process
  /** The process ends without the app having been left. */
  onGone(why: Gone): Promise<void> | void
  /** The command line that goes on with this conversation; undefined: there is none yet. */
  resumeCommand(): string | undefined
  /** Commands and agents that end with the app. */
  alongside(): readonly string[]
}

/** What the configuration decides, known after the first frame. */
export interface Configured extends Settings {
  words: Words
  theme: Theme
  mouse: boolean
  warnings: readonly Warning[]
  /** A rule of the configuration lets all edits run. Default: none. */
  editsRun?: boolean
}

interface Settings {
  /** Default: those of gopi itself. */
  commands?: readonly Command[]
  keymap: Keymap
  showTokens: boolean
  keyHints: boolean
  /** The side column is shown where there is room for it. */
  sideColumn: boolean
  /** The terminal may call for the person when gopi is done or asks. */
  notify: boolean
}

/** Milliseconds after which a request has left for certain. */
const afterRequest = 30
/** Milliseconds that a word above the prompt may stand in the place of what goes on. */
const hintStays = 4000

export class App {
  readonly window: Window
  readonly #transcript = new Transcript()
  /** Cells that the transcript has not got yet. */
  #unshown: Cell[] = []
  #shown: Frame | undefined
  #title = ''
  /** When it got them last; of performance.now(). */
  #shownAt = Number.NEGATIVE_INFINITY
  /** The next frame is for a key. */
  #isForKey = false
  readonly asking = new Asking(this)
  readonly works = new Works(this)
  #state: State
  #words: Words
  #settings: Settings
  #scheduler: Scheduler
  #perform: Perform | undefined
  /** What was asked for before anybody could do it. */
  #early: Effect[] = []
  #markdown: NodeJS.Timeout | undefined
  #waking: NodeJS.Timeout | undefined
  #fading: NodeJS.Timeout | undefined
  #left: Pick<AppOptions, 'resumeCommand' | 'alongside'>

  constructor({ words, keymap, directory, onGone, resumeCommand, alongside, ...terminal }: AppOptions) {
    this.#left = { resumeCommand, alongside }
    this.#words = words
    this.#settings = { keymap, showTokens: true, keyHints: false, sideColumn: false, notify: true }
    this.window = openWindow({
      ...terminal,
      onInput: inputs => this.#press(inputs),
      isRecall: direction => isRecall(this.#state, direction, this.#words),
      onResize: () => this.#resize(),
      onGone,
      farewell: () => this.#farewell(),
    })
    const { columns, rows } = this.window
    this.#state = startState({ columns, rows, directory })
    this.#scheduler = createScheduler(() => this.#draw())
    this.#draw()
  }

  /** With everything that has happened. */
  get transcript(): Transcript {
    this.#show(performance.now())
    return this.#transcript
  }

  get state(): State {
    return this.#state
  }

  get words(): Words {
    return this.#words
  }

  get keymap(): Keymap {
    return this.#settings.keymap
  }

  get commands(): readonly Command[] {
    return this.#settings.commands ?? BUILT_IN
  }

  configure({ words, theme, mouse, warnings, editsRun = false, ...settings }: Configured): void {
    this.#words = words
    this.#settings = settings
    if (theme !== this.window.theme) this.window.setTheme(theme)
    if (mouse !== this.window.mouse) this.window.setMouse(mouse)
    const { sideColumn } = settings
    this.change(({ wantsSide = sideColumn, ...state }) => ({
      ...state,
      wantsSide,
      status: { ...state.status, warnings, ...(editsRun && { editsRun }) },
    }))
  }

  /** Another session follows; `keep`: the same conversation. */
  begin({ keep }: { keep: boolean }): void {
    if (!keep) this.transcript.clear()
    this.change(({ dialog: _, panel: __, side: ___, ...state }) => {
      const { columns, rows, status } = state
      const fresh = startState({ columns, rows, directory: status.directory })
      return { ...state, conversation: fresh.conversation, queue: fresh.queue, status: fresh.status }
    })
  }

  /** From now on `perform` does what is asked for; what was asked for so far comes first. */
  connect(perform: Perform): void {
    this.#perform = perform
    for (const effect of this.#early.splice(0)) perform(effect)
  }

  /** What is asked for waits until somebody is there again. */
  disconnect(): void {
    this.#perform = undefined
  }

  /** Changes the state. `now`: at once, since the person waits for it; else with the next frame. */
  change(change: (state: State) => State, { now = false } = {}): void {
    const before = this.#state
    this.#state = change(before)
    if (this.#state === before) return
    if (this.#state.hint !== before.hint) this.#fade()
    this.#frame(now)
    this.#rouse()
  }

  /** Cells that will not change any more. */
  settle(cells: readonly Cell[]): void {
    if (cells.length === 0) return
    this.#unshown.push(...cells)
    this.#frame(false)
  }

  /** What was settled of the reply in progress goes: it was no answer. */
  unsay(): void {
    this.transcript.unsay()
    this.#frame(false)
  }

  say(message: string, level: 'note' | 'warning' | 'error' = 'note'): void {
    this.settle([{ type: 'notice', level, message }])
  }

  /** Markdown is drawn as such from soon on: loading it takes a moment, in which a request may be on its way. */
  useMarkdown(): void {
    if (this.#markdown) return
    this.#markdown = setTimeout(async () => {
      try {
        const { loadMarkdown } = await import('./markdown/markdown.ts')
        this.transcript.useMarkdown(await loadMarkdown({ onReady: () => this.refresh() }))
        this.refresh()
      } catch {
        // Until it can be loaded, replies are shown as they are written.
        this.#markdown = undefined
      }
    }, afterRequest)
  }

  /** A word above the prompt, until the next key; while something goes on, not for long. */
  hint(hint: string | undefined): void {
    this.change(({ hint: _, ...state }) => ({ ...state, ...(hint !== undefined && { hint }) }), { now: true })
  }

  /** Something outside of the state has changed: the transcript was scrolled, code was highlighted. */
  refresh(): void {
    this.#frame(true)
  }

  step({ state, effects }: Step<State>): void {
    this.change(() => state, { now: true })
    for (const effect of effects) {
      if (effect.type === 'answer') this.asking.answered(effect.answer)
      else if (effect.type === 'chosen') this.asking.chosen(effect.id)
      else if (this.#perform) this.#perform(effect)
      else {
        this.#early.push(effect)
        if (effect.type === 'leave') this.asking.takeBack()
      }
    }
  }

  /** Calls for the person, if they look elsewhere. */
  callPerson(words: string): void {
    if (this.#settings.notify && !this.#state.focused) this.window.send(attention(words, process.env))
  }

  close(): void {
    clearTimeout(this.#markdown)
    clearTimeout(this.#waking)
    clearTimeout(this.#fading)
    this.#scheduler.stop()
    this.window.close()
  }

  #press(inputs: readonly Input[]): void {
    this.#isForKey = true
    this.step(press(this.#state, inputs, this.#chat()))
  }

  #chat(): Chat {
    const { commands, words, keymap } = this
    return { commands, words, keymap, now: performance.now() }
  }

  #fade(): void {
    clearTimeout(this.#fading)
    const { hint } = this.#state
    if (hint === undefined) return
    this.#fading = setTimeout(() => {
      if (isBusy(this.#state)) this.hint(undefined)
    }, hintStays)
  }

  /** Wakes the dialog when time changes something about it. */
  #rouse(): void {
    clearTimeout(this.#waking)
    const now = performance.now()
    const at = wakesAt(this.#state, now)
    if (at === undefined) return
    this.#waking = setTimeout(async () => {
      // However busy it was: a key that was pressed meanwhile comes first.
      await new Promise(resolve => setImmediate(resolve))
      this.step(woken(this.#state, this.#chat()))
      this.#frame(true)
      this.#rouse()
    }, at - now)
  }

  #resize(): void {
    const { columns, rows } = this.window
    const hadSide = hasSide(this.#state)
    this.change(state => ({ ...state, columns, rows }), { now: true })
    if (hasSide(this.#state) && !hadSide) this.#perform?.({ type: 'look_aside' })
  }

  #frame(now: boolean): void {
    if (now) this.#scheduler.now()
    else this.#scheduler.request()
    this.#scheduler.tick(moves(this.#state))
  }

  #draw(): void {
    const now = performance.now()
    // A key is seen at once; what streams meanwhile comes with the next frame, and laying it out is most of the work.
    if (this.#isForKey && now - this.#shownAt < FRAME) this.#scheduler.request()
    else this.#show(now)
    this.#isForKey = false
    const { commands, words, keymap } = this
    const { showTokens, keyHints } = this.#settings
    const look = { commands, words, keymap, showTokens, keyHints, now }
    this.#shown = view(this.#state, this.#transcript, look)
    this.window.draw(this.#shown)
    const title = titleOf(this.#state, words, now) ?? this.#title
    if (title !== this.#title && process.env.TERM !== 'linux') this.window.send(titleSequence(title))
    this.#title = title
  }

  /** What the person has selected with the mouse, without margins. */
  selected(selection: Selection): string {
    return selectedText(this.#shown?.rows ?? [], selection)
  }

  #show(now: number): void {
    this.#shownAt = now
    for (const cell of this.#unshown.splice(0)) this.#transcript.append(cell)
    this.#transcript.setLive(liveCells(this.#state.conversation))
  }

  #farewell(): readonly Line[] {
    const words = this.#words
    const said = farewellLines(this.transcript, { width: this.#state.columns, words })
    const resume = this.#left.resumeCommand()
    const ended = endedLine(this.#left.alongside(), 'gopi', words)
    const last = [ended, resume === undefined ? undefined : words.notices.resumeLine(resume)]
    const lines = last.flatMap((text): Line[] => (text === undefined ? [] : [[{ text, style: 'muted' }]]))
    return lines.length === 0 ? said : [...said, [], ...lines]
  }
}

/** Something on the screen moves by itself; nothing does while the person is asked. */
function moves({ status, dialog, works }: State): boolean {
  return !dialog && (works.length > 0 || (status.running && status.phase.name !== 'idle'))
}
