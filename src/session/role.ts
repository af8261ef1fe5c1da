/** Who the session is. What the prefix says of tools stays: what an agent may not call, the door refuses. */
import texts from '../../prompts/task.md'
import type { Narrowing } from '../permission/door.ts'
import type { AgentChange } from '../protocol/events.ts'
import type { Message } from '../protocol/messages.ts'
import { fill, sections } from '../text/fill.ts'
import { type Agent, agentChange, narrowingOf } from './agent.ts'

export interface RoleOptions {
  /** Whom the system text tells of. */
  begun: Agent | undefined
  /** Who goes on. */
  now: Agent | undefined
  /** What the model was told besides. */
  history: readonly Message[]
  /** Hears of every change before it holds. */
  record(event: AgentChange): void
}

export class Role {
  /** Whose the prefix is, with the tools that it tells of. */
  readonly begun: Agent | undefined
  #current: Agent | undefined
  /** Whom the model knows; null: somebody else. */
  #told: Agent | undefined | null
  #record: RoleOptions['record']
  /** Whose the session is, while somebody else has it for a run. */
  #own: { agent: Agent | undefined } | undefined

  constructor({ begun, now, history, record }: RoleOptions) {
    this.begun = begun
    this.#current = now
    this.#told = isTold(now, { begun, history }) ? now : null
    this.#record = record
  }

  get current(): Agent | undefined {
    return this.#current
  }

  set(agent: Agent | undefined): void {
    this.#own = undefined
    if (agent === this.#current) return
    this.#record(agentChange(agent))
    this.#current = agent
  }

  /** Somebody else has the session for a run; what its own agent may not do, they may not either. */
  lend(agent: Agent | undefined): void {
    if (agent === this.#current) return
    this.#record(agentChange(agent, { for_run: true }))
    this.#own ??= { agent: this.#current }
    this.#current = agent
  }

  giveBack(): void {
    if (this.#own) this.set(this.#own.agent)
  }

  get narrowing(): Narrowing[] {
    return [this.#own?.agent, this.#current].flatMap(agent => (agent ? [narrowingOf(agent)] : []))
  }

  /** For the model, once; empty: it knows. */
  note(): string {
    const told = this.#told
    if (this.#current === told) return ''
    this.#told = this.#current
    const note = noteOf(this.#current)
    return told !== null && note === noteOf(told) ? '' : note
  }
}

function noteOf(agent: Agent | undefined): string {
  const { role, role_over, tools: only } = sections(texts, ['role', 'role_over', 'tools'])
  if (!agent || (agent.prompt === '' && !agent.tools)) return role_over
  const { name, prompt, tools } = agent
  const limits = tools ? ` ${fill(only, { tools: tools.join(', ') })}` : ''
  return fill(role, { agent: name, limits, instructions: prompt.trim() }).trim()
}

/** By the latest such note that the history still has, else by the system text. */
function isTold(
  agent: Agent | undefined,
  { begun, history }: Pick<RoleOptions, 'begun' | 'history'>,
): boolean {
  if (history.length === 0) return agent === begun
  const { role: pattern, role_over } = sections(texts, ['role', 'role_over'])
  const openings = [pattern.slice(0, pattern.indexOf('{{')), role_over]
  const noteIn = (text: string) => Math.max(...openings.map(opening => text.lastIndexOf(opening)))
  const teller = history.findLast(({ role, content }) => role === 'user' && noteIn(content) >= 0)
  return teller ? teller.content.startsWith(noteOf(agent), noteIn(teller.content)) : agent === begun
}
