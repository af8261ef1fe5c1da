/** `/btw`: a question at the side, on the prefix that the server has read. What is said stays out of the conversation. */
import prompt from '../../../prompts/btw.md'
import { fill } from '../../text/fill.ts'
import type { Desk } from '../commands/command.ts'

export async function btw(
  { session, words, say, show, refuse, during }: Desk,
  question: string,
): Promise<void> {
  if (!session.setup) await session.connect()
  const thread = session.thread({ branch: true, tools: [], policy: { maxTurns: 1, goOn: async () => false } })
  const content = fill(prompt, { question }).trim()
  const { end } = await during(
    words.doing.btw.asking,
    signal => thread.run({ id: thread.newId(), role: 'user', content }, { signal }),
    thread.id,
  )
  if (end.reason === 'aborted') return say(words.notices.stopped)
  if (end.error) return refuse(words.say(end.error.told))
  const text = end.text.trim()
  if (text === '') return refuse(words.doing.btw.silent)
  show(`${words.doing.btw.title(question)}\n\n${text}`)
  say(words.doing.btw.over)
}
