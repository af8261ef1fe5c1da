/** What the front door hands to the program. */
import type { Skeleton } from '../tui/window/skeleton.ts'

export interface StartOptions {
  /** Keeps the compiled code for the next start; to be called when what a start needs has run. */
  keepCode(): void
  /** What is already on the screen; the window takes it over. */
  skeleton: Skeleton | undefined
}

/** Milliseconds of a conversation after which its code is kept: by then it has drawn itself and waits for words. */
export const settled = 1_000
