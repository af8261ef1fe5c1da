import type { Cell } from './cell.ts'

/** A cell as it is copied: code alone, without its fence; other text as it was written. */
export function textOfCell(cell: Cell): string | undefined {
  switch (cell.type) {
    case 'user':
    case 'thinking':
      return cell.text
    case 'reply':
      return cell.block.type === 'code' ? cell.block.text : cell.block.source
    case 'tool':
      return cell.tool.content
    case 'running':
      return cell.tool.output
    case 'notice':
      return cell.message
    case 'compaction':
      return cell.summary
    default:
      return undefined
  }
}
