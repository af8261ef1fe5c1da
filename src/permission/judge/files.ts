/** The files of a line: what it reads and writes, by their real paths, and which of them are protected, secret or elsewhere. */
import path from 'node:path'
import type { Verdict } from '../commands/verdict.ts'
import { writesNamed, written } from '../commands/writers.ts'
import { isInside, protectedFor, refused, secret } from '../paths.ts'
import { plainWord, type ShellRedirect, type ShellWord } from '../shell/line.ts'
import { likelyValues } from './guess.ts'
import type { Ground, Judged } from './judged.ts'
import type { Places } from './places.ts'

/** Their words are no paths. */
const SAYING: ReadonlySet<string> = new Set('echo printf true false : export declare local'.split(' '))
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
    if (verdict.changes === undefined && !SAYING.has(name)) this.#read(words, verdict)
    else if (!SAYING.has(name)) this.#mayChange(name, words.slice(1), verdict)
  }

  /** Any word may be a file that is read or written. */
  #mayChange(name: string, words: readonly ShellWord[], verdict: Verdict): void {
    const { gopiHome, home, look, project } = this.#ground
    const writes = writesNamed(name, words)
    for (const word of words.flatMap(word => valuesIn(word, home))) {
      const targets = this.#places.resolve(word) ?? []
      for (const target of targets) {
        this.#keepSecret(target)
        const why = writes ? protectedFor(target, gopiHome) : undefined
        if (why !== undefined) this.#judged.protected.push(why)
        this.#judged.reads.push(target)
        if (/[/~]/.test(word.text) || look.kind(target) !== 'missing') this.#judged.touches.push(target)
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
    for (const word of written(name, args).flatMap(one => valuesIn(one, home))) {
      if (word.value?.startsWith('-') || HARMLESS_DEVICES.test(word.value ?? '')) continue
      for (const target of this.#places.resolve(word) ?? []) {
        if (!isInside(target, project)) this.#judged.outside.push(target)
        if (overwrites && look.kind(target) === 'file' && !isOwn(target))
          this.#judged.hard.push(`tee overwrites ${target}`)
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

  #read(words: readonly ShellWord[], verdict: Verdict): void {
    const { look, project } = this.#ground
    const glob = words.slice(1).find(word => word.glob && this.#places.names(word) === undefined)
    if (glob) {
      verdict.changes = verdict.unclear = `gopi cannot tell which files \`${glob.text}\` stands for`
      return
    }
    if (verdict.here && this.#places.lost) verdict.changes = 'gopi cannot tell which directory this runs in'
    const outside: string[] = []
    for (const file of this.#readBy(verdict)) {
      const from = verdict.goes !== undefined && file !== verdict.goes ? verdict.goes : ''
      for (const absolute of this.#places.absolute(from, file)) {
        if (HARMLESS_DEVICES.test(absolute)) continue
        const target = look.real(absolute)
        this.#judged.reads.push(target)
        this.#judged.touches.push(target)
        this.refuse(target)
        if (!verdict.lists) {
          this.#keepSecret(target)
          this.#keepSecret(absolute)
        }
        if (!verdict.lists && look.kind(absolute) === 'special')
          verdict.changes = `${target} is no regular file`
        if (!isInside(target, project)) outside.push(target)
        if (verdict.deep) outside.push(...this.#below(target, verdict))
      }
    }
    if (outside.length === 0) return
    verdict.outside = outside
    verdict.changes ??= `reads outside the project: ${outside[0]}`
  }

  #readBy({ reads = [], here }: Verdict): string[] {
    const named = reads.flatMap(word => this.#places.names(word) ?? [word.value ?? ''])
    return [...named, ...(here ? ['.'] : [])].filter(file => file !== '-')
  }

  /** What a search of a whole directory comes by. → what of it lies outside the project. */
  #below(directory: string, verdict: Verdict): string[] {
    const { look, project } = this.#ground
    if (look.kind(directory) !== 'directory') return []
    const found = look.below(directory)
    if (found === undefined) {
      verdict.changes = `gopi cannot look at all that lies below ${directory}`
      return []
    }
    for (const file of found.files) this.#keepSecret(file)
    const links = verdict.deep === 'files and links' ? found.links : []
    const targets = links.map(link => look.real(link))
    for (const target of targets) this.#keepSecret(target)
    return targets.filter(target => !isInside(target, project))
  }

  redirect({ operator, target }: ShellRedirect): void {
    if (/^[<>]&$/.test(operator) && /^(\d+|-)$/.test(target.text)) return
    const isWrite = operator !== '<'
    if (target.value !== undefined && HARMLESS_DEVICES.test(target.value)) return
    if (target.value === undefined || target.glob) {
      // `< <(…)`: what it runs is judged by itself.
      if (!isWrite && /^<\(/.test(target.text)) return
      const why = `gopi cannot tell which file a redirect ${isWrite ? 'write' : 'read'}s: ${target.text}`
      if (isWrite && !/^>\(/.test(target.text)) this.#judged.hard.push(why)
      else this.#judged.unclear.push(why)
      for (const value of likelyValues(target, this.#ground.home)) this.#keepSecret(path.resolve('/', value))
      return
    }
    this.refuse(target.value)
    if (/^\/dev\/(tcp|udp)\//.test(target.value)) {
      this.#judged.hard.push(`opens a network connection: ${target.value}`)
      return
    }
    const places = this.#places.resolve(target)
    if (places === undefined) this.#judged.unclear.push(`gopi cannot tell where ${target.text} is`)
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
    if (this.#ground.look.kind(file) === 'special') this.#judged.unclear.push(`${file} is no regular file`)
    if (!isInside(file, this.#ground.project)) this.#judged.unclear.push(`reads outside the project: ${file}`)
  }

  #written(file: string, operator: string): void {
    const { look, gopiHome, isOwn } = this.#ground
    this.#judged.writes.push(file)
    const why = protectedFor(file, gopiHome) ?? secret(file)
    if (why !== undefined) this.#judged.protected.push(why)
    const kind = look.kind(file)
    if (kind === 'special') this.#judged.hard.push(`a redirect writes to ${file}, which is no regular file`)
    if (kind === 'file' && !/>>$/.test(operator) && !isOwn(file))
      this.#judged.hard.push(`a redirect overwrites ${file}`)
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
          ? 'a pattern for files of /proc'
          : undefined)
      if (why !== undefined) {
        this.#judged.refused.push(why)
        return
      }
    }
  }
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
