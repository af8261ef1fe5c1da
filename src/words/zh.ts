import type { Words } from './words.ts'

export const ZH: Words = {
  moreLines: lines => `还有 ${lines} 行`,
}
