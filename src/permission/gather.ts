/** Looks at what a call would touch: the only part of the decision that reads the disk. */
import path from 'node:path'
import type { PermissionMode } from '../protocol/events.ts'
import { judgeLine } from './judge/line.ts'
import { identify, lookAtDisk } from './look.ts'
import { isInside, protectedFor, refused, refusedAsWritten, secret } from './paths.ts'
import type { PermissionCall, PermissionFacts, PermissionRules, Subject } from './permission.ts'
import { parseRule, type Rule } from './rules.ts'
import { loadShellParser } from './shell/parse.ts'

export interface Circumstances {
  mode: PermissionMode
  /** The session's directory, a real path. */
  cwd: string
  /** Where the shell is. */
  shellCwd: string
  /** The person's home, a real path. */
  home: string
  gopiHome: string
  rules: PermissionRules
  /** Whether this session wrote the file (a real path). */
  isOwn(real: string): boolean
}

/** Every fact that `decide` needs. The shell parser is loaded with the first command. */
export async function gather(call: PermissionCall, where: Circumstances): Promise<PermissionFacts> {
  const { mode, rules, cwd, home } = where
  return { mode, rules, base: { cwd, home }, subject: await subjectOf(call, where) }
}

async function subjectOf(
  { tool, kind, arguments: args }: PermissionCall,
  where: Circumstances,
): Promise<Subject> {
  if (tool === 'bash' && typeof args.command === 'string') {
    await loadShellParser()
    const { cwd: project, home, gopiHome, isOwn, shellCwd } = where
    const look = lookAtDisk()
    const judged = judgeLine(args.command, look.real(shellCwd), { project, home, gopiHome, isOwn, look })
    return { type: 'command', judged }
  }
  const file = args.path ?? (READS_HERE.has(tool) ? '.' : undefined)
  return kind === 'command' || typeof file !== 'string' ? { type: 'nothing' } : fileSubject(file, kind, where)
}

/** Tools that mean the session's directory when they are given no path. */
const READS_HERE: ReadonlySet<string> = new Set(['grep', 'find', 'ls'])

function fileSubject(file: string, kind: 'read' | 'edit', { cwd, gopiHome, home }: Circumstances): Subject {
  const expanded = file === '~' || file.startsWith('~/') ? home + file.slice(1) : file
  const written = path.resolve(cwd, expanded)
  const asWritten = refusedAsWritten(expanded) ?? refused(written)
  // Nothing on disk is asked about such a path: a network path would send credentials.
  if (asWritten !== undefined) return { type: 'file', target: written, refused: asWritten, outside: true }
  const look = lookAtDisk()
  const target = look.real(written)
  const no = refused(target) ?? (look.kind(target) === 'special' ? `no regular file: ${target}` : undefined)
  const guarded =
    kind === 'edit' ? (protectedFor(target, gopiHome) ?? protectedFor(written, gopiHome)) : undefined
  const why = guarded ?? secret(target) ?? secret(written)
  const id = identify(target)
  return {
    type: 'file',
    target,
    outside: !isInside(target, cwd),
    ...(id !== undefined && { id }),
    ...(no !== undefined && { refused: no }),
    ...(why !== undefined && { protected: why }),
  }
}

/** Rules as they stand in the configuration. What is no rule forbids and asks about everything, and allows nothing. */
export function readRules(lists: Record<'allow' | 'ask' | 'deny', readonly string[]>): PermissionRules {
  const read = (texts: readonly string[], otherwise: (text: string) => Rule[]) =>
    texts.flatMap(text => parseRule(text) ?? otherwise(text))
  const everything = (text: string): Rule[] => [{ text, tool: '*', pattern: undefined }]
  return {
    allow: read(lists.allow, () => []),
    ask: read(lists.ask, everything),
    deny: read(lists.deny, everything),
  }
}
