/**
 * Bringing files back: what would happen to each, and doing it. A file is touched only if it is as this session left it; what
 * the person did since stays, and so does everything that is reached by a link.
 */
import { chmod, mkdir, realpath, rename, rm, unlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { FileMove } from '../protocol/events.ts'
import { type Diff, diffLines } from '../text/diff.ts'
import { movesIn } from './changes.ts'
import { type OldContents, present } from './old-contents.ts'
import type { ChangeEvent } from './replay.ts'

export interface FilePlan {
  path: string
  /**
   * `restore`, `remove`, `create`: it would be done. `conflict`: somebody changed the file since, or between. `unknown`: what it
   * held before is not known. `link`: it, or a directory above it, is a link by now.
   */
  does: 'restore' | 'remove' | 'create' | 'conflict' | 'unknown' | 'link'
  /** Where it would be done. */
  move?: FileMove
  /** What would change, of a text. */
  diff?: Diff
}

/** What the events of a session, from `from` on, did to each file: from the first to the last. */
export function spans(events: readonly ChangeEvent[], from = 0): (FileMove & { torn: boolean })[] {
  const all = new Map<string, FileMove & { torn: boolean }>()
  for (const { path, before, after, mode } of movesIn(events.slice(from))) {
    const known = all.get(path)
    if (!known)
      all.set(path, {
        path,
        ...(before !== undefined && { before }),
        after,
        torn: false,
        ...(mode !== undefined && { mode }),
      })
    else all.set(path, { ...known, after, torn: known.torn || before !== known.after })
  }
  return [...all.values()]
}

/** What it would take to undo these moves. What is as it was already is left out. `shows`: the differences go forward, also of what stays. */
export async function planOf(
  moves: readonly (FileMove & { torn?: boolean })[],
  old: OldContents,
  { shows = false }: { shows?: boolean } = {},
): Promise<FilePlan[]> {
  const plans: FilePlan[] = []
  for (const { path: real, before, after, torn, mode } of moves) {
    const now = await present(real)
    if (now !== undefined && (now?.hash ?? null) === before) continue
    const target = typeof before === 'string' ? await old.read(before) : undefined
    const plan = (does: FilePlan['does']) => plans.push({ path: real, does })
    if (now === undefined || !(await isOwnPath(real))) plan('link')
    else if (before === undefined || (before !== null && !target)) plan('unknown')
    else if (torn || (now?.hash ?? null) !== after)
      plans.push({ path: real, does: 'conflict', ...(shows && { diff: diffOf(target, now?.content) }) })
    else
      plans.push({
        path: real,
        does: before === null ? 'remove' : now === null ? 'create' : 'restore',
        move: { path: real, before: after, after: before, ...(mode !== undefined && { mode }) },
        diff: shows ? diffOf(target, now?.content) : diffOf(now?.content, target),
      })
  }
  return plans
}

/** Does what the plans say, as far as the files are still as they were planned for. → what was done. */
export async function restore(plans: readonly FilePlan[], old: OldContents): Promise<FileMove[]> {
  const done: FileMove[] = []
  for (const { move } of plans) {
    if (!move) continue
    const now = await present(move.path)
    if (now === undefined || (now?.hash ?? null) !== move.before || !(await isOwnPath(move.path))) continue
    // What goes away comes back with a redo.
    if (now && !(await old.keep(now.hash, now.content))) continue
    const content = move.after === null ? null : await old.read(move.after)
    if (content === undefined) continue
    const mode = now?.mode ?? move.mode
    if (
      await replaceWith(move.path, content, mode).then(
        () => true,
        () => false,
      )
    )
      done.push({ ...move, ...(mode !== undefined && { mode }) })
  }
  return done
}

/** Whole or not at all. Throws what the system says. */
async function replaceWith(real: string, content: Uint8Array | null, mode?: number): Promise<void> {
  if (content === null) return unlink(real)
  await mkdir(path.dirname(real), { recursive: true })
  const fresh = path.join(path.dirname(real), `.${path.basename(real).slice(0, 100)}.${process.pid}`)
  try {
    await writeFile(fresh, content, { flag: 'wx', mode: mode === undefined ? 0o666 : 0o600 })
    if (mode !== undefined) await chmod(fresh, mode)
    await rename(fresh, real)
  } catch (error) {
    await rm(fresh, { force: true })
    throw error
  }
}

/** No directory on the way has become a link. One that is gone is none. */
async function isOwnPath(real: string): Promise<boolean> {
  for (let directory = path.dirname(real); ; directory = path.dirname(directory)) {
    const found = await realpath(directory).catch(() => undefined)
    if (found !== undefined) return found === directory
    if (path.dirname(directory) === directory) return false
  }
}

function diffOf(now: Buffer | undefined, target: Buffer | undefined): Diff {
  const [before, after] = [now ?? Buffer.alloc(0), target ?? Buffer.alloc(0)]
  const isText = !before.includes(0) && !after.includes(0)
  return isText ? diffLines(before.toString(), after.toString()) : { diff: '', added: 0, removed: 0 }
}
