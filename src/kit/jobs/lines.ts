/** How commands show files and long texts. */
import type { Words } from '../../words/words.ts'

/** Lines of one file's changes that are shown. */
const mostLines = 60

export function cut(lines: readonly string[], { moreLines }: Pick<Words, 'moreLines'>): string[] {
  const more = lines.length - mostLines
  return more <= 0 ? [...lines] : [...lines.slice(0, mostLines), `… ${moreLines(more)}`]
}

export const firstLine = (text: string): string => text.trim().split('\n')[0]?.slice(0, 80) ?? ''

/** As seen from the session's directory, where it is below. */
export const shownIn = (file: string, cwd: string): string =>
  file.startsWith(`${cwd}/`) ? file.slice(cwd.length + 1) : file
