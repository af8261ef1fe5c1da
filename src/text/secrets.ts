/**
 * Masks what gives access to something: private keys, tokens of known shapes, passwords beside their names. What comes
 * out holds `[masked: what it was]` in their place. A seat belt, and no promise that nothing slips through: it looks for
 * shapes, and rather leaves a doubtful word than makes code unreadable.
 *
 * The time is linear in the text. The result is the same however the text was cut into pieces, but for lines of more
 * than 16 KB and for a key of which only the end is there, which a stream cannot know.
 */
import { anyLogin, keyEnds, patterns, shapes } from './secret-shapes.ts'

export interface Masker {
  /** What of the text so far may be shown: what could be the beginning of a secret is held back. */
  push(text: string): string
  /** What was held back. The masker starts anew. */
  finish(): string
}

/** Stands in a text where a secret was masked: what is written back to a file must not hold it. */
export const holdsMask = (text: string): boolean => /\[masked: [a-z ]+\]/i.test(text)

const mark = (what: string): string => `[masked: ${what}]`

/** One text, whole. */
export function maskSecrets(text: string): string {
  const masked = new Lines().take(text)
  return masked.includes(keyEnds) ? maskTails(masked) : masked
}

/** Strings in a JSON value, each masked. */
export function maskValue(value: unknown): unknown {
  if (typeof value === 'string') return maskSecrets(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(maskValue)
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, maskValue(inner)]))
}

/** For text that comes in pieces. */
export function createMasker(): Masker {
  let held = ''
  let lines = new Lines()
  return {
    push(text) {
      const all = held + text
      const at = safeUpTo(all, lines.inKey)
      held = all.slice(at)
      return lines.take(all.slice(0, at))
    },
    finish() {
      const shown = lines.take(held)
      held = ''
      lines = new Lines()
      return shown
    },
  }
}

/** Characters before a place that are looked at. */
const lookBehind = 80

/** What was read so far, as far as it matters to what comes. */
class Lines {
  /** In the body of a private key: nothing of it was seen yet, or its mark is set. */
  #key: 'none' | 'begun' | 'masked' = 'none'
  #before = ''

  get inKey(): boolean {
    return this.#key !== 'none'
  }

  take(text: string): string {
    let shown = ''
    let rest = text
    while (rest !== '') {
      if (this.#key !== 'none') {
        const end = bodyEnd(rest)
        if (end > 0 && this.#key === 'begun') {
          shown += `${mark('private key')}\n`
          this.#key = 'masked'
        }
        rest = rest.slice(end)
        if (rest === '') return shown
        this.#key = 'none'
      }
      const begin = patterns().keyBegin.exec(rest)
      const until = begin ? begin.index + begin[0].length : rest.length
      const plain = rest.slice(0, until)
      shown += maskShapes(plain, this.#before)
      this.#before = (this.#before + plain).slice(-lookBehind)
      rest = rest.slice(until)
      if (!begin) return shown
      const line = lineEnd(rest)
      const end = rest.slice(0, line).indexOf(keyEnds)
      const run = begin.groups?.encoded === undefined ? undefined : (/^[A-Za-z0-9+/=]*/.exec(rest) ?? [''])
      const behind = run?.[0] ?? rest.slice(0, end < 0 ? line : end)
      const isCut = behind.length === line
      if (behind.length >= 16 && isKeyBody(behind)) {
        // A name before it has masked its beginning.
        if (!shown.endsWith(mark('password'))) shown += mark('private key')
        this.#key = isCut ? 'masked' : 'none'
      } else {
        shown += maskShapes(behind, this.#before)
        this.#key = isCut && behind.trim() === '' ? 'begun' : 'none'
      }
      rest = rest.slice(behind.length)
      if (this.#key !== 'none' && rest !== '') {
        shown += '\n'
        rest = rest.slice(1)
      }
    }
    return shown
  }
}

function lineEnd(text: string): number {
  const newline = text.indexOf('\n')
  return newline < 0 ? text.length : newline
}

/** `before`: what stands before the text. */
function maskShapes(text: string, before: string): string {
  let masked = text
  for (const [n, group] of patterns().anyShape.entries()) {
    masked = masked.replace(group, (_found: string, ...parts: unknown[]) => {
      const at = parts.findIndex(part => part !== undefined)
      return mark(shapes[n]?.[at]?.[0] ?? '')
    })
  }
  return masked
    .replace(anyLogin, maskLogin)
    .replace(patterns().anyNamed, (found: string, ...rest: unknown[]) => {
      const [at, whole, groups] = rest.slice(-3) as [number, string, Record<string, string | undefined>]
      const { between = '', value = '', scheme, login, auth, netrc, curl, element, npmrc } = groups
      const kept = scheme ?? login ?? auth ?? netrc ?? curl ?? element ?? npmrc
      const behind = at > lookBehind ? whole.slice(at - lookBehind, at) : before + whole.slice(0, at)
      if (kept !== undefined) {
        const secret = found.slice(kept.length)
        const isAnother =
          (netrc !== undefined && !followsLogin.test(behind)) ||
          (curl !== undefined && !/\bcurl\b[^\n]*$/.test(whole.slice(Math.max(0, at - mostOfCurl), at))) ||
          (npmrc !== undefined && !isLogin(secret)) ||
          (element !== undefined && !/pass/i.test(element) && !isMixedText(secret))
        return isAnother || isPlaceholder(secret) ? found : kept + mark('password')
      }
      const [, open = '', inner = ''] = /^(\\?["']?)([\s\S]*)$/.exec(value) ?? []
      const secret = inner.replace(/\\+$/, '')
      const next = whole[at + found.length] ?? '\n'
      const isQuoted = open !== ''
      const end = isQuoted && /["']/.test(next) ? (whole[at + found.length + 1] ?? '\n') : next
      const isSecret = isSecretValue(secret, {
        name: lastRun(behind, /[\w.-]/) + found.slice(0, found.length - value.length - between.length),
        between,
        isQuoted,
        isWholeLine:
          isLineStart(behind.slice(0, behind.length - lastRun(behind, /[\w.-]/).length)) &&
          /[\r\n]/.test(end),
        isCode: next === '(' || next === '[',
      })
      if (!isSecret) return found
      return `${found.slice(0, found.length - inner.length)}${mark('password')}${inner.slice(secret.length)}`
    })
}

/** `://user:password`, what stands between the scheme and the host of an address. */
function maskLogin(found: string): string {
  const colon = found.indexOf(':', 3)
  const password = found.slice(colon + 1)
  // Documents are full of `abc:xyz@`.
  return password.length <= 3 || isPlaceholder(password)
    ? found
    : `${found.slice(0, colon + 1)}${mark('password')}`
}

/** Nothing stands in the line before it but what read, grep or a diff put there, or `export`. */
const isLineStart = (before: string): boolean =>
  /(?:^|[\r\n]|\d\t|:\d+: )[+\- \t]*(?:export[ \t]+|set[ \t]+)?$/.test(before)

/** The words of a .netrc before the password, on lines of their own, with what read, grep or a diff puts before each. */
const followsLogin =
  /(?:^|\n|:\d+:[ \t]|\d\t|\n[+-])[ \t]*(?:machine[ \t]+\S+[ \t]+)?(?:machine|login|account)[ \t]+\S+[ \t]*\r?\n(?:\S+:\d+:[ \t]|[ \t]*\d+\t|[+-])?[ \t]*$/

/** Characters between `curl` and its option. */
const mostOfCurl = 400

/** The base64 of `user:password`. */
const isLogin = (text: string): boolean => Buffer.from(text, 'base64').includes(58)

interface Named {
  name: string
  between: string
  isQuoted: boolean
  isWholeLine: boolean
  isCode: boolean
}

function isSecretValue(value: string, { name, between, isQuoted, isWholeLine, isCode }: Named): boolean {
  if (isPlaceholder(value) || isCode || /public|^no?[_-]/i.test(name) || isDirectory(name)) return false
  if (/^\d{1,6}$/.test(value) && !/pass|pwd/i.test(name)) return false
  const isTight = between === '='
  const isReference = /^[$@%*]/.test(value)
  if (isTight && /^-*[A-Z][A-Z0-9_]*$/.test(name)) return !isReference
  if (/\s/.test(value) || /^(\.{0,2}\/|https?:)/.test(value)) return false
  const isMixed = isMixedText(value)
  const isSpecial = /[!@#$%^&*+=~?]/.test(value)
  // A line of YAML: there a password needs no quotes.
  const isLine = isWholeLine && /^["']?:[ \t]+$/.test(between) && /pass|pwd/i.test(name)
  if (isLine && value.length >= 5 && !isReference && !isInProgram(value)) return isMixed || isSpecial
  if (isQuoted) return value.length >= 8 && (isMixed || isSpecial)
  // Without quotes it could be code: a call, a type, another name.
  if (isReference || isInProgram(value)) return false
  if (isTight) return value.length >= 6 && (isMixed || isSpecial || isWholeLine)
  return value.length >= 8 && isMixed && (isSpecial || value.length >= 20)
}

const isMixedText = (text: string): boolean => /\d/.test(text) && /[A-Za-z]/.test(text)

/** The shell's own variables for where it is. */
const isDirectory = (name: string): boolean => /^(?:OLD)?PWD$|^pwd$/.test(name)

/** `data.token2`, `this.#key1`, `Uint8Array`: names in a program. */
const isInProgram = (value: string): boolean =>
  /^[A-Za-z_$][\w$]*(?:(?:\.|::|->|\?\.)#?[A-Za-z_$][\w$]*)+$/.test(value) ||
  /^[A-Z]?[a-z]+\d{1,2}[A-Z][a-z]+$/.test(value)

/** What people write where a secret is to stand. */
const isPlaceholder = (value: string): boolean =>
  /^(?:[x*.•_-]+|<.*|\$[({\w].*|\{\{.*|%\w+%|your.*|(?:ex|s)ample.*|change.?(?:me|it).*|placeholder.*|redacted.*|hidden|none|null|nil|undefined|true|false|todo|fixme|dummy|password|passwd|pass|secret|token|string|required|optional|env|user|postgres|root|admin|guest|\[(?:masked|type=).*|process\.env.*|os\.(?:environ|getenv).*|import\.meta.*)$/is.test(
    value,
  )

/** Where the body of a private key ends: at the beginning of the first line that is none of it. */
function bodyEnd(text: string): number {
  let at = 0
  while (at < text.length) {
    const line = text.slice(at, at + lineEnd(text.slice(at, at + mostHeld)))
    if (!isKeyBody(line)) return at
    at += line.length + 1
  }
  return Math.min(at, text.length)
}

/** A line of a private key, with what read, grep or a diff put before it. */
function isKeyBody(line: string): boolean {
  if (line.includes(keyEnds)) return false
  const text = line.trim()
  if (text === '' || /^[^A-Za-z]{0,40}(?:Proc-Type|DEK-Info|Version|Comment|Hash): /.test(text)) return true
  const last = lastRun(text, /[^\s:]/)
  if (!/^[+-]?(?:[A-Za-z0-9+/=]|\\[nr])+[\\"',;]*$/.test(last)) return false
  const isAlone = /^(?:\S{1,300}:\d+:)?[\d:+>|\s-]*$/.test(text.slice(0, text.length - last.length))
  return last.length >= 40 ? /\d/.test(last) : isAlone && (last.length >= 16 || /[\d+/=]/.test(last))
}

/** The rest of a key whose beginning was cut off. */
function maskTails(text: string): string {
  const kept: string[] = []
  for (const line of text.split('\n')) {
    if (endsKey.test(line)) {
      let first = kept.length
      while (first > 0 && isTailBody(kept[first - 1] ?? '')) first--
      if (first < kept.length) kept.splice(first, kept.length - first, mark('private key'))
    }
    kept.push(line)
  }
  return kept.join('\n')
}

const endsKey = /^(?!.*-----BEGIN).*-----END [A-Z0-9 ]{0,40}PRIVATE KEY/
const isTailBody = (line: string): boolean => line.trim() !== '' && !holdsMask(line) && isKeyBody(line)

/** The longest piece that is held back where no line ends. */
const mostHeld = 16_384

/** Up to where nothing can become a secret any more, whatever comes. */
function safeUpTo(text: string, inKey: boolean): number {
  const line = text.lastIndexOf('\n') + 1
  const last = text.slice(line)
  if (last.length > mostHeld) return text.length
  if (
    inKey ||
    text.includes('-----BEGIN') ||
    patterns().keyBegin.test(text) ||
    patterns().holdsLine.test(last)
  )
    return line
  const run = lastRun(last, /\S/)
  return /[A-Za-z0-9"'<_=+/-]/.test(run) ? text.length - run.length : text.length
}

/** The longest end of the text that is made of these characters. */
function lastRun(text: string, character: RegExp): string {
  let at = text.length
  while (at > 0 && character.test(text[at - 1] ?? '')) at--
  return text.slice(at)
}
