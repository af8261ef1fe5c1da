/**
 * How fast somebody types: by that a letter pressed on purpose is told from the first letter of a word. Milliseconds
 * throughout.
 */

const shortest = 300
/** Who takes longer from letter to letter does not write a word. */
const longest = 800
/** How soon somebody who types faster again is believed. */
const forgetting = 0.9

/** The pace after one more letter of a word, `gap` after the one before: the slowest of late, fading. */
export const paceAfter = (pace: number, gap: number): number =>
  gap > longest ? pace : Math.max(gap, pace * forgetting)

/** What follows a letter within this time belongs to the same word. */
export const pauseAt = (pace: number): number => Math.min(longest, Math.max(shortest, 2 * pace))
