/**
 * From words to the message that the model reads: a command of the person's own becomes its text, commands in that text are
 * run (through the permission door, like a call of the model's), and files that are named come before it.
 */
import { turnBudget } from '../agent/act.ts'
import { attempt } from '../agent/attempt.ts'
import { gate } from '../agent/gate.ts'
import type { RunPolicy } from '../agent/run.ts'
import type { UserMessage } from '../protocol/messages.ts'
import { type MentionOptions, Mentions } from './mentions.ts'
import type { Expand, Expanded } from './options.ts'

export interface PrepareOptions extends MentionOptions {
  policy: RunPolicy
  newId(): string
  /** What a line of the person's stands for; undefined: for itself. */
  expand?: Expand | undefined
  /** It wants something of its run. → what the model is told of that; empty: nothing. Rejects with `RunError`. */
  lend(wanted: Expanded, signal: AbortSignal): Promise<string>
  /** The message with what the model has not been told of the person's own commands. */
  take(message: UserMessage): UserMessage
}

export class Prepare {
  readonly mentions: Mentions
  #parts: PrepareOptions

  constructor(parts: PrepareOptions) {
    this.#parts = parts
    this.mentions = new Mentions(parts)
  }

  /** When the signal fires, the message stays as it is. Rejects with `RunError` where a step keeps it from being sent. */
  async asSent(message: UserMessage, typed: string | undefined, signal: AbortSignal): Promise<UserMessage> {
    const ready = await this.#ready(message, typed, signal)
    const added: string[] = []
    for (const { submitted } of this.#parts.policy.steps ?? []) {
      const text = submitted && !signal.aborted ? await submitted(message.content, signal) : undefined
      if (text !== undefined) added.push(text)
    }
    if (added.length === 0) return ready
    const { content, shown = content } = ready
    return { ...ready, content: [content, ...added].join('\n\n'), shown }
  }

  async #ready(message: UserMessage, typed: string | undefined, signal: AbortSignal): Promise<UserMessage> {
    const { expand, lend, take } = this.#parts
    const expanded = expand && (await expand(message.content))
    if (!expanded || signal.aborted) return this.mentions.asSent(take(message), typed, signal)
    const { content, shown = content } = message
    const words = expanded.runs ? await this.#withOutputs(expanded.text, signal) : expanded.text
    expanded.began?.()
    const text = [words, await lend(expanded, signal)].filter(part => part !== '').join('\n\n')
    // Files are those that the command's own words and the person's name, not what a program said.
    const naming = [expanded.text, typed ?? ''].join('\n')
    return this.mentions.asSent(take({ ...message, content: text, shown }), naming, signal)
  }

  /** One after the other: a later one may build on an earlier one. */
  async #withOutputs(text: string, signal: AbortSignal): Promise<string> {
    let filled = ''
    let at = 0
    for (const found of text.matchAll(/(?<=^|\s)!`([^`\n]+)`/gm)) {
      const [whole, command = ''] = found
      const output = signal.aborted ? '' : await this.#run(command, signal)
      filled += text.slice(at, found.index) + output
      at = found.index + whole.length
    }
    return filled + text.slice(at)
  }

  async #run(command: string, signal: AbortSignal): Promise<string> {
    const { tools, policy, newId } = this.#parts
    const call = { id: newId(), name: 'bash', arguments: { command } }
    const outcome = await attempt(call, {
      parts: { tools, policy },
      signal,
      budget: turnBudget(this.#parts),
      tell: async () => {},
      asking: gate().turn(call),
    })
    return outcome.content.trim()
  }
}
