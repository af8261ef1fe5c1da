/**
 * What a tool call touches. Every tool names the accesses of a call before it runs, and the permission room judges these
 * alone: it knows no tool's name.
 *
 * Paths are as the call means them: absolute, or relative to the session's directory; links are not resolved yet.
 * A call that names no access asks.
 */
export type Access =
  | { read: string }
  | { write: string }
  /** A command line of the persistent bash. `stays`: of a bash of its own, and it goes on. */
  | { run: string; stays?: true }
  /** A host (with a port, where it is not the usual one). */
  | { reach: string }
  /** It sends something out for good: asks in every mode, whatever is allowed. What it is, for the person. */
  | { sends: string }
  /** Something that the kit brings and that is only read, by its name: a skill. */
  | { use: string }
  /** Nothing of the person's. Only gopi's own tools, and those of the program that holds the session, are believed. */
  | { none: true }
  /** An agent works for it, by name: what that one touches is judged call by call. */
  | { task: string }
  /**
   * Nobody can tell; what is known of it, for the person. `changed`: it is not what rules were set for, and asks in every
   * mode but yolo.
   */
  | { unknown: string; changed?: boolean }

/**
 * Where a line that runs unasked may run, beside the persistent bash itself. `harmless`: it only reads, in a child that can
 * change neither shell nor channel. `sandbox-read`: it may try whatever it likes, nothing can be changed. `sandbox-work`: it
 * may change the project and nothing else.
 */
export type Where = 'harmless' | 'sandbox-read' | 'sandbox-work'

/** Of these the places that are sandboxes. */
export type Walled = Exclude<Where, 'harmless'>

/** A file that a redirect of a command line writes, as the decision saw it. */
export interface BoundFile {
  /** The real path. */
  real: string
  /** Device and inode; undefined where there was nothing. */
  id: string | undefined
  /** Where its name stands in the line. */
  pos: number
  end: number
  /** Nothing of the line runs before it. */
  first: boolean
}
