import { messagesIn, storyOf } from '../../session/story.ts'
import { checklist } from '../../text/checklist.ts'
import type { Desk } from '../commands/command.ts'

/** `/todo`: the model's list of things to do, as it stands. */
export async function todo({ session, words, show }: Desk): Promise<void> {
  for (const message of messagesIn(storyOf(session)).toReversed()) {
    const lines = message.role === 'tool' ? checklist(message.details) : undefined
    if (lines) return show(lines.join('\n'))
  }
  show(words.doing.todo.none)
}
