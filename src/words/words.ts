import type { EN } from './en.ts'

/** A catalogue: the English one says what there is in each. */
export type Words = typeof EN

export type ModeName = keyof Words['modes']
