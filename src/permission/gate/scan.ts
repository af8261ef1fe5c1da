/**
 * Reads the few shapes of a command line that gopi understands in full: simple commands of literal words, joined by pipes
 * and lists, with `if`, and redirects that change nothing. There is no way to be nearly understood: whatever is not
 * spelled out here makes the line one that is not.
 */
import { isPlainLocale } from '../../text/locale.ts'
import { unreadable } from '../shell/gate.ts'

export interface GateWord {
  /** As the command gets it, except for patterns, braces and `~`. */
  value: string
  /** The same, with a NUL in place of each character that stood in quotes. */
  bare: string
}

export interface GateCommand {
  /** As it stands in the line. */
  text: string
  /** `LANG=C` and its like, each as one word. */
  settings: string[]
  words: GateWord[]
  /** As they are to be written. */
  redirects: string[]
  /** Files that it reads from. */
  inputs: GateWord[]
}

/** A joint is an operator, a line break or a keyword. */
export type Piece = { joint: string } | { command: GateCommand }

/** Stands for the directory that the command runs in, where the line says `$PWD` or `$(pwd)`. */
export const HERE = '\ue000'
/** Stands for `$?`. */
export const STATUS = '\ue001'

const END = String.raw`(?=[ \t\n;|&<>]|$)`
const REDIRECT = new RegExp(
  String.raw`&>>?[ \t]*/dev/null${END}|[12]?>>?[ \t]*/dev/null${END}|[12]?>&[12]${END}`,
  'y',
)
const INPUT = /0?<(?![<>&(])[ \t]*/y
const JOINT = /&&|\|\|?&?|;|\n/y
const BLANK = /(?:[ \t]|\\\n)+|#[^\n]*/y
const CONSTANT = /\$(?:\(pwd\)|\{(?:PWD|HOME|\?)\}|(?:PWD|HOME)(?!\w)|\?)/y
/** Here a dollar is a dollar. */
const DOLLAR = /\$(?=["|)/\\ \t\n.,:%;]|$)/y
const KEYWORDS: ReadonlySet<string> = new Set(['if', 'then', 'elif', 'else', 'fi', '!'])
const RESERVED = /^(for|while|until|do|done|case|esac|select|function|coproc|time|in|\{|\}|\[\[|\]\])$/

/** Names that may be set before a command, and what they may be. */
const SETTING = /^(?:TZ=(?!\/)(?:(?!\.\.)[\w/+-])*|NO_COLOR=\w*)$/
const LOCALE = /^(?:LANG|LC_[A-Z]+)=(.*)$/

/** Whether this, before a command, changes nothing but what language, time and colours look like. */
export const isSetting = (text: string): boolean => {
  const locale = LOCALE.exec(text)?.[1]
  return locale === undefined ? SETTING.test(text) : isPlainLocale(locale)
}

/** Whether a text holds what here stands for something else: no word of a line may, and no name on the disk. */
export const holdsMark = (text: string): boolean => /[\ue000\ue001]/.test(text)

/** `home`: what `~` and `$HOME` stand for. undefined: not understood. */
export function scan(text: string, home: string): Piece[] | undefined {
  return unreadable(text) === undefined && !holdsMark(text + home)
    ? new Scanner(text, home).scan()
    : undefined
}

class Scanner {
  readonly #text: string
  readonly #home: string
  readonly #pieces: Piece[] = []
  #at = 0
  #start = 0
  #open: GateCommand | undefined

  constructor(text: string, home: string) {
    this.#text = text
    this.#home = home
  }

  scan(): Piece[] | undefined {
    while (this.#at < this.#text.length) {
      if (this.#take(BLANK) !== undefined) continue
      const isRead = this.#redirect() ?? this.#joint() ?? this.#word()
      if (!isRead) return undefined
    }
    if (!this.#close()) return undefined
    const last = this.#pieces.findLast(piece => !('joint' in piece && piece.joint === '\n'))
    const isOpen = last === undefined || ('joint' in last && !/^(;|fi)$/.test(last.joint))
    return isOpen ? undefined : this.#pieces
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at
    const [found] = pattern.exec(this.#text) ?? []
    if (found === undefined) return undefined
    this.#at += found.length
    return found
  }

  /** false: not understood; undefined: something else stands here. */
  #redirect(): boolean | undefined {
    const start = this.#at
    const redirect = this.#take(REDIRECT)
    if (redirect !== undefined) {
      this.#command(start).redirects.push(redirect)
      return true
    }
    if (this.#take(INPUT) === undefined) return undefined
    const word = this.#read()
    // Which file a number stands for nobody has looked at.
    if (word === undefined || word.value.includes(STATUS)) return false
    this.#command(start).inputs.push(word)
    return true
  }

  #joint(): boolean | undefined {
    const joint = this.#take(JOINT)
    if (joint === undefined) return undefined
    if (joint === '||&' || !this.#close()) return false
    const last = this.#pieces.at(-1)
    // Line breaks may stand anywhere between two commands.
    const isAfter = last !== undefined && ('command' in last || last.joint === 'fi')
    this.#pieces.push({ joint })
    return isAfter || joint === '\n'
  }

  #word(): boolean {
    const start = this.#at
    const word = this.#read()
    if (word === undefined) return false
    const { value, bare } = word
    const isPlain = value === bare
    // `3>x`: the number belongs to the redirect.
    if (isPlain && /^\d+$/.test(value) && /[<>]/.test(this.#text[this.#at] ?? '')) return false
    if (this.#open === undefined && isPlain) {
      if (KEYWORDS.has(value)) {
        this.#pieces.push({ joint: value })
        return true
      }
      if (RESERVED.test(value)) return false
    }
    const command = this.#command(start)
    if (command.words.length === 0 && /^[A-Za-z_]\w*(\[[^\]]*\])?\+?=/.test(bare)) {
      command.settings.push(value)
      return isPlain && isSetting(value)
    }
    command.words.push(word)
    return true
  }

  #command(start: number): GateCommand {
    if (this.#open === undefined) {
      this.#start = start
      this.#open = { text: '', settings: [], words: [], redirects: [], inputs: [] }
    }
    return this.#open
  }

  #close(): boolean {
    const command = this.#open
    if (command === undefined) return true
    this.#open = undefined
    const last = this.#pieces.at(-1)
    if (command.words.length === 0 || (last && 'joint' in last && last.joint === 'fi')) return false
    command.text = this.#text.slice(this.#start, this.#at).trim()
    this.#pieces.push({ command })
    return true
  }

  #read(): GateWord | undefined {
    const word = { value: '', bare: '' }
    const start = this.#at
    for (; this.#at < this.#text.length; ) {
      const c = this.#text[this.#at] ?? ''
      if (/[ \t\n;|&<>]/.test(c)) break
      if (/[()`]/.test(c)) return undefined
      if (c === "'") {
        const end = this.#text.indexOf("'", this.#at + 1)
        if (end < 0) return undefined
        quoted(word, this.#text.slice(this.#at + 1, end))
        this.#at = end + 1
      } else if (c === '"') {
        this.#at++
        if (!this.#inQuotes(word)) return undefined
      } else if (c === '\\') {
        const next = this.#text[this.#at + 1]
        if (next === undefined) return undefined
        if (next !== '\n') quoted(word, next)
        this.#at += 2
      } else if (c === '$') {
        if (!this.#dollar(word)) return undefined
      } else {
        word.value += c
        word.bare += c
        this.#at++
      }
    }
    return this.#at > start ? word : undefined
  }

  #inQuotes(word: GateWord): boolean {
    for (; this.#at < this.#text.length; ) {
      const c = this.#text[this.#at] ?? ''
      if (c === '`') return false
      if (c === '$') {
        if (!this.#dollar(word)) return false
        continue
      }
      this.#at++
      if (c === '"') return true
      const next = this.#text[this.#at] ?? ''
      if (c === '\\' && /[$`"\\\n]/.test(next)) {
        if (next !== '\n') quoted(word, next)
        this.#at++
      } else quoted(word, c)
    }
    return false
  }

  #dollar(word: GateWord): boolean {
    const constant = this.#take(CONSTANT)
    if (constant === undefined) {
      if (this.#take(DOLLAR) === undefined) return false
      quoted(word, '$')
      return true
    }
    quoted(word, constant.includes('?') ? STATUS : /pwd/i.test(constant) ? HERE : this.#home)
    return true
  }
}

function quoted(word: GateWord, text: string): void {
  word.value += text
  word.bare += '\0'.repeat(text.length)
}
