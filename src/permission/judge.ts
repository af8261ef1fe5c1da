/** Judges a command line: every part of it, by what it would run, read and write. Pure over what `look` says. */
import path from 'node:path'
import { EVALUATORS, evaluates } from './commands/evaluators.ts'
import { judgeGit } from './commands/git.ts'
import { hardClass, runsRemoteCode } from './commands/hard.ts'
import { FIND_RUNS, judgeFind, judgeJq, judgePrintf, judgeSed, judgeTest } from './commands/languages.ts'
import { readOptions } from './commands/options.ts'
import { READERS, type Reader, VERSIONED } from './commands/read-only.ts'
import type { Verdict } from './commands/verdict.ts'
import type { Look } from './look.ts'
import { isInside, protectedFor, refused, secret } from './paths.ts'
import type { ShellCommand, ShellRedirect, ShellWord } from './shell/line.ts'
import { parseLine } from './shell/parse.ts'
import { programOf, unwrap } from './shell/unwrap.ts'

/** Where a call is judged. Every directory is a real path. */
export interface Ground {
  project: string
  home: string
  gopiHome: string
  look: Look
  /** Whether this session wrote the file. */
  isOwn(real: string): boolean
}

/** One simple command of a line, judged. */
export interface Part {
  /** As it is shown. */
  text: string
  /** Assignments that matter, the program, its arguments; undefined where only running it would tell. */
  words: (string | undefined)[]
  /** How many of `words` are assignments. */
  assignments: number
  verdict: Verdict
}

export interface Judged {
  parts: Part[]
  /** Real paths that the line is known to read. */
  reads: string[]
  /** Real paths that its redirects write. */
  writes: string[]
  refused: string[]
  hard: string[]
  protected: string[]
  /** What no rule speaks for. */
  unclear: string[]
}

/** Wrappers in wrappers: deeper than that nobody writes by accident. */
const DEEPEST = 12
/** Directories that a line with `cd` may be in. */
const MOST_PLACES = 16

const HARMLESS_VARIABLES = /^(LANG|LANGUAGE|LC_[A-Z]+|TZ|NO_COLOR)$/
const SAID_VARIABLES =
  /^(HOME|PWD|OLDPWD|USER|LOGNAME|SHELL|HOSTNAME|LANG|TERM|RANDOM|SECONDS|LINENO|\d+|[A-Z]?)$/

/** `cwd`: where the shell is, a real path. The parser has to be loaded. */
export function judgeLine(text: string, cwd: string, ground: Ground): Judged {
  const judge = new Judge(cwd, ground)
  judge.line(text, 0)
  return judge.finish()
}

class Judge {
  readonly #ground: Ground
  readonly #judged: Judged = {
    parts: [],
    reads: [],
    writes: [],
    refused: [],
    hard: [],
    protected: [],
    unclear: [],
  }
  readonly #programs: string[] = []
  readonly #variables = new Set<string>()
  /** Where the line may be by now; undefined among them: nobody knows. */
  readonly #places: Set<string>
  #lost = false

  constructor(cwd: string, ground: Ground) {
    this.#ground = ground
    this.#places = new Set([cwd])
  }

  line(text: string, depth: number): void {
    const { commands, doubts, unclear, variables } = parseLine(text, this.#ground.home)
    for (const name of variables) this.#variables.add(name)
    this.#judged.hard.push(...doubts)
    this.#judged.unclear.push(...unclear)
    for (const command of commands) this.#command(command, depth)
  }

  finish(): Judged {
    if (runsRemoteCode(this.#programs)) this.#judged.hard.push('runs what it gets from elsewhere')
    return this.#judged
  }

  #command({ text, words, assignments, redirects }: ShellCommand, depth: number): void {
    const set = assignments
      .filter(
        ({ name, value }) =>
          words.length === 0 || !HARMLESS_VARIABLES.test(name) || value?.value === undefined,
      )
      .map(assignment => assignment.text)
    if (words.length > 0) this.#simple(words, { text, set, depth })
    else if (set.length > 0) this.#part(set, { text, set, verdict: setting(set) })
    for (const redirect of redirects) this.#redirect(redirect)
  }

  #simple(words: ShellWord[], { text, set, depth }: { text: string; set: string[]; depth: number }): void {
    const [first] = words
    if (first?.value === undefined || first.glob || first.text.includes("$'")) {
      this.#judged.hard.push(`gopi cannot tell which program \`${first?.text}\` is`)
    }
    if (depth > DEEPEST) {
      this.#judged.hard.push('too many programs that run one another')
      return
    }
    const name = programOf(words)
    this.#programs.push(name)
    for (const word of words) this.#refuse(word.value ?? word.text)
    const hard = hardClass(words, { ...this.#ground, resolve: word => this.#resolve(word) })
    if (hard !== undefined) this.#judged.hard.push(hard)

    const inner = unwrap(words)
    if (inner?.kind === 'words') {
      for (const assignment of inner.assignments)
        if (!HARMLESS_VARIABLES.test(assignment.replace(/=[\s\S]*/, ''))) set = [...set, assignment]
      const more: ShellWord[] = inner.more ? [{ text: '…', value: undefined, glob: false }] : []
      this.#whole(words, { text, set })
      this.#simple([...inner.words, ...more], { text: wordsText(inner.words), set, depth: depth + 1 })
      return
    }
    if (inner?.kind === 'line') {
      this.#whole(words, { text, set })
      this.line(inner.text, depth + 1)
      if (set.length > 0) this.#judged.unclear.push(setting(set).changes ?? '')
      return
    }
    if (inner?.kind === 'anywhere') this.#anywhere(words, { why: inner.why, depth })
    this.#handedOn(name, words, depth)
    const known = this.#verdict(name, words, set)
    const verdict = inner?.kind === 'hidden' ? { ...known, unclear: inner.why } : known
    // What quotes hide from the parser, these run all the same.
    if (EVALUATORS.has(name) && words.some(({ value }) => /\$\(|`/.test(value ?? '')))
      this.#judged.hard.push(
        `${name} runs what stands in ${words.map(({ text: word }) => word).find(word => /\$\(|`/.test(word))}`,
      )
    this.#part(words.map(wordValue), { text, set, verdict })
    this.#touch(name, words, verdict)
    if (name === 'cd' || name === 'pushd' || name === 'popd') this.#go(words)
  }

  /** The wrapper itself: a rule may forbid it, but what it runs is judged in its place. */
  #whole(words: ShellWord[], { text, set }: { text: string; set: string[] }): void {
    this.#part(words.map(wordValue), { text, set, verdict: {} })
  }

  /** A program runs another one somewhere among its words: rules that forbid look at each. */
  #anywhere(words: ShellWord[], { why, depth }: { why: string; depth: number }): void {
    this.#judged.unclear.push(why)
    for (let n = 1; n < words.length; n++) {
      const rest = words.slice(n)
      if (!/^[\w./-]+$/.test(rest[0]?.value ?? '') || rest[0]?.value?.startsWith('-')) {
        const value = rest[0]?.value
        if (value?.includes(' ') && !value.startsWith('-')) this.line(value, depth + 1)
        else if (/^(-S|--split-string=)./.test(value ?? ''))
          this.line((value ?? '').replace(/^(-S|--split-string=)/, ''), depth + 1)
        continue
      }
      this.#simple(rest, { text: wordsText(rest), set: [], depth: depth + 2 })
      // The next program among them is found by that call.
      if (unwrap(rest)?.kind === 'anywhere') return
    }
  }

  /** What `find -exec` and `fd -x` hand on. */
  #handedOn(name: string, words: ShellWord[], depth: number): void {
    const runs = name === 'find' ? FIND_RUNS : name === 'fd' || name === 'fdfind' ? FD_RUNS : undefined
    if (!runs) return
    for (const [n, { value }] of words.entries()) {
      if (value === undefined || !runs.has(value)) continue
      const end = words.findIndex((word, m) => m > n && /^[;+]$/.test(word.value ?? ''))
      const inner = words.slice(n + 1, end < 0 ? undefined : end).map(anyFile)
      if (inner.length > 0) this.#simple(inner, { text: wordsText(inner), set: [], depth: depth + 1 })
      if (name !== 'find') this.#judged.unclear.push(`\`${name} ${value}\` runs another program`)
    }
  }

  #verdict(name: string, words: ShellWord[], set: string[]): Verdict {
    const verdict = this.#known(name, words)
    if (set.length > 0)
      return { ...verdict, ...setting(set), ...(verdict.unclear && { unclear: verdict.unclear }) }
    return verdict
  }

  #known(name: string, words: ShellWord[]): Verdict {
    const args = words.slice(1)
    // A path names a file of somebody's, whatever it is called.
    if (words[0]?.value !== name && !/^\/(usr\/)?bin\//.test(words[0]?.value ?? ''))
      return { changes: `gopi does not know what ${words[0]?.text} does` }
    if (
      args.length === 1 &&
      VERSIONED.has(name) &&
      /^(--version|-V|-v)$/.test(args[0]?.value ?? '') &&
      !/^(bash|tar|rg|make|perl)-v$/.test(`${name}${args[0]?.value}`)
    )
      return {}
    switch (name) {
      case 'git':
        return this.#git(judgeGit(args))
      case 'find':
        return judgeFind(args)
      case 'sed':
        return judgeSed(args)
      case 'test':
      case '[':
        return judgeTest(name, args)
      case 'printf':
        return judgePrintf(args)
      case 'jq':
        return judgeJq(args)
      case 'cd':
        return {}
      default:
        return Object.hasOwn(READERS, name)
          ? this.#reader(name, args, READERS[name] as Reader)
          : evaluates(name, args)
    }
  }

  #reader(name: string, args: ShellWord[], reader: Reader): Verdict {
    if (reader.literal) return this.#says(name, args)
    const options = readOptions(args, reader)
    if (typeof options === 'string') return { changes: `\`${name} ${options}\` is not known to only read` }
    const { given, operands } = options
    if (operands.length > (reader.most ?? Number.POSITIVE_INFINITY))
      return { changes: `${name} writes its second file` }
    if (reader.operands === 'none')
      return operands.length > 0
        ? { changes: `\`${name} ${operands[0]?.text}\` is not known to only read` }
        : {}
    if (reader.operands === 'text') return this.#says(name, operands)
    const { after, unless = [] } = reader.operands === 'paths' ? { after: 0 } : reader.operands
    const files = unless.some(option => given.has(option)) ? operands : operands.slice(after)
    const unknown = files.find(({ value }) => value === undefined)
    if (unknown) return { changes: `gopi cannot tell which file \`${name} ${unknown.text}\` reads` }
    const lists = (reader.paths ?? []).flatMap(option => given.get(option) ?? [])
    return {
      reads: [...files.flatMap(word => this.#names(word) ?? [word.value ?? '']), ...lists],
      here: files.length === 0 && (reader.here === true || isRecursive(name, given)),
    }
  }

  /** Words that are only said: what a variable holds may be a secret. */
  #says(name: string, words: ShellWord[]): Verdict {
    for (const { value, text } of words) {
      if (value !== undefined) continue
      for (const [, variable = ''] of text.matchAll(/\$\{?[#!]?(\w*)/g))
        if (!SAID_VARIABLES.test(variable) && !this.#variables.has(variable))
          return { changes: `\`${name} ${text}\` shows what a variable holds` }
    }
    return {}
  }

  #git(verdict: Verdict): Verdict {
    if (verdict.changes !== undefined) return verdict
    if (verdict.here !== true) return verdict
    for (const place of this.#places) {
      const directory = verdict.goes === undefined ? place : path.resolve(place, verdict.goes)
      const trouble = this.#ground.look.gitTrouble(this.#ground.look.real(directory))
      if (trouble !== undefined) return { changes: `git may run other programs here: ${trouble}`, named: 2 }
    }
    return {
      ...verdict,
      reads: [...(verdict.reads ?? []), ...(verdict.goes === undefined ? [] : [verdict.goes])],
    }
  }

  /** The paths that a word stands for, as written; a glob for those that are there. */
  #names(word: ShellWord): string[] | undefined {
    if (!word.glob) return word.value === undefined ? undefined : [word.value]
    const found: string[] = []
    for (const place of this.#places) {
      const paths = this.#ground.look.glob(path.resolve(place, word.value ?? ''))
      if (paths === undefined || paths.some(file => path.basename(file).startsWith('-'))) return undefined
      found.push(...paths)
    }
    return found
  }

  /** The real paths that a word may mean. */
  #resolve(word: ShellWord): string[] | undefined {
    if (this.#lost && !word.value?.startsWith('/')) return undefined
    return this.#names(word)?.flatMap(name =>
      [...this.#places].map(place => this.#ground.look.real(path.resolve(place, name))),
    )
  }

  /** What a command reads, and what it may change that is protected. */
  #touch(name: string, words: ShellWord[], verdict: Verdict): void {
    const { project, gopiHome, look } = this.#ground
    if (verdict.changes !== undefined) {
      if (SAYING.has(name)) return
      for (const word of words.slice(1).flatMap(valuesIn)) {
        for (const target of this.#resolve(word) ?? []) {
          this.#keepSecret(target)
          const why = name === 'git' ? undefined : protectedFor(target, gopiHome)
          if (why !== undefined) this.#judged.protected.push(why)
          this.#judged.reads.push(target)
        }
      }
      return
    }
    for (const word of words.slice(1)) {
      if (word.glob && (verdict.reads?.length ?? 0) > 0 && this.#names(word) === undefined) {
        verdict.changes = `gopi cannot tell which files \`${word.text}\` stands for`
        return
      }
    }
    if (verdict.here && this.#lost) verdict.changes = 'gopi cannot tell which directory this runs in'
    const reads = [...(verdict.reads ?? []), ...(verdict.here ? ['.'] : [])].filter(file => file !== '-')
    for (const file of reads) {
      for (const place of this.#places) {
        const absolute = path.resolve(
          place,
          verdict.goes && !verdict.reads?.includes(verdict.goes) ? verdict.goes : '',
          file,
        )
        if (HARMLESS_DEVICES.test(absolute)) continue
        const target = look.real(absolute)
        this.#judged.reads.push(target)
        this.#refuse(target)
        this.#keepSecret(target)
        this.#keepSecret(absolute)
        if (isRecursiveCall(name, words))
          for (const inside of look.names(target)) this.#keepSecret(path.join(target, inside))
        if (look.kind(absolute) === 'special') verdict.changes = `${target} is no regular file`
        else if (!isInside(target, project)) verdict.changes = `reads outside the project: ${target}`
      }
    }
  }

  #keepSecret(target: string): void {
    const why = secret(target)
    if (why !== undefined) this.#judged.protected.push(why)
  }

  #refuse(written: string): void {
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

  #go(words: ShellWord[]): void {
    const operands = words.slice(1).filter(({ value }) => !/^-[LPe@]+$|^--$/.test(value ?? ''))
    const [to] = operands
    const value = to === undefined ? this.#ground.home : to.value
    if (
      value === undefined ||
      value === '-' ||
      to?.glob ||
      operands.length > 1 ||
      programOf(words) !== 'cd'
    ) {
      this.#lost = true
      const part = this.#judged.parts.at(-1)
      if (part) part.verdict.changes = `gopi cannot tell where \`${wordsText(words)}\` goes`
      return
    }
    for (const place of [...this.#places]) {
      const target = this.#ground.look.real(path.resolve(place, value))
      if (this.#places.size >= MOST_PLACES) this.#lost = true
      else this.#places.add(target)
      const part = this.#judged.parts.at(-1)
      if (part && !isInside(target, this.#ground.project))
        part.verdict.changes = `leaves the project: ${target}`
    }
  }

  #redirect({ operator, target }: ShellRedirect): void {
    const { look, gopiHome } = this.#ground
    if (/^[<>]&$/.test(operator) && /^(\d+|-)$/.test(target.text)) return
    const isWrite = operator !== '<'
    const verb = isWrite ? 'write' : 'read'
    if (target.value !== undefined && HARMLESS_DEVICES.test(target.value)) return
    if (target.value === undefined || target.glob) {
      // `< <(…)`: what it runs is judged by itself.
      if (!isWrite && /^<\(/.test(target.text)) return
      const why = `gopi cannot tell which file a redirect ${verb}s: ${target.text}`
      if (isWrite && !/^>\(/.test(target.text)) this.#judged.hard.push(why)
      else this.#judged.unclear.push(why)
      return
    }
    this.#refuse(target.value)
    if (/^\/dev\/(tcp|udp)\//.test(target.value)) {
      this.#judged.hard.push(`opens a network connection: ${target.value}`)
      return
    }
    const places = this.#resolve(target)
    if (places === undefined) this.#judged.unclear.push(`gopi cannot tell where ${target.text} is`)
    for (const file of places ?? []) {
      this.#refuse(file)
      if (!isWrite) {
        this.#judged.reads.push(file)
        this.#keepSecret(file)
        if (!isInside(file, this.#ground.project))
          this.#judged.unclear.push(`reads outside the project: ${file}`)
        continue
      }
      this.#judged.writes.push(file)
      const why = protectedFor(file, gopiHome) ?? secret(file)
      if (why !== undefined) this.#judged.protected.push(why)
      const kind = look.kind(file)
      if (kind === 'special') this.#judged.hard.push(`a redirect writes to ${file}, which is no regular file`)
      if (kind === 'file' && !/>>$/.test(operator) && !this.#ground.isOwn(file))
        this.#judged.hard.push(`a redirect overwrites ${file}`)
    }
  }

  #part(
    words: (string | undefined)[],
    { text, set, verdict }: { text: string; set: string[]; verdict: Verdict },
  ): void {
    const isAssignment = set === words
    this.#judged.parts.push({
      text,
      words: isAssignment ? words : [...set, ...words],
      assignments: isAssignment ? 0 : set.length,
      verdict,
    })
    if (verdict.hard !== undefined) this.#judged.hard.push(verdict.hard)
    if (verdict.unclear !== undefined) this.#judged.unclear.push(verdict.unclear)
  }
}

/** Their words are no paths. */
const SAYING: ReadonlySet<string> = new Set([
  'echo',
  'printf',
  'true',
  'false',
  ':',
  'export',
  'declare',
  'local',
])
const FD_RUNS: ReadonlySet<string> = new Set(['-x', '-X', '--exec', '--exec-batch'])
const HARMLESS_DEVICES = /^\/dev\/(null|zero|stdin|stdout|stderr|fd\/\d+)$/

const wordValue = ({ value, glob }: ShellWord) => (glob ? undefined : value)
const wordsText = (words: readonly ShellWord[]) => words.map(({ text }) => text).join(' ')

/** `{}` stands for any file. */
const anyFile = (word: ShellWord): ShellWord =>
  word.value?.includes('{}') ? { ...word, value: undefined } : word

const setting = (set: readonly string[]): Verdict => ({
  changes: `sets ${set.map(text => text.replace(/\+?=[\s\S]*/, '')).join(', ')}`,
})

const isRecursive = (name: string, given: ReadonlyMap<string, string>): boolean =>
  /grep$/.test(name) && (given.has('r') || given.has('R') || given.has('recursive'))

const isRecursiveCall = (name: string, words: readonly ShellWord[]): boolean =>
  /^[ef]?grep$/.test(name) &&
  words.some(({ value }) => /^(-[a-zA-Z]*[rR]|--(dereference-)?recursive)/.test(value ?? ''))

/** A word as an argument and as the value of an option: `--file=x`, `of=x`, `@x`. */
function valuesIn(word: ShellWord): ShellWord[] {
  if (word.value === undefined) return []
  const inner = /^(?:--?[\w-]+=|[\w-]+=|.*@|-[a-zA-Z])(.+)$/.exec(word.value)?.[1]
  return inner === undefined ? [word] : [word, { ...word, value: inner, glob: false }]
}
