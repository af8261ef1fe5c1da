/**
 * Adds rules to `permission.allow` of a config file. Everything else stays, comments included; only white space
 * becomes what yaml makes of it. Import it lazily: it loads yaml.
 */
import { closeSync, fchmodSync, openSync, statSync } from 'node:fs'
import { type Document, isDocument, isMap, isScalar, isSeq, type Node, parseDocument } from 'yaml'
import { replaceWhole } from '../memory/own-file.ts'
import { realTarget } from '../paths/real.ts'
import { forRefill, refill } from '../paths/refill.ts'
import type { Told } from '../protocol/sayings.ts'
import { messageOf } from '../text/message-of.ts'
import { told } from '../words/sayings/told.ts'
import { readConfigFile } from './file.ts'

/**
 * The file is replaced at once (who reads it meanwhile gets the old text or the new) and is 0600; without one it is made.
 * Rules that stand there already are left out. → why nothing was written: the file is no YAML, or cannot be.
 */
export function addRules(file: string, rules: readonly string[]): Told | undefined {
  const content = readConfigFile(file)
  if ('problem' in content) return content.problem
  const text = 'text' in content ? content.text : ''
  const changed = withRules(text, rules)
  if (changed === undefined) return told('config_file.no_list', { file })
  return changed === text ? undefined : replace(file, changed)
}

/** The text with the rules in it; undefined: it is not what a config file is. */
function withRules(text: string, rules: readonly string[]): string | undefined {
  const document = parseDocument(text, { logLevel: 'error' })
  const list = document.errors.length === 0 ? allowed(document) : undefined
  if (list === undefined) return undefined
  const fresh = [...new Set(rules)].filter(rule => !list.includes(rule))
  if (fresh.length === 0) return text
  const permission = nodeAt(document, 'permission')
  const old = nodeAt(permission, 'allow')
  if (isSeq(old)) for (const rule of fresh) old.add(rule)
  else if (isMap(permission)) permission.set('allow', inPlaceOf(old, document.createNode(fresh)))
  else document.set('permission', inPlaceOf(permission, document.createNode({ allow: fresh })))
  return document.toString(layout)
}

/** What has been written is quoted as it was. */
export const layout = {
  lineWidth: 0,
  flowCollectionPadding: false,
  defaultStringType: 'QUOTE_DOUBLE',
  defaultKeyType: 'PLAIN',
} as const

const nodeAt = (parent: unknown, key: string): unknown =>
  isDocument(parent) || isMap(parent) ? parent.get(key, true) : undefined

/** The comments of what was empty stay. */
function inPlaceOf(old: unknown, node: Node): Node {
  if (!isScalar(old)) return node
  const comments = [old.commentBefore, old.comment].filter(comment => comment)
  if (comments.length > 0) node.comment = comments.join('\n')
  return node
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

/**
 * A link (to a repository of settings, say) stays one: what it points to is replaced; where hard links forbid
 * that, it is filled anew.
 */
export function replace(file: string, text: string): Told | undefined {
  const target = realTarget(file)
  const bytes = Buffer.from(text)
  try {
    const links = statSync(target, { throwIfNoEntry: false })?.nlink ?? 1
    if (links > 1) fillAnew(target, bytes)
    else replaceWhole(target, bytes)
    return undefined
  } catch (error) {
    return told('config_file.unwritable', { file, problem: messageOf(error) })
  }
}

/** What it was stands beside it meanwhile. */
function fillAnew(file: string, bytes: Uint8Array): void {
  const handle = openSync(file, forRefill)
  try {
    refill(handle, bytes, `${file}.before-${process.pid}`)
    fchmodSync(handle, 0o600)
  } finally {
    closeSync(handle)
  }
}
