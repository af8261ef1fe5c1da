/** The files that a message showed the model. */
import type { Message, SeenFile } from '../protocol/messages.ts'
import { fieldsOf } from '../text/record.ts'
import { isSeen } from './entries.ts'

export function seenIn(message: Message): SeenFile[] {
  if (message.role === 'user') return message.seen ?? []
  const { seen } = fieldsOf(message.role === 'tool' && message.details)
  return isSeen(seen) ? [seen] : []
}
