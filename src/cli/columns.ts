import { displayWidth } from '../text/width.ts'

/** With blanks to that many columns. */
export const inColumns = (text: string, columns: number): string =>
  text + ' '.repeat(Math.max(0, columns - displayWidth(text)))
