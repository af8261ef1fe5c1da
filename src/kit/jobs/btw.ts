/** `/btw`: a question at the side, on the prefix that the server has read. What is said stays out of the conversation. */
import prompt from '../../../prompts/btw.md'
import { fill } from '../../text/fill.ts'
import type { Desk } from '../commands/command.ts'

export async function btw(
  { session, words, say, tells, refuse, during }: Desk,
  question: string,
): Promise<void> {
  if (!session.setup) await session.connect()
  const thread = session.thread({ branch: true, tools: [], policy: { maxTurns: 1, goOn: async () => false } })
  const content = fill(prompt, { question }).trim()
  const { end, telling } = await during(
    words.doing.btw.asking,
    async signal => {
      const telling = tells(words.doing.btw.title(question))
      const deaf = session.subscribe(
        event => {
          if (event.thread === thread.id && event.type === 'message_delta') telling.add(event.text)
        },
        { threads: true },
      )
      const ran = thread.run({ id: thread.newId(), role: 'user', content }, { signal })
      return { ...(await ran.finally(deaf)), telling }
    },
    thread.id,
  )
  const text = end.text.trim()
  telling.end(text === '' ? undefined : text)
  if (end.reason === 'aborted') return say(words.notices.stopped)
  if (end.error) return refuse(words.say(end.error.told))
  return text === '' ? refuse(words.doing.btw.silent) : say(words.doing.btw.over)
}
