/** What a run is given, and what it says. */
import type { Backend, ChatRequest, Think } from '../backends/backend.ts'
import type { Dialect, ParsedCall } from '../dialect/dialect.ts'
import type { Door } from '../permission/door.ts'
import type { Question } from '../permission/permission.ts'
import type { RunError } from '../protocol/errors.ts'
import type { KeptEvent, LiveEvent, RunReason } from '../protocol/events.ts'
import type { AssistantMessage, Message, ToolCall, Usage, UserMessage } from '../protocol/messages.ts'
import type { Reason } from '../protocol/sayings.ts'
import type { Metrics, WireTool } from '../protocol/wire.ts'
import type { Preview, Tool, ToolSurroundings } from '../tools/tool.ts'
import type { CallHook, RunHook } from './hooks.ts'
import type { Steering, Words } from './steering.ts'

/** Everything that decides what the server is sent besides the history. It changes only between requests. */
export interface Setup {
  model: string
  dialect: Dialect
  system: string
  /** What the model is told about the tools: the same bytes for the whole session. */
  wireTools: WireTool[]
  think: Think
  /** Tokens that the server is asked to have room for. */
  context: number
  /** Tokens that a conversation may fill. */
  limit: number
  keep_alive: string | number
  /** Sampling options of the user's; never one that makes the server load the model anew. */
  options?: ChatRequest['options']
  /** Of the user's, besides the dialect's own. */
  stop?: readonly string[]
  /** An exchange before the history, for the model to do likewise. */
  examples?: readonly Message[]
  /** Tokens of thought after which the model is to answer. */
  thinkBudget?: number
}

/** What a call was besides what the history keeps of it. */
export type Manner = Pick<ParsedCall, 'wrote' | 'from'>
/** A call that will be asked about after another one; of a change, how many lines, as far as that can be told by now. */
export interface Later extends ToolCall {
  added?: number
  removed?: number
}

/** A call that waits for the person's yes, with why it asks and what the person is to know about it. */
export interface Approval extends Question, Reason {
  call: ToolCall
  /** A command that the person typed: yes and no are all there is to say about it. */
  own?: true
  /** Calls of the same reply that were asked about before it, and those that will be. Default: it is alone. */
  among?: { before: number; later: readonly Later[] }
  /** What it would do, for the person to see. Rejects with `ToolError` when it cannot succeed. */
  preview(): Promise<Preview>
}

export type Verdict =
  /**
   * `remember`: also set the approval's rules, for this session or always; `step`: those of `wider` in their place.
   * Without rules it means this once. `arguments`: the person changed what is to be run; it is judged anew, and the model is
   * told.
   */
  | { allow: true; remember?: keyof Question['rules']; step?: number; arguments?: ToolCall['arguments'] }
  /** `because` goes to the model. `rest`: the calls of the same reply that wait to be asked about are denied with it. */
  | { allow: false; because?: string; rest?: boolean }

/** Asks the person. undefined: nobody can be asked. */
export type Approve = ((approval: Approval, signal: AbortSignal) => Promise<Verdict>) | undefined

/** The model behind a run: what it is asked, and what its answers mean. */
export interface RunModel {
  chat: Backend['chat']
  /** The setup for the next request. */
  setup(): Setup
  /**
   * The server refused what the setup asks for; changes the setup and returns the events that say so,
   * or undefined when it may not be changed (the person forced it).
   */
  fallBack(error: RunError): KeptEvent[] | undefined
  /** The model follows no dialect: from now on it only talks. → false where it does already. */
  talk(): boolean
  /** What a request that leaves now is expected to do first: load, read so many tokens, or nobody knows. */
  expectation(request: ChatRequest): LiveEvent
  /**
   * The server has read a request, and answered it if there are metrics. → what its figures mean for the session:
   * tokens in context, newly read, reused.
   */
  measure(request: ChatRequest, answer: { metrics?: Metrics; reply?: AssistantMessage }): Usage | undefined
}

/** What the model may call, and what its calls work with. */
export interface RunTools {
  list: readonly Tool[]
  surroundings: ToolSurroundings
}

export interface Check {
  command: string
  /** Milliseconds. */
  timeout?: number | undefined
}

export interface Checks {
  /** Those for what has changed since this was called last with something to do, each once. */
  due(signal: AbortSignal): Promise<readonly Check[]>
}

/** What may happen, and how far a run may go. */
export interface RunPolicy {
  /** The only way to leave for a call. */
  authorize: Door['authorize']
  approve: Approve
  /** Sets the rules of an answer that is to be remembered: what they allow is not asked about again. */
  remember: Door['remember']
  /** Steps around every call, in this order. Default: none. */
  hooks?: readonly CallHook[]
  /** What has to pass before an answer is the end. Default: nothing. */
  checks?: Checks | undefined
  /** Steps around whole runs. Default: none. */
  steps?: readonly RunHook[]
  /** The conversation at the side that it is for. */
  thread?: string | undefined
  maxTurns: number
  /** The turn limit is reached: may the run go on for as many turns again? The signal takes the question back. */
  goOn(turns: number, signal: AbortSignal): Promise<boolean>
}

/** The conversation: what the model is told. */
export interface RunContext {
  /** The conversation so far: a live view, grown by whoever takes the run's `message` events. */
  history: readonly Message[]
  /** The person's words that wait to step in. */
  steering: Steering
  /** The message that words become: with the files that they name. Never rejects. */
  asSent(words: Words, signal: AbortSignal): Promise<UserMessage>
  /**
   * Summarises the history when the next request would not fit, or when the server has `refused` it as too long, and
   * puts in place what was begun while tools ran; yields what it did. → whether it did anything.
   */
  makeRoom(signal: AbortSignal, options: { refused: boolean }): AsyncGenerator<RunEvent, boolean>
  /** Tools run, and the server has nothing to do: a history that has passed the threshold is summarised meanwhile. */
  toolsBegan(signal: AbortSignal): void
  /** Tokens that are free in the context now (an estimate). */
  freeTokens(): number
  newId(): string
}

/** Everything that a run can do. The session makes these; the loop only uses them. */
export interface Capabilities {
  model: RunModel
  tools: RunTools
  policy: RunPolicy
  context: RunContext
}

export type RunEvent = KeptEvent | LiveEvent

export interface RunEnd {
  reason: RunReason
  turns: number
  /** The text of the last reply, as a person reads it. */
  text: string
  error?: RunError
  /** A check that failed last, and was not mended. */
  unmended?: string
}
