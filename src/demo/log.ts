import type { IncomingHttpHeaders } from 'node:http'

/** What the server knows about one request; filled as it goes. */
export interface LoggedRequest {
  method: string
  /** Without the query. */
  path: string
  headers: IncomingHttpHeaders
  /** The body as it came, and parsed (undefined when it is no JSON object). */
  text: string
  body: unknown
  /** Milliseconds of `performance.now()`: headers here, first bytes sent, all over (the slot is free again). */
  at: number
  firstAt?: number
  endAt?: number
  status?: number
  /** Chat: this request had the model loaded. */
  loaded?: boolean
  /** Chat: tokens of the prompt, of them still in the cache, of them read anew; tokens generated. */
  prompt?: number
  cached?: number
  read?: number
  generated?: number
  /** The client went away before the answer was complete. */
  aborted: boolean
  /** The model destroyed the connection. */
  cut?: true
}
