import { shellWord } from '../text/shell-word.ts'

/** Shell text that puts bash into a directory, where something may have put it elsewhere: a word that it knows (`framing.ts`). */
export const goInto = (directory: string): string => `__gopi_at ${shellWord(directory)}`
