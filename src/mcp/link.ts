/** A server that answers, as the rest of gopi sees it: nothing here knows the client package. */
import type { Launch } from './stdio.ts'

export type Target = Launch | { url: string; headers: Readonly<Record<string, string>> }

export interface LinkOptions {
  signal: AbortSignal
  /** Milliseconds for whatever is asked besides calls. */
  timeout: number
  /** It ended by itself; the last that it said. */
  onClose(lastWords: string): void
  /** It says that it offers something else now. */
  onChanged(): void
}

export interface CallOptions {
  signal: AbortSignal
  timeout: number
  onProgress(text: string): void
}

/** What comes back is the server's: unknown until it is read. All reject with a readable reason. */
export interface Link {
  /** In the shape that `readOffer` takes. */
  offer(signal: AbortSignal): Promise<unknown>
  call(name: string, args: Record<string, unknown>, options: CallOptions): Promise<unknown>
  prompt(name: string, args: Record<string, string>, signal: AbortSignal): Promise<unknown>
  /** In the shape that `readResources` takes. */
  resources(signal: AbortSignal): Promise<unknown>
  read(uri: string, signal: AbortSignal): Promise<unknown>
  /** Nothing of it runs when it resolves. */
  close(): Promise<void>
}

/** The chunk with the client package. */
export interface ClientRoom {
  connect(target: Target, options: LinkOptions): Promise<Link>
  checkerOf(schema: Record<string, unknown>): (args: unknown) => string | undefined
}
