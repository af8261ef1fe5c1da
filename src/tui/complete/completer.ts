/** Looks up what the word at the caret could become. */
import type { CommandName } from '../../words/helping.ts'
import type { Words } from '../../words/words.ts'
import { Haystack, placesOf } from '../fuzzy.ts'
import {
  type Completable,
  type Completion,
  type CompletionItem,
  completionAt,
  type Put,
  putOf,
} from './completion.ts'
import { FileIndex, type ListFiles } from './file-index.ts'
import { MOST_ROWS } from './lines.ts'
import { commonStart, type PathPlaces, pathItems } from './paths.ts'

export interface CompleterOptions extends PathPlaces {
  listFiles: ListFiles
  words: Words
  /** Paths that were spoken of lately, the latest first: of files that fit alike they come first. */
  recent(): readonly string[]
  /** Shows what there is to choose from; undefined: nothing. Called again when more of it is known. */
  show(completion: Completion | undefined): void
  /** The text is to be changed without asking: there is one way only to go on. */
  put(change: Put): void
}

/** What the latest of `recent` counts for, beside what its letters do; each one before it a little less. */
const LATEST = 15

export class Completer {
  #options: CompleterOptions
  #index: FileIndex
  #current: Completable | undefined

  constructor(options: CompleterOptions) {
    this.#options = options
    this.#index = new FileIndex(options.listFiles, { onRead: () => this.#more() })
  }

  /**
   * To be called whenever text or caret have changed. `asked`: with Tab, which completes any path; what comes later for
   * a word that has changed meanwhile is dropped.
   */
  look({ text, caret }: { text: string; caret: number }, { asked = false }: { asked?: boolean } = {}): void {
    const completable = completionAt(text, caret, { asked })
    this.#current = completable
    if (completable === undefined) this.#options.show(undefined)
    else if (completable.kind === 'command') this.#offer(completable, this.#commands(completable.query))
    else if (completable.kind === 'path') void this.#path(completable)
    else {
      this.#index.refresh()
      this.#files(completable)
    }
  }

  close(): void {
    this.#current = undefined
    this.#index.close()
  }

  #offer(completable: Completable, items: readonly CompletionItem[], reading?: number): void {
    const isNothing = items.length === 0 && reading === undefined
    const completion = { ...completable, items, at: 0, ...(reading !== undefined && { reading }) }
    this.#options.show(isNothing ? undefined : completion)
  }

  #commands(query: string): CompletionItem[] {
    const { commands } = this.#options.words
    const names = Object.keys(commands) as CommandName[]
    const found = query === '' ? names : names.filter(name => name.startsWith(query))
    const others = new Haystack(names.filter(name => !found.includes(name)))
    const also = query === '' ? [] : others.best(query, { most: MOST_ROWS })
    return [...found, ...also.map(({ text }) => text as CommandName)].map(name => {
      const { does, argument } = commands[name]
      return {
        value: name,
        detail: argument === undefined ? does : `${argument}  ${does}`,
        places: placesOf(query, name),
        goesOn: argument !== undefined,
      }
    })
  }

  #files(completable: Completable): void {
    const { query } = completable
    const recent = this.#options.recent().slice(0, LATEST)
    const extra = new Map(recent.map((path, at) => [path, LATEST - at]))
    const hits = this.#index.files.best(query, { most: MOST_ROWS, extra })
    const items = hits.map(({ text }) => ({ value: text, places: placesOf(query, text), goesOn: false }))
    this.#offer(completable, items, this.#index.reading)
  }

  #more(): void {
    if (this.#current?.kind === 'file') this.#files(this.#current)
  }

  async #path(completable: Completable): Promise<void> {
    const items = await pathItems(completable.query, this.#options)
    if (this.#current !== completable) return
    const [first, ...others] = items
    const start = commonStart(items)
    if (first === undefined) this.#options.show(undefined)
    else if (others.length === 0) this.#options.put(putOf(completable, first))
    else if (start.length > completable.query.length) {
      this.#options.put(putOf(completable, { value: start, places: [], goesOn: true }))
    } else this.#offer(completable, items)
  }
}
