/** What the front door hands to the program. */
export interface StartOptions {
  /** Keeps the compiled code for the next start; to be called when what a start needs has run. */
  keepCode(): void
}

/** Milliseconds of a conversation after which its code is kept: by then it has drawn itself and waits for words. */
export const settled = 1_000
