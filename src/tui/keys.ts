/**
 * What a terminal sends for a key, named. Three ways of sending are understood at once: the old one (xterm, VT100,
 * Linux console, rxvt's Alt), xterm's modifyOtherKeys, and the kitty keyboard protocol
 * (https://sw.kovidgoyal.net/kitty/keyboard-protocol/).
 */

export interface Key {
  type: 'key'
  /**
   * `enter`, `up`, `f1`, …, or the character in lower case: `a`, `?`, `space`. Several characters that came at once
   * have no name, only their text.
   */
  name: string
  ctrl: boolean
  alt: boolean
  /** Of letters and named keys; `?` is `?` wherever it is on the keyboard. */
  shift: boolean
  /** What it types; empty for what types nothing. */
  text: string
}

interface Modifiers {
  ctrl?: boolean
  alt?: boolean
  shift?: boolean
}

/** By number: `CSI n ~`. */
const NUMBERED: Record<string, string> = {
  ...{ 1: 'home', 2: 'insert', 3: 'delete', 4: 'end', 5: 'pageup', 6: 'pagedown', 7: 'home', 8: 'end' },
  ...{ 11: 'f1', 12: 'f2', 13: 'f3', 14: 'f4', 15: 'f5', 17: 'f6', 18: 'f7', 19: 'f8', 20: 'f9', 21: 'f10' },
  ...{ 23: 'f11', 24: 'f12' },
}

/** By letter: `CSI A`, `SS3 A`. */
const LETTERED: Record<string, string> = {
  ...{ A: 'up', B: 'down', C: 'right', D: 'left', E: 'clear', F: 'end', H: 'home', Z: 'tab' },
  ...{ P: 'f1', Q: 'f2', R: 'f3', S: 'f4' },
}

/** The keypad in application mode: `SS3 X` is `=`, `SS3 j` is `*`, … */
const KEYPAD = 'X=j*k+l,m-n.o/p0q1r2s3t4u5v6w7x8y9'

/** Code points that are keys: `CSI n u`. */
const CODED: Record<number, string> = {
  ...{ 8: 'backspace', 9: 'tab', 13: 'enter', 27: 'escape', 127: 'backspace', 57414: 'enter', 57417: 'left' },
  ...{ 57418: 'right', 57419: 'up', 57420: 'down', 57421: 'pageup', 57422: 'pagedown', 57423: 'home' },
  ...{ 57424: 'end', 57425: 'insert', 57426: 'delete', 57427: 'clear' },
}

/** Kitty's keypad from code 57399 on. */
const KITTY_KEYPAD = '0123456789./*-+\r=,'

export function namedKey(name: string, { ctrl = false, alt = false, shift = false }: Modifiers = {}): Key {
  return { type: 'key', name, ctrl, alt, shift, text: '' }
}

/** One character or more, as typed. With ctrl or alt it types nothing. */
export function textKey(text: string, { ctrl = false, alt = false, shift = false }: Modifiers = {}): Key {
  const first = String.fromCodePoint(text.codePointAt(0) ?? 0)
  const lower = first.toLowerCase()
  const isLetter = lower !== first.toUpperCase()
  const isSingle = text === first
  return {
    type: 'key',
    name: isSingle ? (first === ' ' ? 'space' : lower) : '',
    ctrl,
    alt,
    shift:
      isSingle && ((isLetter && lower !== first) || (shift && (isLetter || first === ' ' || ctrl || alt))),
    text: ctrl || alt ? '' : text,
  }
}

/** A character below U+0020, or DEL. */
export function controlKey(character: string, { alt = false }: { alt?: boolean } = {}): Key {
  if (character === '\r') return namedKey('enter', { alt })
  if (character === '\t') return namedKey('tab', { alt })
  if (character === '\x7f') return namedKey('backspace', { alt })
  if (character === '\x1b') return namedKey('escape', { alt })
  if (character === '\0') return textKey(' ', { ctrl: true, alt })
  return textKey(String.fromCharCode(character.charCodeAt(0) + 0x40).toLowerCase(), { ctrl: true, alt })
}

/** `ESC O` and a letter; undefined: no such key. */
export function ss3Key(letter: string, { alt = false }: { alt?: boolean } = {}): Key | undefined {
  const name = letter === 'M' ? 'enter' : LETTERED[letter]
  if (name) return namedKey(name, { alt, shift: letter === 'Z' })
  const at = KEYPAD.indexOf(letter)
  return at >= 0 && at % 2 === 0 ? textKey(KEYPAD[at + 1] ?? '', { alt }) : undefined
}

/**
 * `CSI parameters final`. Undefined: a key that is none of ours (a release, a modifier alone, the windows key).
 * `no-key`: something else that terminals say.
 */
export function csiKey(
  parameters: string,
  final: string,
  { alt = false }: { alt?: boolean } = {},
): Key | 'no-key' | undefined {
  if (!/^[\d;:]*$/.test(parameters)) return 'no-key'
  const [first = '', second = '', third = ''] = parameters.split(';')
  if (final === 'u') return codedKey(first, second, { text: third, alt })
  // Xterm tells the character that shift makes.
  if (final === '~' && first === '27' && third !== '') {
    return codedKey(`${third}:${third}`, second, { text: '', alt })
  }
  const name = final === '~' ? NUMBERED[first] : LETTERED[final]
  // A cursor position looks like F3 with modifiers; its row is hardly ever asked for by a person.
  if (!name || (final === 'R' && parameters !== '')) return 'no-key'
  const held = modifiers(second)
  if (!held) return undefined
  return namedKey(name, { ...held, alt: held.alt || alt, shift: held.shift || final === 'Z' })
}

/** `1 + bits`, and after a colon 1 press, 2 repeat, 3 release. */
function modifiers(parameter: string): Required<Modifiers> | undefined {
  const [mask = '', event] = parameter.split(':')
  const bits = Math.max(0, Number(mask) - 1)
  const [shift, alt, ctrl, others] = [1, 2, 4, 8 + 16 + 32]
  if (event === '3' || (bits & others) !== 0) return undefined
  return { shift: (bits & shift) !== 0, alt: (bits & alt) !== 0, ctrl: (bits & ctrl) !== 0 }
}

/** `code:shifted:base ; modifiers:event ; text`, all but the code optional. */
function codedKey(
  codes: string,
  mask: string,
  { text, alt }: { text: string; alt: boolean },
): Key | undefined {
  const parsed = modifiers(mask)
  if (!parsed) return undefined
  const held = { ...parsed, alt: parsed.alt || alt }
  const [code = 0, shifted = 0] = codes.split(':').map(Number)
  const name = CODED[code]
  if (name) return namedKey(name, held)
  const keypad = KITTY_KEYPAD[code - 57399]
  if (keypad) return textKey(keypad, held)
  // Kitty's other keys are in the private use area.
  if (!isCharacter(code) || (code >= 0xe000 && code <= 0xf8ff)) return undefined
  const typed = text.split(':').map(Number).filter(isCharacter)
  if (typed.length > 0 && !held.ctrl && !held.alt) return textKey(String.fromCodePoint(...typed), held)
  if (held.shift && isCharacter(shifted)) {
    return textKey(String.fromCodePoint(shifted), { ...held, shift: false })
  }
  const character = String.fromCodePoint(code)
  return textKey(held.shift && !held.ctrl && !held.alt ? character.toUpperCase() : character, held)
}

const isCharacter = (code: number): boolean =>
  (code >= 0x20 && code < 0x7f) || (code >= 0xa0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff))
