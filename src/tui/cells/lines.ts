/** The lines of any cell: from a value, a width and a look, nothing else. From 8 columns on no line is wider. */
import type { Line } from '../line.ts'
import type { Cell, Look } from './cell.ts'
import { replyLines } from './reply.ts'
import { compactionLines, noticeLines, thinkingLines, tookLines, userLines } from './text.ts'
import { finishedToolLines, runningToolLines } from './tool.ts'
import { welcomeLines } from './welcome.ts'

export function cellLines(cell: Cell, width: number, look: Look): Line[] {
  switch (cell.type) {
    case 'welcome':
      return welcomeLines(cell, width, look)
    case 'user':
      return userLines(cell, width, look)
    case 'reply':
      return replyLines(cell, width, look)
    case 'thinking':
      return thinkingLines(cell, width, look)
    case 'running':
      return runningToolLines(
        { ...cell, ms: cell.isWaiting ? undefined : look.now - cell.since },
        width,
        look,
      )
    case 'tool':
      return finishedToolLines({ ...cell.tool, ...(cell.ms !== undefined && { ms: cell.ms }) }, width, look)
    case 'notice':
      return noticeLines(cell, width)
    case 'compaction':
      return compactionLines(cell, width, look)
    case 'took':
      return tookLines(cell, width, look)
    default: {
      const unknown: never = cell
      return unknown
    }
  }
}

/** Its lines change with the time. */
export function isTicking(cell: Cell): boolean {
  return (
    (cell.type === 'running' && !cell.isWaiting) || (cell.type === 'thinking' && cell.since !== undefined)
  )
}
