/** Judges a command line: every part of it, by what it would run, read and write. Pure over what `look` says. */
import type { Said } from '../../protocol/sayings.ts'
import { said } from '../../words/sayings/said.ts'
import { EVALUATORS } from '../commands/evaluators.ts'
import { handedOn } from '../commands/handed-on.ts'
import { hardClass, runsRemoteCode } from '../commands/hard.ts'
import { commandsIn, filesIn, textsOf } from '../commands/text.ts'
import { isSetting } from '../gate/scan.ts'
import type { Unwrapped } from '../shell/inner.ts'
import type { ShellCommand, ShellWord } from '../shell/line.ts'
import { parseLine } from '../shell/parse.ts'
import { programOf, wordsText } from '../shell/programs.ts'
import { unwrap } from '../shell/unwrap.ts'
import { Files } from './files.ts'
import { type Ground, type Judged, nothingJudged, type Verdict } from './judged.ts'
import { knownVerdict } from './known.ts'
import { doubtfulName, setting } from './names.ts'
import { Places } from './places.ts'

/** Wrappers in wrappers: deeper than that nobody writes by accident. */
const DEEPEST = 12
/** A line of 32 KB holds fewer; lines in lines, run by loops, may multiply. */
const MOST_COMMANDS = 20_000
/** So many words are looked at where each may be the program that runs. */
const MOST_WORDS = 100

/** A line in one word, or right behind an option: `-S'rm x'`, `--command=rm x`. */
const LINE = /^(?:-[a-zA-Z]|--[\w-]+=|[A-Z]+:)?([^-][\s\S]*\s[\s\S]*)$/

/** `cwd`: where the shell is, as it names it itself. The parser has to be loaded. */
export function judgeLine(text: string, cwd: string, ground: Ground): Judged {
  const judge = new Judge(ground.look.real(cwd), ground)
  judge.line(text, 0)
  return judge.finish()
}

interface Call {
  /** As it is shown. */
  text: string
  /** Assignments before it that matter. */
  set: string[]
  depth: number
  input?: string | undefined
  /** Whether this is a command, or words of another one, nobody knows. */
  guessed?: true | undefined
}

class Judge {
  readonly #ground: Ground
  readonly #judged = nothingJudged()
  readonly #places: Places
  readonly #files: Files
  readonly #programs: string[] = []

  constructor(cwd: string, ground: Ground) {
    this.#ground = ground
    this.#places = new Places([cwd], ground)
    this.#files = new Files(this.#judged, this.#places, ground)
  }

  line(text: string, depth: number): void {
    const { commands, doubts, unclear, odd } = parseLine(text, this.#ground.home)
    if (odd || depth > 0) this.#judged.odd = true
    this.#judged.hard.push(...doubts)
    this.#judged.unclear.push(...unclear)
    for (const command of commands) this.#command(command, depth)
  }

  finish(): Judged {
    if (runsRemoteCode(this.#programs)) this.#judged.hard.push(said('permission.runs_remote', {}))
    return this.#judged
  }

  #command({ text, words, assignments, redirects, input }: ShellCommand, depth: number): void {
    const set = assignments
      .filter(({ name, value }) => words.length === 0 || !isSetting(`${name}=${value?.value ?? '$'}`))
      .map(assignment => assignment.text)
    this.#texts(
      assignments.flatMap(({ value }) => (/\s/.test(value?.value ?? '') ? (value?.value ?? '') : [])),
    )
    if (words.length > 0) this.#simple(words, { text, set, depth, input })
    else if (set.length > 0) this.#part(set, { text, set, verdict: setting(set) })
    for (const { at, ...redirect } of redirects)
      this.#files.redirect({ ...redirect, ...(at && depth === 0 && { at }) })
  }

  #simple(words: ShellWord[], call: Call): void {
    const { text, set, depth } = call
    if (depth > DEEPEST || this.#programs.length > MOST_COMMANDS) {
      this.#judged.hard.push(said('permission.many_nested', {}))
      return
    }
    this.#nameOf(words)
    const name = programOf(words)
    this.#programs.push(words[0]?.value ?? '')
    for (const word of words) this.#files.refuse(word.value ?? word.text)
    this.#hard(words)

    // What comes after it, and later lines, are no longer what they were.
    if (/^(trap|exec)$/.test(name))
      this.#judged.unclear.push(said('permission.may_evaluate', { what: `\`${name}\`` }))
    const inner = unwrap(words, call.input)
    if (inner?.kind === 'words' || inner?.kind === 'line') {
      this.#part(words.map(wordValue), { text, set, verdict: { wraps: true } })
      this.#instead(inner, call)
      return
    }
    if (inner?.kind === 'anywhere') this.#anywhere(words, inner.why, call)
    if (inner?.kind === 'file')
      this.#part(inner.words.map(wordValue), { text: wordsText(inner.words), set: [], verdict: {} })
    if (inner?.kind === 'carries') this.#carried(words.slice(inner.from), call)
    const { words: others, lines } = handedOn(name, words)
    for (const other of others) this.#simple(other, { text: wordsText(other), set: [], depth: depth + 1 })
    for (const line of lines) this.line(line, depth + 1)

    const known = knownVerdict(words, { set, places: this.#places, look: this.#ground.look })
    const verdict = inner?.kind === 'hidden' ? { ...known, unclear: inner.why, hides: inner.why } : known
    // What quotes hide from the parser, these run all the same.
    const evaluated = EVALUATORS.has(name) && words.find(({ value }) => /\$\(|`/.test(value ?? ''))
    if (evaluated) this.#judged.hard.push(said('permission.runs_word', { name, what: evaluated.text }))
    if (/^(cd|pushd|popd)$/.test(name)) {
      const leaves = this.#places.go(words)
      if (leaves !== undefined) verdict.changes = leaves
    }
    if (call.guessed) verdict.guessed = true
    this.#part(words.map(wordValue), { text, set, verdict })
    this.#files.touch(name, words, verdict)
    if (verdict.changes !== undefined) this.#texts(textsOf(words, call.input))
  }

  /** What is code to a program may be a command or a file: a guess, so that it can only ask. */
  #texts(texts: readonly string[]): void {
    const { home } = this.#ground
    for (const text of texts) {
      for (const words of commandsIn(text, home)) {
        this.#judged.mentions.push(words.map(wordValue))
        if (words.length > 1) this.#hard(words)
      }
      this.#files.named(filesIn(text, home))
    }
  }

  #hard(words: readonly ShellWord[]): void {
    const hard = hardClass(words, { ...this.#ground, resolve: word => this.#places.resolve(word) })
    if (hard !== undefined) this.#judged.hard.push(hard)
  }

  #nameOf([first]: readonly ShellWord[]): void {
    const doubt = doubtfulName(first)
    if (doubt !== undefined) this.#judged.hard.push(doubt)
  }

  /** The wrapper was a part of its own, so that a rule may forbid it; what it runs is judged in its place. */
  #instead(inner: Extract<Unwrapped, { kind: 'words' | 'line' }>, { set, depth, input }: Call): void {
    if (inner.kind === 'words') {
      const more: ShellWord[] = inner.more ? [{ text: '…', value: undefined, glob: false }] : []
      const added = inner.assignments.filter(text => !isSetting(text))
      this.#simple([...inner.words, ...more], {
        text: wordsText(inner.words),
        set: [...set, ...added],
        depth: depth + 1,
        input,
      })
      return
    }
    this.line(inner.text, depth + 1)
    if (inner.doubt !== undefined) {
      this.#judged.unclear.push(inner.doubt)
      this.#judged.hidden.push(inner.doubt)
    }
    if (set.length > 0) this.#judged.unclear.push(setting(set).changes)
  }

  /** A program runs another one somewhere among its words: rules that forbid look at each. */
  #anywhere(words: ShellWord[], why: Said, { depth, input }: Call): void {
    this.#judged.unclear.push(why)
    if (this.#tooMany(words)) return
    for (let n = 1; n < words.length; n++) {
      const rest = words.slice(n)
      const value = rest[0]?.value
      const line = LINE.exec(value ?? '')?.[1]
      if (line !== undefined) this.line(line, depth + 1)
      else if (value === undefined || !/^[\w.+@][\w./+@-]*$|^\//.test(value)) {
        if (value === undefined) this.#judged.hidden.push(why)
        const isProgram = words.slice(1, n).every(word => word.value?.startsWith('-'))
        if (value === undefined && isProgram) this.#nameOf(rest)
      } else {
        const guessed = words.slice(1, n).some(word => !word.value?.startsWith('-')) || undefined
        this.#simple(rest, { text: wordsText(rest), set: [], depth: depth + 2, input, guessed })
        // The next program among them is found by that call.
        if (unwrap(rest)?.kind === 'anywhere') return
      }
    }
  }

  /** Any of the words may be the program that it runs: what forbids, and the hard class, look at each. */
  #carried(words: ShellWord[], { depth, input }: Call): void {
    if (this.#tooMany(words)) return
    for (let n = 0; n < words.length; n++) {
      const rest = words.slice(n)
      const text = wordsText(rest)
      if (unwrap(rest) !== undefined) {
        this.#simple(rest, { text, set: [], depth: depth + 1, input })
        return
      }
      this.#part(rest.map(wordValue), { text, set: [], verdict: { wraps: true } })
      this.#hard(rest)
      // `-c 'rm x'`
      const isLine = [words[n - 1], words[n]].some(word =>
        /^(-[cC]|--(command|call))(=|$)/.test(word?.value ?? ''),
      )
      const line = isLine ? LINE.exec(words[n]?.value ?? '')?.[1] : undefined
      if (line !== undefined) this.line(line, depth + 1)
    }
  }

  #tooMany({ length }: readonly ShellWord[]): boolean {
    if (length > MOST_WORDS) this.#judged.hard.push(said('permission.many_words', {}))
    return length > MOST_WORDS
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
    if (verdict.hides !== undefined) this.#judged.hidden.push(verdict.hides)
  }
}

const wordValue = ({ value, glob }: ShellWord) => (glob ? undefined : value)
