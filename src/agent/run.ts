/** What a run is given, and what it says. The session makes these; the loop only uses them. */
import type { Dialect } from '../dialect/dialect.ts'
import type { ChatModel, ChatRequest, Think } from '../model/model.ts'
import type { Decision, Question } from '../permission/permission.ts'
import type { RunError } from '../protocol/errors.ts'
import type { KeptEvent, LiveEvent, RunReason } from '../protocol/events.ts'
import type { AssistantMessage, Message, ToolCall, Usage, UserMessage } from '../protocol/messages.ts'
import type { Metrics, WireTool } from '../protocol/wire.ts'
import type { Preview, Tool, ToolContext, ToolLimits } from '../tools/tool.ts'
import type { Steering, Words } from './steering.ts'

/** Everything that decides what the server is sent beside the history. It changes only between requests. */
export interface Setup {
  model: string
  dialect: Dialect
  system: string
  /** What the model is told about the tools: the same bytes for the whole session. */
  wireTools: WireTool[]
  think: Think
  num_ctx: number
  /** Tokens that a conversation may fill. */
  limit: number
  keep_alive: string | number
  /** Sampling options of the user's; never runner options. */
  options?: Record<string, unknown>
}

/** A call that waits for the person's yes, with what the person is to know about it. */
export interface Approval extends Question {
  call: ToolCall
  /** Why it asks: a sentence for the person. */
  why: string
  /** What it would do, for the person to see. Rejects with `ToolError` when it cannot succeed. */
  preview(): Promise<Preview>
}

export type Verdict =
  /** `remember`: also set the approval's rules, for this session or always. Without rules it means this once. */
  | { allow: true; remember?: keyof Question['rules'] }
  /** `because` goes to the model. `rest`: the calls of the same reply that wait to be asked about are denied with it. */
  | { allow: false; because?: string; rest?: boolean }

/** Asks the person. undefined: nobody can be asked. */
export type Approve = ((approval: Approval, signal: AbortSignal) => Promise<Verdict>) | undefined

export interface RunParts {
  chat: ChatModel
  /** The setup for the next request. */
  setup(): Setup
  /**
   * The server refused what the setup asks for; changes the setup and returns the events that say so,
   * or undefined when it may not be changed (the person forced it).
   */
  fallBack(error: RunError): KeptEvent[] | undefined
  /** The conversation so far: a live view, grown by whoever takes the run's `message` events. */
  history: readonly Message[]
  tools: readonly Tool[]
  steering: Steering
  /** The message that words become: with the files that they name. Never rejects. */
  asSent(words: Words, signal: AbortSignal): Promise<UserMessage>
  /** The permission door: judges a call whose arguments have been checked. */
  decide(call: ToolCall, tool: Tool): Promise<Decision>
  approve: Approve
  /** Sets the rules of an answer that is to be remembered: what they allow is not asked about again. */
  remember(rules: readonly string[], how: keyof Question['rules']): Promise<void>
  shell: ToolContext['shell']
  cwd: string
  limits: ToolLimits
  files: ToolContext['files']
  isSecret: ToolContext['isSecret']
  spillDir(): Promise<string>
  newId(): string
  maxTurns: number
  /** The turn limit is reached: may the run go on for as many turns again? The signal takes the question back. */
  goOn(turns: number, signal: AbortSignal): Promise<boolean>
  /**
   * The server has read a request, and answered it if there are metrics. → what its figures mean for the session:
   * tokens in context, newly read, reused.
   */
  measure(request: ChatRequest, answer: { metrics?: Metrics; reply?: AssistantMessage }): Usage | undefined
  /** What a request that leaves now is expected to do first: load, read so many tokens, or nobody knows. */
  expectation(request: ChatRequest): LiveEvent
  /**
   * Summarises the history when the next request would not fit, or when the server has `refused` it as too long; yields
   * what it did. → whether it did anything.
   */
  makeRoom(signal: AbortSignal, options: { refused: boolean }): AsyncGenerator<RunEvent, boolean>
  /** Tokens that are free in the context now (an estimate). */
  freeTokens(): number
}

export type RunEvent = KeptEvent | LiveEvent

export interface RunEnd {
  reason: RunReason
  turns: number
  /** The text of the last reply, as a person reads it. */
  text: string
  error?: RunError
}
