import type { Words } from './words.ts'

export const EN: Words = {
  moreLines: lines => `${lines} more ${lines === 1 ? 'line' : 'lines'}`,
}
