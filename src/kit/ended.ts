/** What ended with a conversation: commands in the background, agents. */
import { sanitize } from '../text/sanitize.ts'
import { cut } from '../text/width.ts'
import type { Words } from '../words/words.ts'

/** Names that are told, and columns of each. */
const most = { names: 3, columns: 30 }

/** `among`: gopi itself ends, or only this session. undefined: nothing ended. */
export function endedLine(
  all: readonly string[],
  among: 'gopi' | 'session',
  { notices }: Pick<Words, 'notices'>,
): string | undefined {
  if (all.length === 0) return undefined
  const short = (name: string) => cut(sanitize(name).replace(/\s+/g, ' ').trim(), most.columns, { mark: '…' })
  return notices.endedAlong(all.length, all.slice(0, most.names).map(short), among)
}
