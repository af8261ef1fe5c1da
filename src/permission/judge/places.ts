/** Where a line may be by now: every `cd` of it adds a place, for nobody knows which of them will have run. */
import path from 'node:path'
import { isInside } from '../paths.ts'
import type { ShellWord } from '../shell/line.ts'
import { programOf } from '../shell/programs.ts'
import type { Ground } from './judged.ts'

/** Directories that a line with `cd` may be in. */
const MOST_PLACES = 16

export class Places {
  readonly #ground: Ground
  readonly #places: Set<string>
  #lost = false

  /** `cwd`: a real path. */
  constructor(cwd: string, ground: Ground) {
    this.#ground = ground
    this.#places = new Set([cwd])
  }

  /** Nobody knows all of them. */
  get lost(): boolean {
    return this.#lost
  }

  /** What a path as written may mean. */
  absolute(...written: string[]): string[] {
    return [...this.#places].map(place => path.resolve(place, ...written))
  }

  /** The paths that a word stands for, as written; of a glob those that are there. undefined: nobody can say. */
  names(word: ShellWord): string[] | undefined {
    if (!word.glob) return word.value === undefined ? undefined : [word.value]
    const { look } = this.#ground
    const found: string[] = []
    for (const pattern of this.absolute(word.value ?? '')) {
      const all = look.glob(pattern)
      const paths = word.value?.endsWith('/') ? all?.filter(file => look.kind(file) === 'directory') : all
      if (paths === undefined || paths.some(file => path.basename(file).startsWith('-'))) return undefined
      found.push(...paths)
    }
    return found
  }

  /** The real paths that a word may mean. */
  resolve(word: ShellWord): string[] | undefined {
    if (this.#lost && !word.value?.startsWith('/')) return undefined
    return this.names(word)?.flatMap(name => this.absolute(name).map(file => this.#ground.look.real(file)))
  }

  /** Follows a `cd`. → why it is not known to stay in the project. */
  go(words: readonly ShellWord[]): string | undefined {
    const { home, look, project } = this.#ground
    const operands = words.slice(1).filter(({ value }) => !/^-[LPe@]+$|^--$/.test(value ?? ''))
    const [to] = operands
    const value = to === undefined ? home : to.value
    if (
      value === undefined ||
      value === '-' ||
      to?.glob ||
      operands.length > 1 ||
      programOf(words) !== 'cd'
    ) {
      this.#lost = true
      return `gopi cannot tell where \`${words.map(({ text }) => text).join(' ')}\` goes`
    }
    let leaves: string | undefined
    for (const target of this.absolute(value).map(file => look.real(file))) {
      if (this.#places.size >= MOST_PLACES) this.#lost = true
      else this.#places.add(target)
      if (!isInside(target, project)) leaves = `leaves the project: ${target}`
    }
    return leaves
  }
}
