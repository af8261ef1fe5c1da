/**
 * The person's own commands (`!command`) in the session's bash. They do not need permission, except what asks whoever
 * wants it; what they said goes to the model with the next words, unless the person keeps it out.
 */
import { contextFor, execute } from '../agent/attempt.ts'
import type { RunPolicy, RunTools } from '../agent/run.ts'
import { type PersonCommand, withCommands } from '../context/person-commands.ts'
import type { KeptEvent } from '../protocol/events.ts'
import type { ToolCall, UserMessage } from '../protocol/messages.ts'
import type { Told } from '../protocol/sayings.ts'
import type { Ongoing } from '../shell/ongoing.ts'
import { fieldsOf } from '../text/record.ts'
import { withoutHidden } from '../text/sanitize.ts'
import { maskSecrets } from '../text/secrets.ts'
import { asReason, told } from '../words/sayings/told.ts'

export interface PersonShellOptions {
  tools: RunTools
  policy: Pick<RunPolicy, 'authorize' | 'approve'>
  record(event: KeptEvent): void
  notice(notice: Told): void
  newId(): string
  /** Of a resumed journal: what the model has not been told yet. */
  before?: readonly PersonCommand[] | undefined
}

export interface CommandRun {
  /** The model is told. */
  forModel: boolean
  signal: AbortSignal
  onOutput(text: string): void
}

/** `refused`: why it was not run; undefined: the person themselves said no. */
export type Ran = { content: string; is_error: boolean; details: unknown } | { refused: Told | undefined }

/** Milliseconds; the person ends it when they want. */
const longest = 24 * 3_600_000
/** Bytes for the model, within what the configuration says. */
const budget = 64 * 1024
/** Characters of what a command wrote in the background that are told with its end. */
const mostTold = 2000

export class PersonShell {
  #options: PersonShellOptions
  #untold: PersonCommand[]
  /** In the background, and kept out of the conversation. */
  #quiet = new Set<unknown>()

  constructor(options: PersonShellOptions) {
    this.#options = options
    this.#untold = [...(options.before ?? [])]
  }

  /** Whether the command may run; a danger is asked about. → why not. */
  async allows(command: string, signal: AbortSignal): Promise<{ refused: Told | undefined } | undefined> {
    const { policy, newId } = this.#options
    const judged = await policy.authorize({ tool: 'bash', accesses: [{ run: command }] })
    if (judged.decision === 'deny') return { refused: judged.why }
    if (judged.decision === 'allow' || judged.by !== 'hard' || !judged.question) return undefined
    if (!policy.approve) return { refused: judged.why }
    const call = callOf(newId(), command)
    const preview = async () => ({ type: 'command' as const, command })
    const asked = { own: true as const, call, ...asReason(judged.why), ...judged.question, preview }
    const { allow } = await policy.approve(asked, signal)
    return allow ? undefined : { refused: undefined }
  }

  /** Waits while another command runs. Never rejects for what the command does. */
  async run(command: string, { forModel, signal, onOutput }: CommandRun): Promise<Ran> {
    const { tools, newId } = this.#options
    const tool = tools.list.find(({ name }) => name === 'bash')
    const refusal = await this.allows(command, signal)
    if (refusal || !tool) return refusal ?? { refused: undefined }
    const call = callOf(newId(), command)
    const context = {
      ...contextFor(call, { ...tools, signal, budget, tell: async () => {} }),
      limits: { ...tools.surroundings.limits, bash_timeout_ms: longest },
      onOutput,
    }
    const permit = { target: undefined, showsSecrets: !forModel }
    const outcome = await execute(call, tool, { context, permit })
    const { exit_code, id } = fieldsOf(outcome.details)
    if (!forModel) this.#quiet.add(id)
    const code = typeof exit_code === 'number' ? exit_code : undefined
    this.note({ command, exit_code: code, output: outcome.content }, forModel)
    const { content, is_error, details } = outcome
    return { content, is_error, details }
  }

  /** A command has run, here or on the person's terminal. */
  note(ran: PersonCommand, forModel: boolean): void {
    const { command, exit_code = null, output, sent } = ran
    const shown = { ...(forModel && output !== undefined && { output }), ...(sent && { sent }) }
    this.#options.record({ type: 'shell', command, exit_code, ...shown, for_model: forModel })
    if (forModel) this.#untold.push(ran)
  }

  /** A command that the person had sent to the background is over: they hear of it, and the model with the next words. */
  ended(id: string, job: Ongoing): void {
    const { command, ended: how = '', exit_code } = job
    const { output: wrote } = job.take()
    const end = wrote.length > mostTold ? `…${wrote.slice(-mostTold)}` : wrote
    const { mask = String } = this.#options.tools.surroundings
    const said = [end.trimEnd(), how].filter(text => text !== '').join('\n')
    const output = mask(maskSecrets(withoutHidden(said)))
    const forModel = !this.#quiet.has(id)
    this.note({ command, exit_code, output, sent: true }, forModel)
    const facts = { command, how: how.split('\n')[0] ?? '', ...(job.isStopped && { stopped: true as const }) }
    this.#options.notice(forModel ? told('background.ended', facts) : told('background.ended_quietly', facts))
  }

  /** The words with what the model has not been told; `take`: it is told now. */
  before(text: string): string {
    return withCommands(text, this.#untold)
  }

  /** The message with it. */
  take(message: UserMessage): UserMessage {
    const told = this.#untold.splice(0)
    if (told.length === 0) return message
    const { content, shown = content } = message
    return { ...message, content: withCommands(content, told), shown }
  }
}

const callOf = (id: string, command: string): ToolCall => ({
  id,
  name: 'bash',
  arguments: { command },
})
