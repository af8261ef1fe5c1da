/** The calls of a reply for which agents work, beside each other or one after the other. */
import texts from '../../prompts/task.md'
import type { TaskStart } from '../protocol/events.ts'
import type { AssistantMessage, Message, ToolMessage } from '../protocol/messages.ts'
import { sections } from '../text/fill.ts'
import type { Session } from './session.ts'

/** The calls that agents work for, or that wait for a place. */
export class Calls {
  #ways = new Map<string, TaskStart['way'] | undefined>()
  #watching = new Set<() => void>()

  came(id: string): void {
    this.#ways.set(id, undefined)
    for (const look of [...this.#watching]) look()
  }

  began(id: string, { way }: Pick<TaskStart, 'way'>): void {
    this.#ways.set(id, way)
  }

  ended(id: string): void {
    this.#ways.delete(id)
  }

  has(id: string): boolean {
    return this.#ways.has(id)
  }

  works(id: string): boolean {
    return this.#ways.get(id) !== undefined
  }

  /** Somebody goes on from the main conversation's prefix: where that is cached there is no room for another one. */
  get isBranched(): boolean {
    return [...this.#ways.values()].includes('branch')
  }

  /** `look` is called when one comes. */
  watch(look: () => void): () => void {
    this.#watching.add(look)
    return () => void this.#watching.delete(look)
  }
}

interface Answering {
  session: Session
  signal: AbortSignal
  others: Calls
}

/** What the reply's calls without a result are answered with in a branch: the earlier ones are waited for, agents are not. */
export async function answersFor(id: string, { session, signal, others }: Answering): Promise<ToolMessage[]> {
  const { history } = session.main
  const reply = history.findLast((message): message is AssistantMessage => message.role === 'assistant')
  const calls = reply?.tool_calls ?? []
  const open = () => calls.filter(call => !isAnswered(history, call.id))
  const isFirst = () => open()[0] === undefined || others.has(open()[0]?.id ?? '')
  await until({ session, signal, others }, isFirst)
  const { begun, meanwhile, waits } = sections(texts, ['begun', 'meanwhile', 'waits'])
  return open().map(call => ({
    id: session.main.newId(),
    role: 'tool',
    content: call.id === id ? begun : others.works(call.id) ? meanwhile : waits,
    tool_call_id: call.id,
    tool_name: call.name,
    is_error: false,
  }))
}

const isAnswered = (history: readonly Message[], id: string): boolean =>
  history.some(message => message.role === 'tool' && message.tool_call_id === id)

/** Rejects with the signal's reason. */
function until({ session, signal, others }: Answering, isSo: () => boolean): Promise<void> {
  if (isSo()) return Promise.resolve()
  return new Promise((resolve, reject) => {
    const over = (end: () => void) => {
      unsubscribe()
      unwatch()
      signal.removeEventListener('abort', aborted)
      end()
    }
    const aborted = () => over(() => reject(signal.reason))
    const look = () => isSo() && over(resolve)
    const unsubscribe = session.subscribe(look)
    const unwatch = others.watch(look)
    signal.addEventListener('abort', aborted, { once: true })
  })
}
