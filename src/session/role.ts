/** Who the session is. What the prefix says of tools stays: what an agent may not call, the door refuses. */
import texts from '../../prompts/task.md'
import type { Narrowing } from '../permission/door.ts'
import { fill, sections } from '../text/fill.ts'
import { type Agent, narrowingOf } from './agent.ts'

export class Role {
  #current: Agent | undefined
  /** Whom the model knows. */
  #told: Agent | undefined

  /** Of the agent that it begins as the system text tells. */
  constructor(agent: Agent | undefined) {
    this.#current = agent
    this.#told = agent
  }

  get current(): Agent | undefined {
    return this.#current
  }

  set(agent: Agent | undefined): void {
    this.#current = agent
  }

  get narrowing(): Narrowing[] {
    return this.#current ? [narrowingOf(this.#current)] : []
  }

  /** For the model, once; empty: it knows. */
  note(): string {
    if (this.#current === this.#told) return ''
    this.#told = this.#current
    const { role, role_over, tools: only } = sections(texts, ['role', 'role_over', 'tools'])
    if (!this.#current) return role_over
    const { name, prompt, tools } = this.#current
    const limits = tools ? ` ${fill(only, { tools: tools.join(', ') })}` : ''
    return fill(role, { agent: name, limits, instructions: prompt.trim() }).trim()
  }
}
