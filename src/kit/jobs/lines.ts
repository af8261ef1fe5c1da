/** How commands show files and long texts. */
import type { Diff } from '../../text/diff.ts'
import type { Words } from '../../words/words.ts'
import type { Change } from '../commands/command.ts'

/** Lines of one file's changes that are shown. */
const mostLines = 60

export function cut(lines: readonly string[], { moreLines }: Pick<Words, 'moreLines'>): string[] {
  const more = lines.length - mostLines
  return more <= 0 ? [...lines] : [...lines.slice(0, mostLines), `… ${moreLines(more)}`]
}

export const countsOf = ({ added, removed }: Diff): string => `+${added} −${removed}`

/** For a face without colours. */
export const changesText = (changes: readonly Change[], words: Pick<Words, 'moreLines'>): string =>
  changes
    .flatMap(({ path, diff }) => [
      `${path}  ${countsOf(diff)}`,
      ...cut(diff.diff.trimEnd().split('\n'), words),
    ])
    .join('\n')

export const firstLine = (text: string): string => text.trim().split('\n')[0]?.slice(0, 80) ?? ''

/** As seen from the session's directory, where it is below. */
export const shownIn = (file: string, cwd: string): string =>
  file.startsWith(`${cwd}/`) ? file.slice(cwd.length + 1) : file
