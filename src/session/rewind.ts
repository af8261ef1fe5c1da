/** Going back: the conversation, the files, or both, to before a prompt; and forward again. */
import type { FileMove, KeptEvent, RewindEntry } from '../protocol/events.ts'
import type { Message } from '../protocol/messages.ts'
import type { Changes } from './changes.ts'
import { hashOf, present } from './old-contents.ts'
import type { ChangeEvent } from './replay.ts'
import { type FilePlan, planOf, restore, spans } from './restore.ts'
import { seenIn } from './seen.ts'

export interface EarlierPrompt {
  id: string
  /** As it was typed. */
  text: string
  /** When the prompt was sent there were so many moves of files. */
  from: number
}

/** What of it goes back. */
export type Scope = 'both' | 'conversation' | 'files'

export interface RewindPlan {
  files: FilePlan[]
  /** Changed by commands, and nothing older is known of them; `more` are not named. */
  lost: { paths: string[]; more: number }
}

export interface Rewinding {
  changes: Changes
  history(): readonly Message[]
  undone(): { messages: readonly Message[]; files: readonly FileMove[] } | undefined
  record(event: KeptEvent): void
}

/** The prompts that the conversation still holds, the latest first. */
export function earlierPrompts({
  changes,
  history,
}: Pick<Rewinding, 'changes' | 'history'>): EarlierPrompt[] {
  const places = new Map<string, number>()
  for (const [at, event] of changes.events.entries()) if (event.type === 'prompt') places.set(event.id, at)
  return history()
    .flatMap(message => {
      const from = places.get(message.id)
      const text = message.role === 'user' ? (message.shown ?? message.content) : ''
      return text === '' || from === undefined ? [] : [{ id: message.id, text, from }]
    })
    .toReversed()
}

/** What going back to before the prompt would do to files. */
export async function previewOf(
  { from }: Pick<EarlierPrompt, 'from'>,
  changes: Changes,
): Promise<RewindPlan> {
  const { events, old } = changes
  return { files: await planOf(spans(events, from), old), lost: lostIn(events.slice(from)) }
}

export async function rewind(
  { id }: EarlierPrompt,
  { scope, plan, session }: { scope: Scope; plan: RewindPlan; session: Rewinding },
): Promise<FileMove[]> {
  const files = scope === 'conversation' ? [] : await restore(plan.files, session.changes.old)
  const entry: RewindEntry = { type: 'rewind', ...(scope !== 'files' && { to: id }), files }
  record(session, entry)
  return files
}

/** Takes the last step back again. undefined: there is none. → what became of the files of that step. */
export async function redo(
  session: Rewinding,
): Promise<{ plans: FilePlan[]; files: FileMove[] } | undefined> {
  const last = session.undone()
  if (!last) return undefined
  const { old } = session.changes
  const plans = await planOf(last.files, old)
  const files = await restore(plans, old)
  record(session, { type: 'rewind', files, redo: true })
  return { plans, files }
}

function record(session: Rewinding, entry: RewindEntry): void {
  session.record(entry)
  session.changes.recollect(session.history().flatMap(seenIn))
}

/** What the session changed in all, and could be undone of it. */
export async function changedIn({ events, old }: Changes): Promise<RewindPlan> {
  return { files: await planOf(spans(events), old, { shows: true }), lost: lostIn(events) }
}

export interface Texts {
  before: string
  now: string
  /** Of the file now. */
  hash: string
}

/** What a file held before the session, and holds now; undefined where that is not known, or no text. */
export async function textsOf(real: string, { events, old }: Changes): Promise<Texts | undefined> {
  const span = spans(events).find(({ path }) => path === real)
  const now = await present(real)
  if (!now || span?.before === undefined) return undefined
  const before = span.before === null ? Buffer.alloc(0) : await old.read(span.before)
  if (!before || before.includes(0) || now.content.includes(0)) return undefined
  return { before: before.toString(), now: now.content.toString(), hash: now.hash }
}

/** Puts one file back as it was before the session. → false: it is not as it was when that was planned. */
export async function revert(plan: FilePlan, { changes, record }: Rewinding): Promise<boolean> {
  const [done] = await restore([plan], changes.old)
  if (done) record({ type: 'file_change', by: 'person', ...done })
  return done !== undefined
}

/** The same with a text that the person has chosen. */
export async function revertTo(
  { real, hash, text }: { real: string; hash: string; text: string },
  { changes, record }: Rewinding,
): Promise<boolean> {
  const content = Buffer.from(text)
  const after = hashOf(content)
  if (!(await changes.old.keep(after, content))) return false
  const [done] = await restore(
    [{ path: real, does: 'restore', move: { path: real, before: hash, after } }],
    changes.old,
  )
  if (done) record({ type: 'file_change', by: 'person', ...done })
  return done !== undefined
}

function lostIn(events: readonly ChangeEvent[]): RewindPlan['lost'] {
  const paths = new Set<string>()
  let more = 0
  for (const event of events) {
    if (event.type !== 'command_changes') continue
    for (const path of event.paths) paths.add(path)
    more += event.more
  }
  return { paths: [...paths], more }
}
