/**
 * What gopi remembers from one start to the next: a cache. It may be empty at any time, what comes out of it was
 * written by anybody (another version, a text editor), and nothing is promised about what is put in.
 */
export interface Memory {
  /** What was kept under this key, to be read with distrust; undefined: nothing. */
  recall(key: string): unknown
  /** Keeps a JSON value under this key. Never throws, never waits. */
  keep(key: string, value: object): void
}
