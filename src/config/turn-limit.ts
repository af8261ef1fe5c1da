import type { Config } from './config.ts'

/** How many turns a run may take by the configuration. */
export const turnLimit = ({ max_turns }: Pick<Config, 'max_turns'>): number =>
  max_turns === 0 ? Number.POSITIVE_INFINITY : max_turns
