/**
 * Adds rules to `permission.allow` of a config file. Everything else stays as it was written, comments and layout
 * included: the lines are put into the text where the list is. Import it lazily: it loads yaml.
 */
import { chmodSync, mkdirSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { type Document, isMap, isScalar, isSeq, type Pair, parseDocument, type YAMLMap } from 'yaml'
import { UsageError } from '../protocol/errors.ts'
import { readConfigFile } from './file.ts'

/**
 * The file is replaced at once (who reads it meanwhile gets the old text or the new) and is 0600; without one it is made.
 * Rules that stand there already are left out. Throws `UsageError` when the file is no YAML or cannot be written.
 */
export function addRules(file: string, rules: readonly string[]): void {
  const content = readConfigFile(file)
  if ('problem' in content) throw new UsageError(content.problem)
  const text = 'text' in content ? content.text : ''
  const changed = withRules(text, rules)
  if (changed === undefined)
    throw new UsageError(
      `${file}: expected YAML with a list permission.allow; mend it, then rules can be added`,
    )
  if (changed !== text) replace(file, changed)
}

/** The text with the rules in it; undefined: it is not what a config file is. */
export function withRules(text: string, rules: readonly string[]): string | undefined {
  const document = parse(text)
  const list = document.errors.length === 0 ? allowed(document) : undefined
  if (list === undefined) return undefined
  const fresh = [...new Set(rules)].filter(rule => !list.includes(rule))
  if (fresh.length === 0) return text
  const wanted = laidOutAnew(text, [...list, ...fresh])
  const spliced = splice(text, document, fresh)
  const isRight = spliced !== undefined && isDeepStrictEqual(parse(spliced).toJS(), wanted.toJS())
  // A layout that nobody foresaw: yaml lays the file out anew, its comments stay.
  return isRight ? spliced : wanted.toString({ lineWidth: 0 })
}

const parse = (text: string): Document => parseDocument(text, { logLevel: 'error' })

function laidOutAnew(text: string, rules: readonly unknown[]): Document {
  const document = parse(text)
  const permission = pairOf(document.contents, 'permission')
  if (permission && !isMap(permission.value)) permission.value = document.createNode({})
  const list = pairOf(permission?.value, 'allow')?.value
  if (isSeq(list)) for (const rule of rules.slice(list.items.length)) list.add(document.createNode(rule))
  else document.setIn(['permission', 'allow'], document.createNode(rules))
  return document
}

/** The list as it is now; undefined: something else stands in its place. */
function allowed(document: Document): unknown[] | undefined {
  const tree: unknown = document.toJS() ?? {}
  if (typeof tree !== 'object' || tree === null || Array.isArray(tree)) return undefined
  const permission: unknown = 'permission' in tree ? (tree.permission ?? {}) : {}
  if (typeof permission !== 'object' || permission === null || Array.isArray(permission)) return undefined
  const allow: unknown = 'allow' in permission ? (permission.allow ?? []) : []
  return Array.isArray(allow) ? allow : undefined
}

function splice(text: string, document: Document, rules: readonly string[]): string | undefined {
  const quoted = rules.map(rule => JSON.stringify(rule))
  const lines = (indent: number) => quoted.map(rule => `${' '.repeat(indent)}- ${rule}\n`).join('')
  const permission = pairOf(document.contents, 'permission')
  if (!permission) {
    const start = text === '' || text.endsWith('\n') ? text : `${text}\n`
    return `${start}permission:\n  allow:\n${lines(4)}`
  }
  const allow = pairOf(permission.value, 'allow')
  if (!allow) {
    const first = isMap(permission.value) ? permission.value.items[0] : undefined
    if (isMap(permission.value) && permission.value.flow) return undefined
    const indent = first ? columnOf(text, startOf(first.key)) : 2
    const at = lineEnd(text, startOf(permission.key))
    return insert(text, at, `${' '.repeat(indent)}allow:\n${lines(indent + 2)}`)
  }
  const list = allow.value
  if (!isSeq(list)) {
    const indent = columnOf(text, startOf(allow.key)) + 2
    return insert(text, lineEnd(text, startOf(allow.key)), lines(indent))
  }
  const last = list.items.at(-1)
  if (list.flow) {
    const [, end] = list.range ?? []
    if (end === undefined) return undefined
    const at = isScalar(last) ? (last.range?.[1] ?? end - 1) : end - 1
    return insert(text, at, `${last ? ', ' : ''}${quoted.join(', ')}`)
  }
  if (!isScalar(last) || !last.range) return undefined
  const indent = columnOf(text, list.range?.[0] ?? 0)
  return insert(text, lineEnd(text, last.range[1]), lines(indent))
}

const pairOf = (node: unknown, name: string): Pair | undefined =>
  isMap(node) ? (node as YAMLMap).items.find(({ key }) => isScalar(key) && key.value === name) : undefined

const startOf = (node: unknown): number => (isScalar(node) ? (node.range?.[0] ?? 0) : 0)

const columnOf = (text: string, offset: number): number => offset - (text.lastIndexOf('\n', offset - 1) + 1)

/** Where the line after the one that holds the offset begins; at the end of the text a newline may be missing. */
function lineEnd(text: string, offset: number): number {
  const newline = text.indexOf('\n', offset)
  return newline < 0 ? text.length : newline + 1
}

function insert(text: string, at: number, added: string): string {
  const isLineMissing = at === text.length && added.endsWith('\n') && text !== '' && !text.endsWith('\n')
  return `${text.slice(0, at)}${isLineMissing ? '\n' : ''}${added}${text.slice(at)}`
}

/** A link (to a repository of settings, say) stays one: what it points to is replaced. */
function replace(file: string, text: string): void {
  const target = realOr(file)
  const fresh = `${target}.${process.pid}.${Date.now().toString(36)}`
  try {
    mkdirSync(path.dirname(target), { recursive: true, mode: 0o700 })
    writeFileSync(fresh, text, { mode: 0o600, flag: 'wx' })
    chmodSync(fresh, 0o600)
    renameSync(fresh, target)
  } catch (error) {
    rmSync(fresh, { force: true })
    throw new UsageError(`${file}: the rule cannot be saved: ${(error as Error).message}`)
  }
}

function realOr(file: string): string {
  try {
    return realpathSync(file)
  } catch {
    return file
  }
}
