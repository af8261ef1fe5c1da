/** What an editor may ask of gopi, by the protocol; and how that is refused. */
import type {
  CancelNotification,
  CloseSessionRequest,
  CloseSessionResponse,
  DeleteSessionRequest,
  DeleteSessionResponse,
  InitializeRequest,
  InitializeResponse,
  ListSessionsRequest,
  ListSessionsResponse,
  LoadSessionRequest,
  LoadSessionResponse,
  NewSessionRequest,
  NewSessionResponse,
  PromptRequest,
  PromptResponse,
  ResumeSessionRequest,
  ResumeSessionResponse,
  SetSessionConfigOptionRequest,
  SetSessionConfigOptionResponse,
  SetSessionModeRequest,
  SetSessionModeResponse,
} from '@agentclientprotocol/sdk'

export interface Handlers {
  initialize(asked: InitializeRequest): Promise<InitializeResponse>
  begin(asked: NewSessionRequest): Promise<NewSessionResponse>
  load(asked: LoadSessionRequest): Promise<LoadSessionResponse>
  resume(asked: ResumeSessionRequest): Promise<ResumeSessionResponse>
  list(asked: ListSessionsRequest): Promise<ListSessionsResponse>
  close(asked: CloseSessionRequest): Promise<CloseSessionResponse>
  remove(asked: DeleteSessionRequest): Promise<DeleteSessionResponse>
  setMode(asked: SetSessionModeRequest): Promise<SetSessionModeResponse>
  setOption(asked: SetSessionConfigOptionRequest): Promise<SetSessionConfigOptionResponse>
  /** The signal: the editor takes the request back. */
  prompt(asked: PromptRequest, signal: AbortSignal): Promise<PromptResponse>
  cancel(asked: CancelNotification): Promise<void>
}

/** A request that is not granted: the protocol's number, and a sentence. */
export class Refusal extends Error {
  readonly code: number
  readonly data: unknown

  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.code = code
    this.data = data
  }
}

export const WRONG_PARAMS = -32602
export const NOT_THERE = -32002
export const FAILED = -32603
