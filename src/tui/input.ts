/**
 * What comes from the terminal, taken apart: keys, pastes, the wheel, focus, and answers to what the terminal was
 * asked. The result is the same however the bytes were cut (typed characters come in as few pieces as they were sent
 * in). Nothing that a terminal says by itself is ever taken for typing: what is not understood is swallowed whole.
 */
import { StringDecoder } from 'node:string_decoder'
import { controlKey, csiKey, type Key, namedKey, ss3Key, textKey } from './keys.ts'

export type Input =
  | Key
  /** Lines end in `\n`. `lost`: characters beyond the limit, which were not taken. */
  | { type: 'paste'; text: string; lost: number }
  /** By one notch; -1 is towards the start of the text. Column and row count from 0. */
  | { type: 'wheel'; direction: -1 | 1; column: number; row: number }
  /** The left button is pressed, moved or let go. */
  | { type: 'mouse'; action: 'press' | 'drag' | 'release'; column: number; row: number }
  | { type: 'focus'; focused: boolean }
  /** An answer of the terminal, whole, without its terminator. */
  | { type: 'reply'; sequence: string }

const PASTE_LIMIT = 4 * 1024 * 1024
const PASTE_END = '\x1b[201~'

/** Long enough for the rest of a key over ssh, short enough not to be felt. */
const ESCAPE_WAIT = 25
/** Alt with the letter that starts an answer: pressed hardly ever, so an answer gets more time. */
const ANSWER_WAIT = 100
/** What comes right behind the end of a paste belongs to it: a text that holds the mark of its own end types nothing. */
const TAIL_WAIT = 50
/** Begun for certain: whoever sends it is slow. */
const REST_WAIT = 1000

/** How far a sequence reaches: `length` characters, or it needs more of them to be told. */
type Extent = number | 'unfinished'

export class InputDecoder {
  readonly #utf8 = new StringDecoder('utf8')
  #held = ''
  #paste: Paste | undefined
  /** The mark of the paste's end has come, and no pause since. */
  #isTail = false
  #out: Input[] = []

  /**
   * How long to wait for more, in ms, before `finish` is called: only time tells a lone Esc from the start of a
   * sequence. Undefined: nothing is held.
   */
  get wait(): number | undefined {
    if (this.#paste) return this.#isTail ? TAIL_WAIT : REST_WAIT
    if (this.#held === '') return undefined
    if (/^\x1b\x1b?[[O]?$/.test(this.#held)) return ESCAPE_WAIT
    return /^\x1b\x1b?[\]P_]$/.test(this.#held) ? ANSWER_WAIT : REST_WAIT
  }

  push(bytes: Uint8Array): Input[] {
    this.#held += this.#utf8.write(bytes)
    this.#decode()
    return this.#take()
  }

  /** Nothing more came: what is held is taken as it is. */
  finish(): Input[] {
    if (this.#paste) {
      if (!this.#isTail) this.#paste.add(this.#held)
      this.#held = ''
      this.#out.push(this.#paste.end())
      this.#paste = undefined
      this.#isTail = false
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
      const length = this.#paste && !this.#isTail ? this.#pasted(text, at) : this.#next(text, at)
      if (length === 'unfinished') break
      at += length
    }
    this.#held = text.slice(at)
  }

  #pasted(text: string, at: number): Extent {
    const end = text.indexOf(PASTE_END, at)
    if (end >= 0) {
      this.#paste?.add(text.slice(at, end))
      this.#isTail = true
      return end + PASTE_END.length - at
    }
    const safe = text.length - startOfEnd(text, at)
    this.#paste?.add(text.slice(at, safe))
    return safe > at ? safe - at : 'unfinished'
  }

  /** Behind a paste keys are its text, and what they do is not done. */
  #give(...inputs: Input[]): void {
    for (const input of inputs) {
      if (this.#paste === undefined || input.type === 'focus') this.#out.push(input)
      else if (input.type === 'key') this.#paste.add(textOf(input))
    }
  }

  #next(text: string, at: number): Extent {
    const code = text.charCodeAt(at)
    if (code === 0x1b) return this.#escape(text, at)
    if (code < 0x20 || code === 0x7f) {
      this.#give(controlKey(text[at] ?? ''))
      return 1
    }
    const run = text.slice(at, endOfTyping(text, at))
    const typed = run.replaceAll(/[\x80-\x9f]/g, '')
    if (typed !== '') this.#give(textKey(typed))
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
      this.#give(namedKey('escape'))
      return 1
    } else return this.#altKey(text, at)
    return length === 'unfinished' ? length : length + at - start
  }

  #altKey(text: string, at: number): number {
    const character = String.fromCodePoint(text.codePointAt(at + 1) ?? 0)
    const isControl = character < ' ' || character === '\x7f'
    this.#give(isControl ? controlKey(character, { alt: true }) : textKey(character, { alt: true }))
    return 1 + character.length
  }

  #ss3(text: string, at: number, held: { alt: boolean }): Extent {
    const letter = text[at + 2]
    if (letter === undefined) return 'unfinished'
    const key = ss3Key(letter, held)
    this.#give(key ?? textKey('O', { alt: true }))
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
    if (final === '[') this.#give(namedKey(`f${'ABCDE'.indexOf(text[end + 1] ?? '') + 1}`))
    else if (extra === 0) this.#takeCsi(parameters, final, held)
    return end + 1 + extra - at
  }

  #takeCsi(parameters: string, final: string, held: { alt: boolean }): void {
    const key = csiKey(parameters, final, held)
    if (key !== 'no-key') {
      if (key) this.#give(key)
      return
    }
    // No Alt, then: an Esc just before the terminal said something.
    if (held.alt) this.#give(namedKey('escape'))
    if (final === '~' && parameters === '200') {
      this.#paste ??= new Paste()
      this.#isTail = false
    } else if (parameters === '' && (final === 'I' || final === 'O')) {
      this.#give({ type: 'focus', focused: final === 'I' })
    } else if (parameters.startsWith('<')) this.#mouse(parameters, final)
    else this.#give({ type: 'reply', sequence: `\x1b[${parameters}${final}` })
  }

  /** `< button ; column ; row`: 64 and 65 are the wheel, with 4, 8 and 16 for modifiers, 32 while it is moved. */
  #mouse(parameters: string, final: string): void {
    const [button = 0, x = 1, y = 1] = parameters.slice(1).split(';').map(Number)
    const [column, row] = [x - 1, y - 1]
    const turned = button & ~(4 + 8 + 16)
    if (turned === 64 || turned === 65)
      this.#give({ type: 'wheel', direction: turned === 64 ? -1 : 1, column, row })
    else if (button === 0)
      this.#give({ type: 'mouse', action: final === 'm' ? 'release' : 'press', column, row })
    else if (button === 32) this.#give({ type: 'mouse', action: 'drag', column, row })
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
    if (terminator > 0) this.#give({ type: 'reply', sequence: text.slice(at, end) })
    return end + terminator - at
  }
}

/** What follows these without being a part: the Linux console's function keys, three bytes of the oldest mouse. */
const EXTRA: Record<string, number> = { '[': 1, M: 3 }

const textOf = ({ name, ctrl, text }: Key): string =>
  name === 'enter' || (ctrl && name === 'j') ? '\n' : name === 'tab' ? '\t' : text

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
