/** What a sandbox lets happen, for whatever makes it so. Every path is real. */
import type { Place } from './survey.ts'

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
  /** All of it, or none. */
  network: boolean
  /** Whether there is such a directory to be made private. */
  scratch(folder: string): boolean
}
