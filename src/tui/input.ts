/**
 * What comes from the terminal, taken apart: keys, pastes, the wheel, focus, and answers to what the terminal was
 * asked. The result is the same however the bytes were cut (typed characters come in as few pieces as they were sent
 * in). Nothing that a terminal says by itself is ever taken for
 * typing: what is not understood is swallowed whole.
 */
import { StringDecoder } from 'node:string_decoder'
import { controlKey, csiKey, type Key, namedKey, ss3Key, textKey } from './keys.ts'

export type Input =
  | Key
  /** Lines end in `\n`. `lost`: characters beyond the limit, which were not taken. */
  | { type: 'paste'; text: string; lost: number }
  /** By one notch; -1 is towards the start of the text. Column and row count from 0. */
  | { type: 'wheel'; direction: -1 | 1; column: number; row: number }
  | { type: 'focus'; focused: boolean }
  /** An answer of the terminal, whole, without its terminator. */
  | { type: 'reply'; sequence: string }

export interface InputDecoder {
  push(bytes: Uint8Array): Input[]
  /**
   * How long to wait for more, in ms, before `finish` is called: only time tells a lone Esc from the start of a
   * sequence. Undefined: nothing is held.
   */
  readonly wait: number | undefined
  /** Nothing more came: what is held is taken as it stands. */
  finish(): Input[]
}

const PASTE_LIMIT = 4 * 1024 * 1024
const PASTE_END = '\x1b[201~'

/** Long enough for the rest of a key over ssh, short enough not to be felt. */
const ESCAPE_WAIT = 25
/** Alt with the letter that starts an answer: pressed hardly ever, so an answer gets more time. */
const ANSWER_WAIT = 100
/** Begun for certain: whoever sends it is slow. */
const REST_WAIT = 1000

export function createInputDecoder(): InputDecoder {
  return new Decoder()
}

/** How far a sequence reaches: `length` characters, or it needs more of them to be told. */
type Extent = number | 'unfinished'

class Decoder implements InputDecoder {
  readonly #utf8 = new StringDecoder('utf8')
  #held = ''
  #paste: Paste | undefined
  #out: Input[] = []

  get wait(): number | undefined {
    if (this.#paste) return REST_WAIT
    if (this.#held === '') return undefined
    if (/^\x1b\x1b?[[O]?$/.test(this.#held)) return ESCAPE_WAIT
    return /^\x1b\x1b?[\]P_]$/.test(this.#held) ? ANSWER_WAIT : REST_WAIT
  }

  push(bytes: Uint8Array): Input[] {
    this.#held += this.#utf8.write(bytes)
    this.#decode()
    return this.#take()
  }

  finish(): Input[] {
    if (this.#paste) {
      this.#paste.add(this.#held)
      this.#held = ''
      this.#endPaste()
    }
    const held = this.#held
    this.#held = ''
    if (held === '\x1b' || held === '\x1b\x1b') this.#out.push(...Array.from(held, () => namedKey('escape')))
    else if (/^\x1b\x1b?[[\]OP_]$/.test(held)) this.#out.push(textKey(held.slice(-1), { alt: true }))
    return this.#take()
  }

  #take(): Input[] {
    const out = this.#out
    this.#out = []
    return out
  }

  #decode(): void {
    const text = this.#held
    let at = 0
    while (at < text.length) {
      const length = this.#paste ? this.#pasted(text, at) : this.#next(text, at)
      if (length === 'unfinished') break
      at += length
    }
    this.#held = text.slice(at)
  }

  #pasted(text: string, at: number): Extent {
    const end = text.indexOf(PASTE_END, at)
    if (end >= 0) {
      this.#paste?.add(text.slice(at, end))
      this.#endPaste()
      return end + PASTE_END.length - at
    }
    const safe = text.length - startOfEnd(text, at)
    this.#paste?.add(text.slice(at, safe))
    return safe > at ? safe - at : 'unfinished'
  }

  #endPaste(): void {
    if (this.#paste) this.#out.push(this.#paste.end())
    this.#paste = undefined
  }

  #next(text: string, at: number): Extent {
    const code = text.charCodeAt(at)
    if (code === 0x1b) return this.#escape(text, at)
    if (code < 0x20 || code === 0x7f) {
      this.#out.push(controlKey(text[at] ?? ''))
      return 1
    }
    const run = text.slice(at, endOfTyping(text, at))
    const typed = run.replaceAll(/[\x80-\x9f]/g, '')
    if (typed !== '') this.#out.push(textKey(typed))
    return run.length
  }

  #escape(text: string, start: number): Extent {
    // Alt before a sequence, as rxvt and macOS send it; two Escs if no sequence follows.
    const alt = text[start + 1] === '\x1b'
    const at = alt ? start + 1 : start
    const letter = text[at + 1]
    if (letter === undefined) return 'unfinished'
    let length: Extent
    if (letter === '[') length = this.#csi(text, at, { alt })
    else if (letter === 'O') length = this.#ss3(text, at, { alt })
    else if (isReplyLetter(letter) && !alt) length = this.#string(text, at)
    else if (alt) {
      this.#out.push(namedKey('escape'))
      return 1
    } else return this.#altKey(text, at)
    return length === 'unfinished' ? length : length + at - start
  }

  #altKey(text: string, at: number): number {
    const character = String.fromCodePoint(text.codePointAt(at + 1) ?? 0)
    const isControl = character < ' ' || character === '\x7f'
    this.#out.push(isControl ? controlKey(character, { alt: true }) : textKey(character, { alt: true }))
    return 1 + character.length
  }

  #ss3(text: string, at: number, held: { alt: boolean }): Extent {
    const letter = text[at + 2]
    if (letter === undefined) return 'unfinished'
    const key = ss3Key(letter, held)
    this.#out.push(key ?? textKey('O', { alt: true }))
    return key ? 3 : 2
  }

  #csi(text: string, at: number, held: { alt: boolean }): Extent {
    let end = at + 2
    while (end < text.length && text.charCodeAt(end) >= 0x20 && text.charCodeAt(end) < 0x40) end++
    if (end >= text.length) return 'unfinished'
    const final = text[end] ?? ''
    // Broken off by something that is no part of it: that counts, the rest is lost.
    if (final < '@' || final > '~') return end - at
    const parameters = text.slice(at + 2, end)
    const extra = parameters === '' ? (EXTRA[final] ?? 0) : 0
    if (end + extra >= text.length) return 'unfinished'
    if (final === '[') this.#out.push(namedKey(`f${'ABCDE'.indexOf(text[end + 1] ?? '') + 1}`))
    else if (extra === 0) this.#takeCsi(parameters, final, held)
    return end + 1 + extra - at
  }

  #takeCsi(parameters: string, final: string, held: { alt: boolean }): void {
    const key = csiKey(parameters, final, held)
    if (key !== 'no-key') {
      if (key) this.#out.push(key)
      return
    }
    // No Alt, then: an Esc just before the terminal said something.
    if (held.alt) this.#out.push(namedKey('escape'))
    if (final === '~' && parameters === '200') this.#paste = new Paste()
    else if (parameters === '' && (final === 'I' || final === 'O')) {
      this.#out.push({ type: 'focus', focused: final === 'I' })
    } else if (parameters.startsWith('<')) this.#wheel(parameters)
    else this.#out.push({ type: 'reply', sequence: `\x1b[${parameters}${final}` })
  }

  /** `< button ; column ; row`: 64 and 65 are the wheel, with 4, 8 and 16 for modifiers. */
  #wheel(parameters: string): void {
    const [button = 0, column = 1, row = 1] = parameters.slice(1).split(';').map(Number)
    const turned = button & ~(4 + 8 + 16)
    if (turned !== 64 && turned !== 65) return
    this.#out.push({ type: 'wheel', direction: turned === 64 ? -1 : 1, column: column - 1, row: row - 1 })
  }

  /** OSC, DCS, APC: only in answers. Each starts in its own way, so that Alt+] and its like stay keys. */
  #string(text: string, at: number): Extent {
    const first = text[at + 2]
    if (first === undefined) return 'unfinished'
    if (!/[\d>!$+|G]/.test(first)) return this.#altKey(text, at)
    let end = at + 2
    while (end < text.length && text.charCodeAt(end) >= 0x20) end++
    const found = text[end]
    if (found === undefined || (found === '\x1b' && end + 1 === text.length)) return 'unfinished'
    const terminator = found === '\x07' ? 1 : text.startsWith('\x1b\\', end) ? 2 : 0
    if (terminator > 0) this.#out.push({ type: 'reply', sequence: text.slice(at, end) })
    return end + terminator - at
  }
}

/** What follows these without being a part: the Linux console's function keys, three bytes of the oldest mouse. */
const EXTRA: Record<string, number> = { '[': 1, M: 3 }

const isReplyLetter = (letter: string): boolean => letter === ']' || letter === 'P' || letter === '_'

function endOfTyping(text: string, at: number): number {
  let end = at + 1
  while (end < text.length && text.charCodeAt(end) >= 0x20 && text.charCodeAt(end) !== 0x7f) end++
  return end
}

/** How many of the last characters may be the start of the end of a paste. */
function startOfEnd(text: string, at: number): number {
  for (let length = Math.min(PASTE_END.length - 1, text.length - at); length > 0; length--) {
    if (PASTE_END.startsWith(text.slice(text.length - length))) return length
  }
  return 0
}

class Paste {
  #parts: string[] = []
  #length = 0
  #lost = 0

  add(text: string): void {
    const taken = text.slice(0, PASTE_LIMIT - this.#length)
    this.#parts.push(taken)
    this.#length += taken.length
    this.#lost += text.length - taken.length
  }

  end(): Input {
    return { type: 'paste', text: this.#parts.join('').replaceAll(/\r\n?/g, '\n'), lost: this.#lost }
  }
}
