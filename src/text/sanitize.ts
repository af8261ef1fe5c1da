/**
 * The gate for untrusted text: whatever a model, a tool or a file says passes here before it reaches a terminal.
 * What comes out holds no control character but `\n` and `\t`, no escape sequence, and nothing invisible that could
 * reorder or hide what is read. The result is the same however the text was cut into pieces.
 *
 * - CSI, OSC, DCS, APC, PM, SOS sequences and two-character escapes are removed whole, in 7-bit and 8-bit form.
 *   A string sequence that is not ended within its line loses its introducer alone: its text stays readable.
 * - `\r\n`, a lone `\r`, U+2028 and U+2029 become `\n`, so that nothing is drawn over what is there.
 * - Bidi controls, tag characters and other default-ignorable characters are removed. Emoji and scripts that need
 *   them keep joiners (after a letter, mark or emoji outside ASCII) and the variation selectors 15 and 16.
 * - A lone surrogate becomes U+FFFD.
 */

export interface Sanitizer {
  /** What of the text so far may be shown: an unfinished sequence at its end is held back. */
  push(text: string): string
  /** What was held back. The sanitizer starts anew. */
  finish(): string
}

/** The longest string sequence (OSC, DCS, …) that is removed whole, in characters. */
const longest = 4096

// Bodies never hold an introducer: each place is looked at once, whatever comes.
const stringStart = String.raw`(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])`
const stringBody = String.raw`[^\x07\n\x1b\x90\x98\x9b-\x9f]{0,${longest}}`
const csiStart = String.raw`(?:\x1b\[|\x9b)`
const csiBody = String.raw`[\x30-\x3f]{0,64}[\x20-\x2f]{0,8}`
const escapeStart = String.raw`\x1b[\x20-\x2f]{0,8}`

/** What may not reach a terminal, one character at a time. Annotation marks are as invisible as the rest. */
const unsafe = String.raw`[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufff9-\ufffb\p{Cs}\p{Default_Ignorable_Code_Point}]`

/** What only looks as if nothing stood there: Braille's empty pattern, and blanks of odd widths. */
const blankLooking = String.raw`[\u1680\u2000-\u200a\u205f\u2800]`

/** Most text is. Of such text nothing is changed, and a start that shows nothing else compiles no pattern below. */
const isPlain = (text: string): boolean => /^[\n\t\x20-\x7e]*$/.test(text)

interface Patterns {
  isUnsafe: RegExp
  anyUnsafe: RegExp
  anyRevealed: RegExp
  anyHidden: RegExp
  replaceable: RegExp
  unfinished: RegExp
}

let compiled: Patterns | undefined

/** Classes of Unicode take milliseconds to compile. */
function patterns(): Patterns {
  compiled ??= {
    isUnsafe: new RegExp(unsafe, 'u'),
    anyUnsafe: new RegExp(unsafe, 'gu'),
    anyRevealed: new RegExp(`${unsafe}|${blankLooking}`, 'gu'),
    anyHidden: new RegExp(String.raw`[\ufff9-\ufffb\p{Default_Ignorable_Code_Point}]|${blankLooking}`, 'gu'),
    replaceable: new RegExp(
      [
        String.raw`${stringStart}${stringBody}(?:\x07|\x1b\\|\x9c)`,
        String.raw`${csiStart}${csiBody}[\x40-\x7e]`,
        String.raw`${escapeStart}[\x30-\x7e]`,
        String.raw`\r\n`,
        unsafe,
      ].join('|'),
      'gu',
    ),
    unfinished: new RegExp(
      String.raw`(?:${stringStart}${stringBody}\x1b?|${csiStart}${csiBody}|${escapeStart}|\r|[\ud800-\udbff])$`,
      'u',
    ),
  }
  return compiled
}

const isInvisible = (character: string): boolean => /\p{Default_Ignorable_Code_Point}/u.test(character)

const carriesJoiner = (character: string): boolean =>
  /(?!\p{ASCII})[\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}]|\ufe0f/u.test(character)

/** One text, whole. */
export function sanitize(text: string): string {
  return clean(text, '')
}

/** For text that comes in pieces. */
export function createSanitizer(): Sanitizer {
  let held = ''
  let previous = ''
  const take = (text: string): string => {
    const shown = clean(text, previous)
    if (shown !== '') previous = lastCharacter(shown)
    return shown
  }
  return {
    push(text) {
      const all = held + text
      const at = isPlain(all) ? -1 : all.search(patterns().unfinished)
      held = at < 0 ? '' : all.slice(at)
      return take(at < 0 ? all : all.slice(0, at))
    },
    finish() {
      const shown = take(held)
      held = ''
      previous = ''
      return shown
    },
  }
}

/**
 * For what the model reads: without what a person who looks at the same text cannot see, where orders could be hidden.
 * What only looks blank becomes a blank.
 */
export function withoutHidden(text: string): string {
  if (isPlain(text)) return text
  return text.replace(patterns().anyHidden, (found, at: number) =>
    /[^\p{Zs}\u2800]/u.test(found)
      ? replacement(found, lastCharacter(text.slice(Math.max(0, at - 2), at)))
      : ' ',
  )
}

/**
 * For what a person must judge (a command, a path): nothing is removed, everything that `sanitize` would change, and what
 * only looks blank, is written as `\x1b` or `\u{202e}`. `\n` and `\t` stay.
 */
export function reveal(text: string): string {
  return text.replace(patterns().anyRevealed, character => {
    const hex = (character.codePointAt(0) ?? 0).toString(16)
    return hex.length <= 2 ? `\\x${hex.padStart(2, '0')}` : `\\u{${hex}}`
  })
}

/**
 * JSON that may be shown on a terminal: what `sanitize` would change becomes `\\u` escapes, which mean the same to whoever
 * reads it as JSON.
 */
export function escapeJson(json: string): string {
  if (isPlain(json)) return json
  return json.replace(patterns().anyUnsafe, character =>
    Array.from({ length: character.length }, (_, at) => {
      const unit = character.charCodeAt(at).toString(16)
      return `\\u${unit.padStart(4, '0')}`
    }).join(''),
  )
}

/** `before` is the character that was shown last, since a joiner is judged by what it follows. */
function clean(text: string, before: string): string {
  if (isPlain(text) || !patterns().isUnsafe.test(text)) return text
  let end = 0
  let last = before
  return text.replace(patterns().replaceable, (found, at: number) => {
    if (at > end) last = lastCharacter(text.slice(Math.max(end, at - 2), at))
    end = at + found.length
    const shown = replacement(found, last)
    if (shown !== '') last = shown
    return shown
  })
}

function replacement(found: string, before: string): string {
  if (found === '\r\n' || found === '\r' || found === '\u2028' || found === '\u2029') return '\n'
  if (found.length === 1 && found >= '\ud800' && found <= '\udfff') return '\ufffd'
  if (found === '\u200c' || found === '\u200d') return carriesJoiner(before) ? found : ''
  if (found === '\ufe0e' || found === '\ufe0f') return before > ' ' && !isInvisible(before) ? found : ''
  return ''
}

function lastCharacter(text: string): string {
  const last = text.slice(-1)
  return last >= '\udc00' && last <= '\udfff' ? text.slice(-2) : last
}
