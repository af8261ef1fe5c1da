/** Cutting text at borders that a reader can live with, and the numbers that notices are made of. */

const thousands = /\B(?=(\d{3})+$)/g

/** `2,140`: the same in every locale, since the model and the tests read it. */
export function count(value: number): string {
  return String(value).replace(thousands, ',')
}

/** `1 line`, `2,140 lines`. */
export function plural(value: number, noun: string, nouns = `${noun}s`): string {
  return `${count(value)} ${value === 1 ? noun : nouns}`
}

const units = ['KB', 'MB', 'GB', 'TB']

/** `340 bytes`, `8.2 KB`, `2 GB`: 1,024 to the next unit, one digit after the point. */
export function size(bytes: number): string {
  if (bytes < 1024) return plural(bytes, 'byte')
  let value = bytes / 1024
  let unit = 0
  while (value >= 1023.95 && unit < units.length - 1) {
    value /= 1024
    unit++
  }
  return `${value.toFixed(1).replace(/\.0$/, '')} ${units[unit]}`
}

const DISK_UNITS = ['B', 'KB', 'MB', 'GB', 'TB'] as const

/** As `ollama list` says it: `4.7 GB` are 4,700,000,000 bytes, and `13 GB` needs no more digits. */
export function diskSize(bytes: number): string {
  const unit = Math.min(DISK_UNITS.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)))
  const value = bytes / 1000 ** unit
  const digits = value >= 10 || Number.isInteger(value) ? String(Math.trunc(value)) : value.toFixed(1)
  return `${digits} ${DISK_UNITS[unit]}`
}

/** The longest beginning of `text` that takes at most `bytes` as UTF-8; whole lines if even one fits. */
export function head(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text
  const buffer = Buffer.from(text)
  const end = characterStart(buffer, Math.max(0, bytes))
  const line = buffer.lastIndexOf(10, end - 1)
  return buffer.toString('utf8', 0, end > 0 && line >= 0 ? line + 1 : end)
}

/** The longest end of `text` that takes at most `bytes` as UTF-8; whole lines if even one fits. */
export function tail(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text
  const buffer = Buffer.from(text)
  let start = buffer.length - Math.max(0, bytes)
  while (start < buffer.length && isInside(buffer[start])) start++
  if (buffer[start - 1] === 10) return buffer.toString('utf8', start)
  const line = buffer.indexOf(10, start)
  return buffer.toString('utf8', line >= 0 && line + 1 < buffer.length ? line + 1 : start)
}

/**
 * At most `length` characters (UTF-16 units) of a line, around position `at`; `…` is put where something is missing.
 */
export function around(line: string, at: number, length: number): string {
  if (line.length <= length) return line
  const room = Math.max(1, length - 2)
  const start = Math.max(0, Math.min(at - Math.floor(room / 3), line.length - room))
  const from = splitsPair(line, start) ? start + 1 : start
  const end = start + room
  const to = splitsPair(line, end) ? end - 1 : end
  return `${from > 0 ? '…' : ''}${line.slice(from, to)}${to < line.length ? '…' : ''}`
}

/** The greatest border between two characters that is not after `offset`. */
export function characterStart(buffer: Uint8Array, offset: number): number {
  let start = Math.min(offset, buffer.length)
  while (start > 0 && start < buffer.length && isInside(buffer[start])) start--
  return start
}

/** A UTF-8 continuation byte. */
function isInside(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80
}

function splitsPair(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1)
  return before >= 0xd800 && before < 0xdc00
}

/** `12,345` is `12.3k`. */
export function inThousands(count: number): string {
  if (count < 1000) return String(count)
  const rounded = count / 1000
  return `${rounded < 99.95 ? rounded.toFixed(1).replace(/\.0$/, '') : Math.round(rounded)}k`
}
