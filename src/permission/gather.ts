/** Looks at what a call would touch: the only part of the decision that reads the disk. */
import path from 'node:path'
import { isInside } from '../paths/inside.ts'
import { protectedFor, refused, refusedAsWritten, secret } from '../paths/names.ts'
import type { Access } from '../protocol/access.ts'
import type { PermissionMode } from '../protocol/events.ts'
import type { PermissionRules } from '../rules/rule.ts'
import { said } from '../words/sayings/said.ts'
import { passGate } from './gate/gate.ts'
import { judgeLine } from './judge/line.ts'
import { identify, lookAtDisk } from './look.ts'
import type { PermissionCall, PermissionFacts, Subject } from './permission.ts'
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

/** Every fact that `decide` needs. The shell parser is loaded with the first command that is more than reading. */
export async function gather(
  { accesses }: PermissionCall,
  where: Circumstances,
): Promise<PermissionFacts & { subjects: Subject[] }> {
  const { mode, rules, cwd, home } = where
  const subjects: Subject[] = []
  for (const access of accesses) subjects.push(await subjectOf(access, where))
  if (subjects.length === 0) subjects.push({ type: 'other', what: 'unnamed' })
  return { mode, rules, base: { cwd, home }, subjects }
}

async function subjectOf(access: Access, where: Circumstances): Promise<Subject> {
  if ('run' in access) {
    const { cwd: project, home, gopiHome, isOwn, shellCwd } = where
    const look = lookAtDisk()
    const ground = { project, home, gopiHome, isOwn, look }
    const passed = passGate(access.run, shellCwd, ground)
    const stays = access.stays ? { stays: true as const } : {}
    if (passed !== undefined) return { type: 'command', judged: passed, ...stays }
    await loadShellParser()
    return { type: 'command', judged: judgeLine(access.run, shellCwd, ground), ...stays }
  }
  if ('read' in access) return fileSubject(access.read, 'read', where)
  if ('write' in access) return fileSubject(access.write, 'write', where)
  if ('use' in access) return { type: 'named', name: access.use }
  if ('reach' in access) return { type: 'host', host: access.reach }
  if ('task' in access) return { type: 'task', agent: access.task }
  if ('sends' in access) return { type: 'sending' }
  if ('none' in access) return { type: 'other', what: 'none' }
  return { type: 'other', what: access.changed ? 'changed' : 'unknown' }
}

function fileSubject(file: string, doing: 'read' | 'write', { cwd, gopiHome, home }: Circumstances): Subject {
  const expanded = file === '~' || file.startsWith('~/') ? home + file.slice(1) : file
  const written = path.resolve(cwd, expanded)
  const asWritten = refusedAsWritten(expanded) ?? refused(written)
  // Nothing on disk is asked about such a path: a network path would send credentials.
  if (asWritten !== undefined)
    return { type: 'file', doing, target: written, refused: asWritten, outside: true }
  const look = lookAtDisk()
  const target = look.real(written)
  const no =
    refused(target) ??
    (look.kind(target) === 'special' ? said('permission.irregular', { file: target }) : undefined)
  const guarded =
    doing === 'write'
      ? (protectedFor(target, gopiHome) ?? protectedFor(written, gopiHome) ?? look.otherNames(target))
      : undefined
  const why = guarded ?? secret(target) ?? secret(written)
  const id = identify(target)
  return {
    type: 'file',
    doing,
    target,
    outside: !isInside(target, cwd),
    ...(id !== undefined && { id }),
    ...(no !== undefined && { refused: no }),
    ...(why !== undefined && { protected: why }),
  }
}
