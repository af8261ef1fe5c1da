/**
 * Reads a journal back: lines → entries → what the session knew. Pure: what a crash left unfinished is mended in what
 * is returned, and the mending is returned too, so that it can be written down.
 */
import { applyCompaction } from '../context/compaction.ts'
import type { PersonCommand } from '../context/person-commands.ts'
import type { Entry, KeptAgent, KeptEvent, PartialEntry, PermissionMode } from '../protocol/events.ts'
import type { AssistantMessage, DialectName, Message, SeenFile, ToolMessage } from '../protocol/messages.ts'
import type { WireTool } from '../protocol/wire.ts'
import { fieldsOf } from '../text/record.ts'
import { parseEntry } from './entries.ts'
import { missingResults } from './missing.ts'
import { seenIn } from './seen.ts'
import { settle } from './settle.ts'
import { Undone } from './undone.ts'

/** What a conversation of a journal had come to. */
export interface ReplayedThread {
  history: Message[]
  /** What the server was last sent besides the history: a resume sends the same bytes. */
  sent: { model: string; dialect: DialectName; num_ctx: number } | undefined
  prompt: { system: string; tools: WireTool[] } | undefined
}

/** The main conversation, and what the session knew. */
export interface Replayed extends ReplayedThread {
  id: string
  /** Of the journal's form. */
  version: number
  cwd: string
  mode: PermissionMode | undefined
  /** Who the session was. Undefined: there was never an agent. */
  agents: PastAgents | undefined
  /** Words that were typed and never sent. */
  unsent: { id: string; content: string }[]
  /** Entries that mend what a crash left unfinished, to be appended. */
  repairs: KeptEvent[]
  /** When it was written last (ms since 1970). */
  at: number
  /** Files that the model has seen, also before a compaction, as it saw them last; the oldest first. */
  seen: SeenFile[]
  /** Lines that are no entries, by number. */
  badLines: number[]
  /** Side conversations, by id. */
  threads: ReadonlyMap<string, ReplayedThread>
  /** What was rewound and may come back. */
  undone: Undone
  /** What became of files, and which prompts that followed. */
  changes: ChangeEvent[]
  /** The person's own commands that the model has not been told. */
  untold: PersonCommand[]
  /** Whose text from outside it has read last, also before a compaction. */
  foreign: string | undefined
  /** As the person calls the session. */
  name: string | undefined
}

/** `begun`: whose the prefix is; `now`: who went on. Undefined: nobody in particular. */
export interface PastAgents {
  begun: KeptAgent | undefined
  now: KeptAgent | undefined
}

/** What the record of changed files is made of. */
export type ChangeEvent =
  | Extract<KeptEvent, { type: 'file_change' | 'command_changes' | 'rewind' }>
  | { type: 'prompt'; id: string }

/**
 * Reads the text of a journal, whatever stands there: the histories can be sent. Lines that are no entries are left out;
 * unknown types and fields are ignored.
 */
export function replay(text: string, newId: () => string): Replayed {
  const badLines: number[] = []
  let last = ''
  const main = new Conversation(undefined)
  const threads = new Map<string, Conversation>()
  const mode: PermissionMode | undefined = undefined
  const session = { id: '', version: 1, cwd: '', mode: mode as PermissionMode | undefined }
  const seen: SeenFile[] = []
  const waiting = new Map<string, string>()
  const changes: ChangeEvent[] = []
  let untold: PersonCommand[] = []
  let name: string | undefined
  let foreign: string | undefined
  let agents: PastAgents | undefined

  // One after the other: what counts no more, most of a long journal, need not be held.
  for (const entry of entriesOf(text, badLines)) {
    if ('timestamp' in entry) last = entry.timestamp
    const { thread: id } = entry
    if (id !== undefined) {
      const thread = threads.get(id) ?? new Conversation(id)
      threads.set(id, thread)
      if (entry.type === 'thread_start') thread.goOnFrom(main.history, entry.base)
      else thread.take(entry)
      continue
    }
    main.take(entry)
    switch (entry.type) {
      case 'header':
        if (session.id !== '') break
        session.id = entry.id
        session.version = entry.version ?? 1
        session.cwd = entry.cwd
        break
      case 'mode_change':
        session.mode = entry.mode
        break
      case 'agent_change':
        agents = {
          begun: entry.begins ? entry.agent : agents?.begun,
          now: entry.for_run ? agents?.now : entry.agent,
        }
        break
      case 'message': {
        for (const file of seenIn(entry)) seen.push(file)
        waiting.delete(entry.id)
        if (entry.role === 'tool') foreign = foreignIn(entry) ?? foreign
        if (entry.role !== 'user') break
        changes.push({ type: 'prompt', id: entry.id })
        untold = []
        break
      }
      case 'steer':
      case 'follow_up':
        waiting.set(entry.id, entry.content)
        break
      case 'queue_removed':
        waiting.delete(entry.id)
        break
      case 'file_change':
      case 'command_changes':
      case 'rewind':
        changes.push(entry)
        break
      case 'shell': {
        const { command, exit_code, output, for_model, sent } = entry
        const said = { ...(output !== undefined && { output }), ...(sent && { sent }) }
        if (for_model) untold.push({ command, exit_code: exit_code ?? undefined, ...said })
        break
      }
      case 'name':
        name = entry.name
        break
    }
  }

  const repairs = [main, ...threads.values()].flatMap(conversation => conversation.mended(newId))
  const unsent = [...waiting].map(([id, content]) => ({ id, content }))
  const at = Date.parse(last) || 0
  const { undone } = main
  return {
    ...session,
    agents,
    seen,
    ...main.now,
    unsent,
    repairs,
    at,
    badLines,
    threads,
    undone,
    changes,
    untold,
    foreign,
    name,
  }
}

function foreignIn({ details }: ToolMessage): string | undefined {
  const { foreign } = fieldsOf(details)
  return typeof foreign === 'string' ? foreign : undefined
}

/** One conversation of a journal, entry by entry. */
class Conversation implements ReplayedThread {
  history: Message[] = []
  sent: ReplayedThread['sent']
  prompt: ReplayedThread['prompt']
  readonly undone = new Undone()
  readonly #id: string | undefined
  #known = new Set<string>()
  #running = false
  #inTurn = false
  #turns = 0
  #partial: { id: string; text: string } | undefined

  constructor(id: string | undefined) {
    this.#id = id
  }

  get now(): ReplayedThread {
    const { history, sent, prompt } = this
    return { history, sent, prompt }
  }

  /** Begins with another one's history up to a message. */
  goOnFrom(history: readonly Message[], base: string | undefined): void {
    const whole = settle(history)
    this.#goOnWith(whole.slice(0, whole.findIndex(({ id }) => id === base) + 1))
  }

  take(entry: Entry | PartialEntry): void {
    switch (entry.type) {
      case 'model_change':
        if (entry.for_run) break
        this.sent = { model: entry.model, dialect: entry.tool_calling, num_ctx: entry.num_ctx }
        break
      case 'prompt':
        this.prompt = { system: entry.system, tools: entry.tools }
        break
      case 'agent_start':
        this.#running = true
        this.#turns = 0
        break
      case 'agent_end':
        this.#running = false
        break
      case 'turn_start':
        this.#turns++
        this.#inTurn = true
        break
      case 'turn_end':
        this.#inTurn = false
        this.#partial = undefined
        break
      case 'message_partial': {
        const { message_id: id, text } = entry
        this.#partial = { id, text: (this.#partial?.id === id ? this.#partial.text : '') + text }
        break
      }
      case 'message': {
        const { type: _, timestamp: __, thread: ___, ...message } = entry
        if (message.role === 'user') this.undone.forget()
        this.#add(message)
        // Its own message, or a later one: then nothing was said that is kept.
        this.#partial = undefined
        break
      }
      case 'compaction':
        this.#goOnWith(applyCompaction(this.history, entry))
        break
      case 'rewind':
        this.undone.apply(this.history, entry)
        this.#goOnWith(this.history)
        break
    }
  }

  #goOnWith(history: Message[]): void {
    this.history = history
    this.#known = new Set(history.map(({ id }) => id))
  }

  /** → false: it is there already. */
  #add(message: Message): boolean {
    if (this.#known.has(message.id)) return false
    this.#known.add(message.id)
    this.history.push(message)
    return true
  }

  /** Mends what a crash left unfinished. → the entries that say so. */
  mended(newId: () => string): KeptEvent[] {
    const repairs: KeptEvent[] = []
    const mend = (message: Message) => {
      if (this.#add(message)) repairs.push({ type: 'message', ...message })
    }
    if (this.#running && this.#partial?.text.trim()) mend(fromPartial(this.#partial))
    this.history = settle(this.history)
    const missing = missingResults(this.history, newId)
    for (const result of missing) mend(result)
    if (missing.length > 0) this.history = settle(this.history)
    if (this.#running && this.#inTurn) repairs.push({ type: 'turn_end' })
    if (this.#running) repairs.push({ type: 'agent_end', reason: 'aborted', turns: this.#turns })
    const thread = this.#id
    return thread === undefined ? repairs : repairs.map(repair => ({ ...repair, thread }))
  }
}

const fromPartial = ({ id, text }: { id: string; text: string }): AssistantMessage => ({
  id,
  role: 'assistant',
  content: text,
  stop_reason: 'aborted',
})

/**
 * What only tells how things went: a good part of a long journal, and nothing that a session goes on with. As this gopi
 * writes it; whatever looks otherwise is parsed.
 */
const TOLD_ONLY = /^\{"type":"(?:tool_call_(?:start|end)|permission|notice)",.*\}$/

/** `badLines` takes the numbers of lines that are none. The last entry is there, whatever it is. */
function* entriesOf(text: string, badLines: number[]): Generator<Entry | PartialEntry> {
  for (let start = 0, number = 1; start < text.length; number++) {
    const newline = text.indexOf('\n', start)
    const end = newline < 0 ? text.length : newline
    const line = text.slice(start, end)
    start = end + 1
    if (line.trim() === '' || (start < text.length && TOLD_ONLY.test(line))) continue
    const entry = parseEntry(line)
    if (entry) yield entry
    else badLines.push(number)
  }
}
