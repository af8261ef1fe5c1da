/** What keys ask for that no session does: the terminal, the lists, what is looked up while something is typed. */

import type { Purpose } from '../kit/commands/command.ts'
import type { PastSession } from '../session/past.ts'
import { clipboardSequence } from '../text/clipboard.ts'
import { messageOf } from '../text/message-of.ts'
import { explain } from '../words/explain.ts'
import type { App } from './app.ts'
import { Completer } from './complete/completer.ts'
import type { ListFiles } from './complete/file-index.ts'
import { edit, textOf } from './editor/editor.ts'
import { type Acts, act, type Effect, type Scroll, type Walk } from './effect.ts'
import { appendHistory, loadHistory } from './history.ts'
import { promptLook } from './layout.ts'
import { type KnownModel, modeItems, modelId, modelItems, sessionItems, themeItems } from './list/items.ts'
import type { PickerItem } from './list/picker.ts'
import { editOutside } from './outside.ts'
import { listPanel, openPalette, relist, repaletted } from './panel/open.ts'
import { type PaletteParts, paletteItems } from './panel/palette.ts'
import { lastReply } from './transcript/text.ts'
import { nameOfTheme, THEMES, type Theme } from './window/theme.ts'

/** Files that the palette lists. */
const MOST_FILES = 5_000

export interface Surroundings {
  /** Rejects with what went wrong. */
  models(): Promise<readonly KnownModel[]>
  /** Of this directory, the newest first, without the one that goes on. */
  sessions(): Promise<readonly (PastSession & { prompts?: readonly string[] })[]>
  /** Puts a text where the terminal may not be allowed to. */
  copyBesides(text: string): void
  listFiles: ListFiles
  /** What a word after `@` could become that is no file; undefined: nothing begins so. */
  resources(word: string): Promise<readonly { word: string; label: string }[]> | undefined
  /** Themes of the person's own. `read` rejects with what is wrong with one. */
  ownThemes: { names(): readonly string[]; read(name: string): Promise<Theme> }
  /** What doctor finds, a line each. Rejects with what went wrong. */
  examine(): Promise<string>
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
  /** Prompts cannot be kept, which was said. */
  #isForgetful = false

  constructor(app: App, around: Surroundings) {
    this.#app = app
    this.#around = around
    const { listFiles, resources, recentFiles: recent, cwd, home } = around
    this.#completer = new Completer({
      ...{ listFiles, resources, recent, cwd, home, words: app.words },
      commands: () => app.commands,
      choices: async purpose => this.#choices(purpose),
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
    use_theme: ({ name, line }) => void this.#useTheme(name, line),
    palette: () => this.#palette(),
    switch_mouse: () => this.#switchMouse(),
    copy: () => this.#copy(lastReply(this.#app.transcript)),
    walk: ({ walk }) => this.#walk(walk),
    unfold_cell: () => {
      this.#app.transcript.unfoldFocused()
      this.#app.refresh()
    },
    copy_cell: () => this.#copy(this.#app.transcript.focusedText),
    copy_selected: ({ selection }) => {
      // A click, or rows without a word.
      const text = this.#app.selected(selection)
      if (text.trim() !== '') this.#copy(text)
    },
    examine: () => void this.#examine(),
    edit_outside: () => void this.#editOutside(),
    scroll: ({ to }) => this.#scroll(to),
    find: ({ query, next }) => this.#find(query, next),
    suspend: () => this.#app.window.suspend(),
    redraw: () => this.#app.window.redraw(),
  }

  async #remember(text: string): Promise<void> {
    try {
      await appendHistory(this.#around.historyFile, text)
    } catch (error) {
      if (!this.#isForgetful) this.#app.hint(this.#app.words.notices.historyFailed(messageOf(error)))
      this.#isForgetful = true
    }
  }

  async #examine(): Promise<void> {
    const app = this.#app
    app.hint(app.words.notices.examining)
    try {
      app.say(await this.#around.examine())
      app.hint(undefined)
    } catch (error) {
      app.say(explain(app.words, error as Error), 'error')
    }
  }

  #list(purpose: Purpose): void {
    const { words, window, state } = this.#app
    const { lists } = words
    const { mode, model } = state.status
    const current = { theme: nameOfTheme(window.theme), mode, model: modelId(model), session: '' }[purpose]
    const choices = this.#choices(purpose)
    const isLater = choices instanceof Promise
    const panel = listPanel(purpose, {
      ...{ words, current, items: isLater ? [] : choices, empty: isLater ? lists.loading : lists.nothing },
    })
    this.#app.change(now => ({ ...now, panel }), { now: true })
    if (!isLater) return
    const put = (items: readonly PickerItem[], empty: string) =>
      this.#app.change(now => relist(now, purpose, { items, empty }), { now: true })
    const none = purpose === 'model' ? lists.noModels('ollama pull qwen2.5-coder:7b') : lists.noSessions
    choices.then(
      items => put(items, none),
      error => put([], explain(words, error)),
    )
  }

  #choices(purpose: Purpose): PickerItem[] | Promise<PickerItem[]> {
    const { words } = this.#app
    switch (purpose) {
      case 'theme':
        return themeItems(words, this.#around.ownThemes.names())
      case 'mode':
        return modeItems(words)
      case 'model':
        return this.#around.models().then(models => modelItems(models, words))
      case 'session':
        return this.#around.sessions().then(found => sessionItems(found, { words, now: Date.now() }))
    }
  }

  async #useTheme(name: string, line = ''): Promise<void> {
    const { window, words } = this.#app
    const { notices } = words
    const { ownThemes } = this.#around
    try {
      const known = [...THEMES, ...ownThemes.names()]
      const theme = THEMES.find(one => one === name) ?? (known.includes(name) && (await ownThemes.read(name)))
      if (theme) window.setTheme(theme)
      this.#app.hint(theme ? notices.theme(name) : notices.noSuchTheme(name, known.join(', ')))
      if (!theme && line !== '') this.#recallLine(line)
    } catch (error) {
      this.#app.say(explain(words, error), 'error')
    }
  }

  #recallLine(text: string): void {
    const { words } = this.#app
    this.#app.change(
      state => ({ ...state, editor: edit(state.editor, { type: 'recall', text }, promptLook(state, words)) }),
      { now: true },
    )
  }

  /** What is known at once comes first; the rest joins it. */
  #palette(): void {
    const { commands, keymap, words } = this.#app
    let parts: PaletteParts = { commands, keymap, words, models: [], sessions: [], files: [] }
    this.#app.change(state => openPalette(state, paletteItems(parts), words), { now: true })
    const join = (found: Partial<PaletteParts>) => {
      parts = { ...parts, ...found }
      this.#app.change(state => repaletted(state, paletteItems(parts)), { now: true })
    }
    const ignored = () => {} // Without them the others are still there; /model and /resume say why.
    this.#around.models().then(models => join({ models: modelItems(models, words) }), ignored)
    this.#choicesOf('session').then(sessions => join({ sessions }), ignored)
    this.#files().then(files => join({ files }), ignored)
  }

  async #choicesOf(purpose: Purpose): Promise<readonly PickerItem[]> {
    return this.#choices(purpose)
  }

  async #files(): Promise<readonly string[]> {
    const files: string[] = []
    const enough = new AbortController()
    for await (const some of this.#around.listFiles(enough.signal)) {
      files.push(...some)
      if (files.length >= MOST_FILES) enough.abort()
      if (enough.signal.aborted) break
    }
    return files.slice(0, MOST_FILES)
  }

  #switchMouse(): void {
    const { window, words } = this.#app
    window.setMouse(!window.mouse)
    this.#app.hint(window.mouse ? words.notices.mouseOn : words.notices.mouseOff)
  }

  #copy(text: string | undefined): void {
    const { notices } = this.#app.words
    if (text !== undefined) this.#around.copyBesides(text)
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

  #walk(walk: Walk | undefined): void {
    const { transcript } = this.#app
    const isThere = walk ? transcript.focus(walk) : false
    if (!isThere) transcript.focusNothing()
    this.#app.change(({ outline: _, ...state }) => ({ ...state, ...(isThere && { outline: true }) }))
    this.#app.refresh()
  }

  #scroll(to: Scroll): void {
    const { transcript } = this.#app
    if (to === 'top') transcript.toTop()
    else if (to === 'end') transcript.toEnd()
    else if ('rows' in to) transcript.scroll(to.rows)
    else for (let page = 0; page < Math.abs(to.pages); page++) transcript.page(to.pages < 0 ? -1 : 1)
    this.#app.refresh()
  }

  #find(query: string, next: 'older' | 'newer' | undefined): void {
    const { transcript } = this.#app
    const found = next ? transcript.findNext(next) : transcript.find(query)
    this.#app.change(state => {
      if (state.panel?.type !== 'find' || query === '') return state
      return { ...state, panel: { ...state.panel, found: found ?? 'nothing' } }
    })
    this.#app.refresh()
  }
}
