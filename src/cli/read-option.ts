/** Reads one word of the command line that begins with a dash: `--name`, `--name=value`, `-n`, `-n value`, `-abc`. */
import { nearest } from '../text/nearest.ts'
import { nameOf, type Option, type Options } from './option.ts'

export interface Reading {
  /** What may be said here. */
  table: Options
  /** What has been said, by the table's keys. */
  values: Map<string, unknown>
  /** What is wrong, as whole sentences. */
  problems: string[]
}

/** `rest` are the words after this one; a value is taken from its front. */
export function readOption(word: string, rest: string[], reading: Reading): void {
  if (word.startsWith('--')) readLong(word, rest, reading)
  else if (isLongWithOneDash(word, reading.table)) {
    reading.problems.push(`there is no option ${word}; did you mean -${word}?`)
  } else readBundle(word.slice(1), rest, reading)
}

/** `-model x` would else be the model "odel" and the prompt "x". */
function isLongWithOneDash(word: string, table: Options): boolean {
  return find(`-${word}`.replace(/=.*/s, ''), table) !== undefined
}

function readLong(word: string, rest: string[], reading: Reading): void {
  const [, name = '', value] = /^([^=]*)(?:=(.*))?$/s.exec(word) ?? []
  const found = find(name, reading.table)
  if (found === undefined) reading.problems.push(unknown(name, reading.table))
  else readValue(found, value, rest, reading)
}

/** `-pc` is `-p -c`; the first one that takes a value takes what is left: `-mNAME`, `-cm NAME`. */
function readBundle(letters: string, rest: string[], reading: Reading): void {
  const [letter = '', ...more] = letters
  const found = find(`-${letter}`, reading.table)
  const left = more.join('')
  if (found === undefined) {
    reading.problems.push(unknown(`-${letter}`, reading.table))
  } else if (found.option.takes !== 'nothing' || left.startsWith('=')) {
    readValue(found, left === '' ? undefined : left.replace(/^=/, ''), rest, reading)
  } else {
    readValue(found, undefined, rest, reading)
    if (left !== '') readBundle(left, rest, reading)
  }
}

function readValue(
  { key, option }: Found,
  attached: string | undefined,
  rest: string[],
  reading: Reading,
): void {
  const next = option.takes === 'next' || option.takes === 'word' ? rest[0] : undefined
  const follows = attached === undefined && next !== undefined && !isOption(next)
  const raw = attached ?? (follows ? rest.shift() : undefined) ?? true
  const value = option.read(raw)
  const before = reading.values.get(key)
  if (value !== undefined)
    reading.values.set(key, Array.isArray(before) && Array.isArray(value) ? [...before, ...value] : value)
  else reading.problems.push(unfit(option, raw))
}

/** A negative number is a value (if mostly a wrong one): it is better named than called an unknown option. */
function isOption(word: string): boolean {
  return /^-[^\d]/.test(word)
}

function unfit(option: Option<unknown>, raw: string | true): string {
  const near = raw === true ? undefined : nearest(raw, option.choices)
  const came = raw === true ? 'nothing came' : `${JSON.stringify(raw)} came`
  return `${nameOf(option)} expects ${option.expected}; ${came}${near === undefined ? '' : `: did you mean ${near}?`}`
}

function unknown(name: string, table: Options): string {
  const names = Object.values(table).flatMap(option => option.names)
  const long = names.filter(known => known.startsWith('--'))
  const letter = name.length === 2 ? long.filter(known => known.startsWith(`-${name}`)) : []
  const near = letter.length > 0 ? letter.join(' or ') : nearest(name, long)
  return near === undefined
    ? `there is no option ${name}; --help lists what there is, and -- ends the options`
    : `there is no option ${name}; did you mean ${near}?`
}

interface Found {
  key: string
  option: Option<unknown>
}

function find(name: string, table: Options): Found | undefined {
  const entry = Object.entries(table).find(([, option]) => option.names.includes(name))
  return entry && { key: entry[0], option: entry[1] }
}
