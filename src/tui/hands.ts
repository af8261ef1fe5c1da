/** What keys ask for that no session does: the terminal, the lists, what is looked up while something is typed. */
import { messageOf } from '../text/message-of.ts'
import type { App } from './app.ts'
import { clipboardSequence } from './clipboard.ts'
import { Completer } from './complete/completer.ts'
import type { ListFiles } from './complete/file-index.ts'
import { edit, textOf } from './editor/editor.ts'
import { type Acts, act, type Effect, type Scroll } from './effect.ts'
import { appendHistory, loadHistory } from './history.ts'
import { promptLook } from './layout.ts'
import {
  type KnownModel,
  modeItems,
  modelId,
  modelItems,
  type PastSession,
  sessionItems,
  themeItems,
} from './list/items.ts'
import { editOutside } from './outside.ts'
import { listPanel, relist } from './panel/open.ts'
import type { Purpose } from './panel/panel.ts'
import { lastReply } from './transcript/text.ts'
import { THEMES, type ThemeName } from './window/theme.ts'

export interface Surroundings {
  /** Rejects with what went wrong. */
  models(): Promise<readonly KnownModel[]>
  /** Of this directory, the newest first, without the one that goes on. */
  sessions(): Promise<readonly PastSession[]>
  listFiles: ListFiles
  /** Files that the conversation was about lately, the latest first. */
  recentFiles(): readonly string[]
  /** Where the history of prompts is kept. */
  historyFile: string
  cwd: string
  /** The person's own directory. */
  home: string
  env: NodeJS.ProcessEnv
}

export class Hands {
  #app: App
  #around: Surroundings
  #completer: Completer

  constructor(app: App, around: Surroundings) {
    this.#app = app
    this.#around = around
    const { listFiles, recentFiles: recent, cwd, home } = around
    this.#completer = new Completer({
      ...{ listFiles, recent, cwd, home, words: app.words },
      show: completion =>
        app.change(({ completion: _, ...state }) => ({ ...state, ...(completion && { completion }) }), {
          now: true,
        }),
      put: change =>
        app.change(
          state => ({
            ...state,
            editor: edit(state.editor, { type: 'put', ...change }, promptLook(state, app.words)),
          }),
          { now: true },
        ),
    })
  }

  /** What was sent in other sessions, before what was sent in this one. */
  async recall(): Promise<void> {
    const earlier = await loadHistory(this.#around.historyFile)
    this.#app.change(({ editor, ...state }) => ({
      ...state,
      editor: { ...editor, history: [...earlier, ...editor.history] },
    }))
  }

  /** False: it is somebody else's. */
  does(effect: Effect): boolean {
    return act(this.#acts, effect)
  }

  close(): void {
    this.#completer.close()
  }

  #acts: Acts = {
    remember: ({ text }) => void this.#remember(text),
    complete: ({ asked }) => this.#completer.look(this.#app.state.editor, { asked: asked === true }),
    list: ({ purpose }) => this.#list(purpose),
    use_theme: ({ name }) => this.#useTheme(name),
    switch_mouse: () => this.#switchMouse(),
    copy: () => this.#copy(),
    edit_outside: () => void this.#editOutside(),
    scroll: ({ to }) => this.#scroll(to),
    find: ({ query, again }) => this.#find(query, again === true),
    suspend: () => this.#app.window.suspend(),
    redraw: () => this.#app.window.redraw(),
  }

  async #remember(text: string): Promise<void> {
    try {
      await appendHistory(this.#around.historyFile, text)
    } catch (error) {
      this.#app.hint(this.#app.words.notices.historyFailed(messageOf(error)))
    }
  }

  #list(purpose: Purpose): void {
    const { words, window, state } = this.#app
    const { lists } = words
    if (purpose === 'theme') {
      this.#open(purpose, { items: themeItems(words), current: window.theme, empty: lists.nothing })
      return
    }
    if (purpose === 'mode') {
      this.#open(purpose, { items: modeItems(words), current: state.status.mode, empty: lists.nothing })
      return
    }
    this.#open(purpose, { items: [], current: modelId(state.status.model), empty: lists.loading })
    const items =
      purpose === 'model'
        ? this.#around.models().then(models => modelItems(models, words))
        : this.#around.sessions().then(sessions => sessionItems(sessions, { words, now: Date.now() }))
    const empty = purpose === 'model' ? lists.noModels('ollama pull qwen2.5-coder:7b') : lists.noSessions
    items.then(
      found => this.#relist(purpose, found, empty),
      error => this.#relist(purpose, [], messageOf(error)),
    )
  }

  #open(purpose: Purpose, options: Omit<Parameters<typeof listPanel>[1], 'words'>): void {
    const panel = listPanel(purpose, { ...options, words: this.#app.words })
    this.#app.change(state => ({ ...state, panel }), { now: true })
  }

  #relist(purpose: Purpose, items: ReturnType<typeof modelItems>, empty: string): void {
    this.#app.change(state => relist(state, purpose, { items, empty }), { now: true })
  }

  #useTheme(name: string): void {
    const { notices } = this.#app.words
    const theme = THEMES.find(known => known === name)
    if (theme) this.#app.window.setTheme(theme satisfies ThemeName)
    this.#app.hint(theme ? notices.theme(theme) : notices.noSuchTheme(name, THEMES.join(', ')))
  }

  #switchMouse(): void {
    const { window, words } = this.#app
    window.setMouse(!window.mouse)
    this.#app.hint(window.mouse ? words.notices.mouseOn : words.notices.mouseOff)
  }

  #copy(): void {
    const { notices } = this.#app.words
    const text = lastReply(this.#app.transcript)
    const sequence = text === undefined ? undefined : clipboardSequence(text)
    if (sequence !== undefined) this.#app.window.send(sequence)
    if (text === undefined) this.#app.hint(notices.nothingToCopy)
    else this.#app.hint(sequence === undefined ? notices.copyTooLong('100 KB') : notices.copied(text.length))
  }

  async #editOutside(): Promise<void> {
    const { window, words, state } = this.#app
    const result = await editOutside(textOf(state.editor), {
      env: this.#around.env,
      lend: run => window.lend(run),
      words,
    })
    if (result.problem !== undefined) this.#app.hint(result.problem)
    this.#app.change(
      now => ({
        ...now,
        editor: edit(now.editor, { type: 'replace', text: result.text }, promptLook(now, words)),
      }),
      { now: true },
    )
  }

  #scroll(to: Scroll): void {
    const { transcript } = this.#app
    if (to === 'top') transcript.toTop()
    else if (to === 'end') transcript.toEnd()
    else if ('rows' in to) transcript.scroll(to.rows)
    else for (let page = 0; page < Math.abs(to.pages); page++) transcript.page(to.pages < 0 ? -1 : 1)
    this.#app.refresh()
  }

  #find(query: string, again: boolean): void {
    const found = this.#app.transcript.find(query, { from: again ? 'older' : 'end' })
    this.#app.change(state => {
      if (state.panel?.type !== 'find' || query === '') return state
      return { ...state, panel: { ...state.panel, found } }
    })
    this.#app.refresh()
  }
}
