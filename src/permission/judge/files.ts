/** The files of a line: what it reads and writes, by their real paths, and which of them are protected, secret or elsewhere. */

import path from 'node:path'
import { isInside } from '../../paths/inside.ts'
import { protectedFor, refused, secret } from '../../paths/names.ts'
import { said } from '../../words/sayings/said.ts'
import { writesNamed, written } from '../commands/writers.ts'
import type { Look } from '../look.ts'
import { plainWord, type ShellRedirect, type ShellWord } from '../shell/line.ts'
import { likelyValues } from './guess.ts'
import type { Ground, Judged, Reading, Verdict } from './judged.ts'
import type { Places } from './places.ts'

/** Their words are no paths. */
const SAYING: ReadonlySet<string> = new Set('echo printf true false : export declare local'.split(' '))
/** What they change is the name of a file, or a new file. */
const UNLINKING = /^(rm|mv|ln|unlink|rimraf|trash|srm|rmdir|mkdir|sed|perl)$/
/** Reading or writing them does nothing. 63: what bash hands over for `<(…)`. */
const HARMLESS_DEVICES = /^\/dev\/(null|stdin|stdout|stderr|fd\/([012]|63))$/

export class Files {
  readonly #judged: Judged
  readonly #places: Places
  readonly #ground: Ground

  constructor(judged: Judged, places: Places, ground: Ground) {
    this.#judged = judged
    this.#places = places
    this.#ground = ground
  }

  /** What a command reads, and what it may change; `verdict` learns what that says about the call. */
  touch(name: string, words: readonly ShellWord[], verdict: Verdict): void {
    if (verdict.changes === undefined && !SAYING.has(name)) this.#readAll(verdict)
    else if (!SAYING.has(name)) this.#mayChange(name, words.slice(1), verdict)
  }

  /** Any word may be a file that is read or written. */
  #mayChange(name: string, words: readonly ShellWord[], verdict: Verdict): void {
    const { gopiHome, home, look, project } = this.#ground
    const writes = writesNamed(name, words)
    const hosts = words.flatMap(({ value, text }) => hostIn(value ?? text) ?? [])
    this.#judged.touches.push(...hosts)
    for (const word of words.flatMap(word => valuesIn(word, home))) {
      const targets = HARMLESS_DEVICES.test(word.value ?? '') ? [] : (this.#places.resolve(word) ?? [])
      for (const target of targets) {
        this.#keepSecret(target)
        const why = writes ? protectedFor(target, gopiHome) : undefined
        if (why !== undefined) this.#judged.protected.push(why)
        this.#judged.reads.push(target)
        if (isSurelyPath(word, target, look)) this.#judged.touches.push(target)
      }
    }
    this.#changed(name, words)
    if (verdict.goes === undefined) return
    for (const target of this.#places.absolute(verdict.goes).map(file => look.real(file)))
      if (!isInside(target, project)) this.#judged.outside.push(target)
  }

  /** What a program is told to write. */
  #changed(name: string, args: readonly ShellWord[]): void {
    const { home, look, project, isOwn } = this.#ground
    // To a person tee is a redirect.
    const overwrites = name === 'tee' && !args.some(({ value }) => /^(-[a-z]*a|--a)/.test(value ?? ''))
    const all = written(name, args).flatMap(one =>
      valuesIn(one, home).map(word => ({ word, argument: one.value ?? '' })),
    )
    for (const { word, argument } of all) {
      if (word.value?.startsWith('-') || HARMLESS_DEVICES.test(word.value ?? '')) continue
      for (const target of this.#places.resolve(word) ?? []) {
        // What hangs on an option is seldom a file: `-rf` does not touch f.
        const isNamed = !argument.startsWith('-') || isSurelyPath(word, target, look)
        if (isNamed && hostIn(argument) === undefined) this.#judged.touches.push(target)
        if (!isInside(target, project)) this.#judged.outside.push(target)
        const other = UNLINKING.test(name) ? undefined : look.otherNames(target)
        if (other !== undefined) this.#judged.protected.push(other)
        if (overwrites && look.kind(target) === 'file' && !isOwn(target))
          this.#judged.hard.push(said('permission.overwrites', { name, file: target }))
      }
    }
  }

  /** Words that may name a file which some code reads or writes. */
  named(words: readonly ShellWord[]): void {
    for (const target of words.flatMap(word => this.#places.resolve(word) ?? [])) {
      this.#keepSecret(target)
      const why = protectedFor(target, this.#ground.gopiHome)
      if (why !== undefined) this.#judged.protected.push(why)
    }
  }

  #readAll(verdict: Verdict): void {
    this.read(verdict)
    for (const file of verdict.spares ?? []) this.#keepSecret(file)
  }

  /** What a command reads; `verdict` learns what that says about it. */
  read(verdict: Reading): void {
    const { look, project } = this.#ground
    if (verdict.here && this.#places.lost) verdict.changes = said('permission.which_directory', {})
    const outside: string[] = []
    for (const file of this.#readBy(verdict)) {
      const from = verdict.goes !== undefined && file !== verdict.goes ? verdict.goes : ''
      for (const absolute of this.#places.absolute(from, file)) {
        if (HARMLESS_DEVICES.test(absolute)) continue
        this.refuse(absolute)
        const target = look.real(absolute)
        this.#judged.reads.push(target)
        this.#judged.touches.push(target)
        this.refuse(target)
        if (!verdict.lists) {
          this.#keepSecret(target)
          this.#keepSecret(path.normalize(absolute))
        }
        if (!verdict.lists && look.kind(absolute) === 'special')
          verdict.changes = said('permission.is_irregular', { file: target })
        if (!isInside(target, project)) outside.push(target)
        if (verdict.deep) outside.push(...this.#below(target, verdict))
      }
    }
    const [first] = outside
    if (first === undefined) return
    verdict.outside = outside
    verdict.changes ??= said('permission.reads_outside', { file: first })
  }

  #readBy({ reads = [], here }: Reading): string[] {
    // To most programs a dash is their input; to some it is a file of that name.
    const isThere = () => this.#places.absolute('-').some(file => this.#ground.look.kind(file) !== 'missing')
    return [...reads, ...(here ? ['.'] : [])].filter(file => file !== '-' || isThere())
  }

  /** What a search of a whole directory comes by. → what of it lies outside the project. */
  #below(directory: string, verdict: Reading): string[] {
    const { look, project } = this.#ground
    if (look.kind(directory) !== 'directory') return []
    const found = look.below(directory)
    if (found === undefined) {
      verdict.changes = said('permission.cannot_look', { directory })
      return []
    }
    // Hidden ones too: an ignore file can name what is to be found all the same.
    if (verdict.deep !== 'links')
      for (const file of found.files)
        if (verdict.deep !== 'unless secret') this.#keepSecret(file)
        else if (secret(file)) verdict.spares = (verdict.spares ?? new Set()).add(file)
    const follows = verdict.deep?.endsWith('links') === true
    const links = follows ? found.links : []
    const elsewhere = follows ? found.passed.flatMap(passed => this.#below(passed, verdict)) : []
    const targets = links.map(link => look.real(link))
    for (const target of targets) this.#keepSecret(target)
    return [...elsewhere, ...targets.filter(target => !isInside(target, project))]
  }

  redirect({ operator, target, at }: ShellRedirect): void {
    if (/^[<>]&$/.test(operator) && /^(\d+|-)$/.test(target.text)) {
      // From 10 on they are bash's and gopi's own.
      if (Number(target.text) > 9)
        this.#judged.hard.push(said('permission.what_does', { what: `${operator}${target.text}` }))
      return
    }
    const isWrite = operator !== '<'
    if (target.value !== undefined && HARMLESS_DEVICES.test(target.value)) return
    if (target.value === undefined || target.glob) {
      // `< <(…)`: what it runs is judged by itself.
      if (!isWrite && /^<\(/.test(target.text)) return
      const which = isWrite ? 'permission.which_redirect_writes' : 'permission.which_redirect_reads'
      const why = said(which, { what: target.text })
      if (isWrite && !/^>\(/.test(target.text)) this.#judged.hard.push(why)
      else this.#judged.unclear.push(why)
      for (const value of likelyValues(target, this.#ground.home)) this.#keepSecret(path.resolve('/', value))
      return
    }
    this.refuse(target.value)
    if (/^\/dev\/(tcp|udp)\//.test(target.value)) {
      this.#judged.hard.push(said('permission.network', { what: target.value }))
      return
    }
    const places = this.#places.resolve(target)
    if (places === undefined) this.#judged.unclear.push(said('permission.where_is', { what: target.text }))
    const [only, ...others] = places ?? []
    if (isWrite && at && only !== undefined && others.length === 0)
      this.#judged.bound.push({ file: only, ...at })
    for (const file of places ?? []) {
      this.refuse(file)
      this.#judged.touches.push(file)
      if (isWrite) this.#written(file, operator)
      else this.#readFrom(file)
    }
  }

  #readFrom(file: string): void {
    this.#judged.reads.push(file)
    this.#keepSecret(file)
    if (this.#ground.look.kind(file) === 'special')
      this.#judged.unclear.push(said('permission.is_irregular', { file }))
    if (!isInside(file, this.#ground.project))
      this.#judged.unclear.push(said('permission.reads_outside', { file }))
  }

  #written(file: string, operator: string): void {
    const { look, gopiHome, isOwn } = this.#ground
    this.#judged.writes.push(file)
    const why = protectedFor(file, gopiHome) ?? secret(file) ?? look.otherNames(file)
    if (why !== undefined) this.#judged.protected.push(why)
    const kind = look.kind(file)
    if (kind === 'special') this.#judged.hard.push(said('permission.redirect_irregular', { file }))
    if (kind === 'file' && !/>>$/.test(operator) && !isOwn(file))
      this.#judged.hard.push(said('permission.redirect_overwrites', { file }))
  }

  #keepSecret(target: string): void {
    const why = secret(target)
    if (why !== undefined) this.#judged.protected.push(why)
  }

  /** What no call may touch, wherever it is written. */
  refuse(written: string): void {
    for (const file of [written, written.replace(/^[\w-]+=(?=\/proc)/, ''), written.replace(/^[@<]+/, '')]) {
      const why =
        refused(path.posix.normalize(file)) ??
        (/^\/proc\/[^/]*[*?[][^/]*\/|^\/proc\/[^/]+\/[^/]*[*?[]/.test(file)
          ? said('permission.proc_pattern', {})
          : undefined)
      if (why !== undefined) {
        this.#judged.refused.push(why)
        return
      }
    }
  }
}

/** The host that a URL, or the place of a file on another machine, names. */
const hostIn = (word: string): string | undefined =>
  /^[a-z][a-z\d+.-]*:\/\/(?:[^/@\s]*@)?([\w.-]+\.\w+|localhost|\[[\da-f:]+\])(?=[:/?#]|$)/i.exec(word)?.[1] ??
  /^[\w.-]+@([\w-]+(?:\.[\w-]+)+):/.exec(word)?.[1]

/** Whether a person would call it a path: `s/old/new/` and the `test` of `npm test` are none, whatever is there. */
function isSurelyPath({ value = '' }: ShellWord, target: string, look: Look): boolean {
  if (hostIn(value) !== undefined || value.startsWith('//')) return false
  if (look.kind(target) !== 'missing')
    return /[/~]/.test(value) || (look.kind(target) === 'file' && /\w\.\w/.test(value))
  const directory = path.dirname(target)
  return /^(\.{1,2}|~)?\//.test(value) && directory !== '/' && look.kind(directory) === 'directory'
}

/** A word as an argument and as the value of an option: `--file=x`, `of=x`, `@x`, `HEAD:x`. */
function valuesIn(word: ShellWord, home: string): ShellWord[] {
  return likelyValues(word, home).flatMap(value => {
    const whole = word.value === undefined ? { ...word, value, glob: false } : word
    const inner = /^(?:--?[\w-]+=|[\w-]+=|.*[@:]|-[a-zA-Z])(.+)$/.exec(value)?.[1]
    // `~/.ssh:/x`: docker and scp name two places in one word.
    const outer = /^([~/][^:]*):/.exec(value)?.[1]
    return [whole, ...[inner, outer].flatMap(part => (part === undefined ? [] : plainWord(part)))]
  })
}
