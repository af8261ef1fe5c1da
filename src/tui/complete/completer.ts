/** Looks up what the word at the caret could become. */
import type { Argument, Command, Purpose } from '../../kit/commands/command.ts'
import { argumentOf, commandNamed } from '../../kit/commands/obey.ts'
import type { Words } from '../../words/words.ts'
import { Haystack, placesOf } from '../fuzzy.ts'
import type { PickerItem } from '../list/picker.ts'
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
  commands(): readonly Command[]
  /** What a list offers. */
  choices(purpose: Purpose): Promise<readonly PickerItem[]>
  /** What a word could become that is no file: a server's resources; undefined: nothing begins so. Rejects where it fails. */
  resources(word: string): Promise<readonly { word: string; label: string }[]> | undefined
  words: Words
  /** Paths that were spoken of lately, the latest first: of files that fit alike they come first. */
  recent(): readonly string[]
  /** Shows what there is to choose from; undefined: nothing. Called again when more of it is known. */
  show(completion: Completion | undefined): void
  /** The text is to be changed without asking: there is only one way to go on. */
  put(change: Put): void
}

/** What the latest of `recent` counts for, besides what its letters do; each one before it a little less. */
const LATEST = 15

/** Resources of one server that are offered. */
const MOST_RESOURCES = 200

interface ArgumentAt {
  completable: Completable
  of: NonNullable<Argument['of']>
}

export class Completer {
  #options: CompleterOptions
  #index: FileIndex
  #current: Completable | undefined
  #asked: { server: string; words: Promise<readonly { word: string; label: string }[]> } | undefined

  constructor(options: CompleterOptions) {
    this.#options = options
    this.#index = new FileIndex(options.listFiles, { onRead: () => this.#more() })
  }

  /**
   * To be called whenever text or caret have changed. `asked`: with Tab, which completes any path; what comes later for
   * a word that has changed meanwhile is dropped.
   */
  look({ text, caret }: { text: string; caret: number }, { asked = false }: { asked?: boolean } = {}): void {
    const argument = asked ? this.#argumentAt(text, caret) : undefined
    const completable = argument?.completable ?? completionAt(text, caret, { asked })
    this.#current = completable
    if (completable?.kind !== 'file') this.#asked = undefined
    if (completable === undefined) this.#options.show(undefined)
    else if (argument) void this.#argument(argument)
    else if (completable.kind === 'command') this.#offer(completable, this.#commands(completable.query))
    else if (completable.kind === 'path') void this.#path(completable)
    else if (!this.#resources(completable)) {
      this.#index.refresh()
      this.#files(completable)
    }
  }

  /** → false: the word is a file's. A server is asked once for as long as its name stands there. */
  #resources(completable: Completable): boolean {
    const { query } = completable
    const server = /^[^:]+:/.exec(query)?.[0]
    if (server !== undefined && server !== this.#asked?.server) {
      const words = this.#options.resources(server)
      this.#asked = words && { server, words }
    }
    if (server === undefined || !this.#asked) {
      this.#asked = undefined
      return false
    }
    void this.#asked.words
      .catch(() => [])
      .then(all => {
        if (this.#current !== completable) return
        const found = best(query, all, ({ word }) => word).slice(0, MOST_RESOURCES)
        this.#offer(
          completable,
          found.map(({ word: value, label: detail }) => ({
            ...{ value, detail, places: placesOf(query, value), goesOn: false },
          })),
        )
      })
    return true
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
    const { commands, words } = this.#options
    return best(query, commands(), ({ name }) => name).map(command => {
      const { does } = command.words(words)
      const argument = argumentOf(command, words)
      return {
        value: command.name,
        detail: argument === undefined ? does : `${argument}  ${does}`,
        places: placesOf(query, command.name),
        goesOn: command.argument !== undefined,
      }
    })
  }

  /** The argument that is being typed, of a command that says what there is to choose from. */
  #argumentAt(text: string, caret: number): ArgumentAt | undefined {
    const [, name = '', query = ''] = /^\/(\S+)\s+(\S*)$/.exec(text.slice(0, caret)) ?? []
    const of = commandNamed(this.#options.commands(), name)?.argument?.of
    if (of === undefined) return undefined
    const end = caret + (/^\S*/.exec(text.slice(caret))?.[0].length ?? 0)
    return { completable: { kind: 'argument', query, start: caret - query.length, end }, of }
  }

  async #argument({ completable, of }: ArgumentAt): Promise<void> {
    const { query } = completable
    const items = await (typeof of === 'string' ? this.#options.choices(of) : named(of)).catch(() => [])
    if (this.#current !== completable) return
    const found = best(query, items, ({ id }) => id).map(({ id, label, detail }) => ({
      value: id,
      detail: [label === id ? '' : label, detail].filter(Boolean).join('  '),
      places: placesOf(query, id),
      goesOn: false,
    }))
    const [only, ...others] = found
    if (only === undefined || others.length > 0) this.#offer(completable, found)
    else this.#options.put(putOf(completable, only))
  }

  #files(completable: Completable): void {
    const { query } = completable
    const recent = this.#options.recent().slice(0, LATEST)
    const extra = new Map(recent.map((path, at) => [path, LATEST - at]))
    // Files are listed as the system has them; equals stand in the order of their names.
    const hits = this.#index.files
      .best(query, { most: MOST_ROWS, extra })
      .sort((a, b) => b.score - a.score || (a.text < b.text ? -1 : 1))
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

/** What is typed in full first, then those that begin so, then those that only fit. */
function best<T>(query: string, items: readonly T[], nameOf: (item: T) => string): readonly T[] {
  if (query === '') return items
  const begun = items.filter(item => nameOf(item).startsWith(query))
  const found = [
    ...begun.filter(item => nameOf(item) === query),
    ...begun.filter(item => nameOf(item) !== query),
  ]
  const others = new Map(items.filter(item => !found.includes(item)).map(item => [nameOf(item), item]))
  const also = new Haystack([...others.keys()]).best(query, { most: MOST_ROWS })
  return [...found, ...also.flatMap(({ text }) => others.get(text) ?? [])]
}

const named = async (names: () => readonly string[] | Promise<readonly string[]>): Promise<PickerItem[]> =>
  (await names()).map(id => ({ id, label: id, detail: '' }))
