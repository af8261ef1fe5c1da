/** Where a line may be by now: every `cd` of it adds a place, for nobody knows which of them will have run. */

import path from 'node:path'
import { isInside } from '../../paths/inside.ts'
import type { Said } from '../../protocol/sayings.ts'
import { said } from '../../words/sayings/said.ts'
import type { ShellWord } from '../shell/line.ts'
import { programOf } from '../shell/programs.ts'
import type { Ground } from './judged.ts'

/** Directories that a line with `cd` may be in. */
const MOST_PLACES = 16

export class Places {
  readonly #ground: Ground
  readonly #places: Set<string>
  #lost = false

  constructor(places: Iterable<string>, ground: Ground) {
    this.#ground = ground
    this.#places = new Set(places)
  }

  /** Nobody knows all of them. */
  get lost(): boolean {
    return this.#lost
  }

  /** The place, where there is but one. */
  get only(): string | undefined {
    const [first, second] = this.#places
    return this.#lost || second !== undefined ? undefined : first
  }

  /** What a path as written may mean. A `..` stays: after a link it leaves the directory that the link leads to. */
  absolute(...written: string[]): string[] {
    const whole = written.reduce((before, part) =>
      before === '' || part.startsWith('/') ? part : `${before}/${part}`,
    )
    return [...this.#places].map(place => (whole.startsWith('/') ? whole : `${place}/${whole}`))
  }

  /** The paths that a word stands for, as written; of a glob those that are there. undefined: nobody can say. */
  names(word: ShellWord): string[] | undefined {
    if (!word.glob) return word.value === undefined ? undefined : [word.value]
    const { look } = this.#ground
    const found: string[] = []
    for (const pattern of this.absolute(word.value ?? '')) {
      const paths = look.glob(pattern)
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

  /**
   * Where `cd` leads to from the only place. bash takes `..` for the directory before it as it is written, the system for the
   * one that it lies in: where these differ, undefined.
   */
  follow(to: string): string | undefined {
    const { look } = this.#ground
    const [place] = this.#places
    if (place === undefined) return undefined
    const written = path.resolve(place, to)
    return look.real(written) === look.real(`${to.startsWith('/') ? '' : place}/${to}`) ? written : undefined
  }

  /** Follows a `cd`. → why it is not known to stay in the project. */
  go(words: readonly ShellWord[]): Said | undefined {
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
      return said('permission.where_goes', { what: `\`${words.map(({ text }) => text).join(' ')}\`` })
    }
    let leaves: Said | undefined
    const targets = [...this.#places].flatMap(place => [path.resolve(place, value), ...this.absolute(value)])
    for (const target of targets.map(file => look.real(file))) {
      if (this.#places.size >= MOST_PLACES) this.#lost = true
      else this.#places.add(target)
      if (!isInside(target, project)) leaves = said('permission.leaves_project', { file: target })
    }
    return leaves
  }
}
