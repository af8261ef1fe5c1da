/** The person's own commands (`!command`): shown as those of the model are, and one of them runs at a time. */
import type { Running } from '../kit/commands/command.ts'
import type { SessionEvent } from '../protocol/events.ts'
import type { App } from './app.ts'
import { withOwn } from './conversation.ts'

export interface OwnCommandsOptions {
  happened(event: SessionEvent): void
  /** A run goes on besides them. */
  isStreaming(): boolean
  /** None runs any more. */
  over(): void
}

export class OwnCommands {
  #app: App
  #options: OwnCommandsOptions
  #running: AbortController[] = []
  #count = 0

  constructor(app: App, options: OwnCommandsOptions) {
    this.#app = app
    this.#options = options
  }

  get isRunning(): boolean {
    return this.#running.length > 0
  }

  /** Ends the one that runs. False: there is none. */
  stop(): boolean {
    this.#running[0]?.abort('user')
    return this.isRunning
  }

  /** `command` begins. */
  begin(command: string): Running {
    const { happened, isStreaming, over } = this.#options
    const controller = new AbortController()
    this.#running.push(controller)
    const id = `!${++this.#count}`
    const timestamp = new Date().toISOString()
    const started = performance.now()
    const call = { tool_call_id: id, name: 'bash', arguments: { command } }
    happened({ type: 'tool_call_start', ...call, timestamp })
    this.#app.change(state => ({ ...state, conversation: withOwn(state.conversation, id, `! ${command}`) }))
    // Nobody is asked: it runs, and its time counts.
    const allowed = { decision: 'allow', by: 'user', why: '' } as const
    happened({ type: 'permission', tool_call_id: id, ...allowed, timestamp })
    if (!isStreaming()) happened({ type: 'phase', phase: 'tool' })
    return {
      signal: controller.signal,
      onOutput: text => happened({ type: 'tool_output', tool_call_id: id, text }),
      end: ran => {
        this.#running = this.#running.filter(other => other !== controller)
        const { content = '', is_error = true, details } = ran ?? {}
        const end = { tool_call_id: id, is_error }
        happened({ type: 'tool_call_end', ...end, duration_ms: performance.now() - started, timestamp })
        const told = { id, role: 'tool', tool_name: 'bash', content, details, ...end } as const
        happened({ type: 'message', ...told, timestamp })
        if (this.isRunning) return
        if (!isStreaming()) happened({ type: 'phase', phase: 'idle' })
        over()
      },
    }
  }
}
