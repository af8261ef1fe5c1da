/** What a sandbox lets happen, for whatever makes it so. Every path is real. */
import type { Place } from './survey.ts'

/** Where the way to the named hosts begins. */
export interface Gate {
  /** On 127.0.0.1, as commands see it. */
  port: number
  /** Linux: holds the socket that a bridge in the sandbox leads to. */
  directory?: string
}

export interface Profile {
  project: string
  /** The project can be written, but for `kept`. A private temporary directory always can. */
  canWrite: boolean
  /** Can neither be read nor written. */
  hidden: readonly Place[]
  /** In the project: can be read only. */
  kept: readonly string[]
  /** In the project: may change, but not be moved. */
  held: readonly string[]
  /** All of it, none, or the way to what is named. */
  network: boolean | Gate
  /** Whether there is such a directory to be made private. */
  scratch(folder: string): boolean
}
